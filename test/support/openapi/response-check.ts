import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import inject from 'light-my-request'
import type { Server } from '../../../src/http/typed-server.ts'
import { ApiDocument, mediaTypeOf } from './api-document.ts'

/** The responses of this process, for the check at the end of the run. */
const documented = new Set<string>()
const sent = new Map<string, number>()
/** Each error once, with the first request that had it. */
const errors = new Map<string, string>()

process.once('exit', () => {
  const folder = process.env.REFDESK_TEST_LOG
  if (folder === undefined || documented.size === 0) return
  const lines = [
    ...[...documented].map((each) => `documented\t${each}`),
    ...[...sent].map(([each, times]) => `sent\t${each}\t${times}`),
  ]
  appendFileSync(join(folder, `${process.pid}.responses`), `${lines.join('\n')}\n`)
  if (errors.size === 0) return
  // Not thrown when a service closes, because a failing hook would keep the next ones from closing theirs.
  const sentences = [...errors].map(([error, request]) => `${error} (${request})`)
  console.error(['Responses differ from /openapi.json:', ...sentences].join('\n  '))
  process.exitCode = 1
})

/** Requests whose parameters were converted. A remembered answer is sent without that: its first request was checked. */
const validated = new WeakSet<FastifyRequest>()

/** Checks every response of a documented operation, and every successful request, by the service's own /openapi.json. Errors
 *  fail the test file at its end. Call it before the server is ready. */
export function checkResponses(server: Server): void {
  let document: Promise<ApiDocument> | undefined
  server.addHook('preHandler', function checkRequest(request, _reply, done) {
    validated.add(request)
    done()
  })
  const check = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const { operationId } = request.routeOptions.schema ?? {}
    if (operationId === undefined || request.method === 'HEAD') return
    document ??= documentOf(server)
    const problem = problemOf(await document, operationId, request, reply, payload)
    count(sent, `${operationId}\t${reply.statusCode}`)
    const error = `${operationId} ${reply.statusCode}: ${problem}`
    if (problem !== undefined && !errors.has(error)) errors.set(error, `${request.method} ${request.url.slice(0, 200)}`)
  }
  server.observeResponses((request, reply) => {
    if (!request.routeOptions.schema?.hide) void check(request, reply, reply.payload)
  })
}

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** By text, because services differ in little but their addresses and schemas are compiled once. */
const documents = new Map<string, ApiDocument>()

async function documentOf(server: Server): Promise<ApiDocument> {
  // Not server.inject, which fails as soon as the service closes.
  const response = await inject((incoming, outgoing) => server.routing(incoming, outgoing), { url: '/openapi.json' })
  const text = response.body.replaceAll(/localhost:\d+/g, 'localhost')
  const document = documents.get(text) ?? new ApiDocument(JSON.parse(text))
  documents.set(text, document)
  for (const operationId of document.operations.keys())
    for (const status of document.statusesOf(operationId)) documented.add(`${operationId}\t${status}`)
  return document
}

function problemOf(
  document: ApiDocument,
  operationId: string,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): string | undefined {
  const { params, query } = request
  const header = (name: string) => reply.getHeader(name.toLowerCase())
  const status = reply.statusCode
  try {
    const response = { operationId, status, header, body: textOf(payload, header('content-encoding')) }
    const problem = document.responseError(response)
    const isAccepted = status >= 200 && status < 300 && validated.has(request)
    return (
      problem ?? (isAccepted ? document.requestError({ operationId, params, query, ...bodyOf(request) }) : undefined)
    )
  } catch (error) {
    return `the check itself failed: ${error}`
  }
}

const formType = 'application/x-www-form-urlencoded'

/** A form arrives as bytes, and its empty fields count as absent. Any other body is JSON: the other types that the vendor
 *  profile accepts for a form are not checked. */
function bodyOf(request: FastifyRequest): { mediaType: string; body: unknown } {
  const { headers, body } = request as FastifyRequest & Partial<Pick<FastifyRequest, 'body'>>
  const isForm = Buffer.isBuffer(body) && body.length > 0 && mediaTypeOf(headers['content-type']) === formType
  if (!isForm) return { mediaType: 'application/json', body }
  const pairs = [...new URLSearchParams(body.toString())].filter(([, value]) => value !== '')
  return { mediaType: formType, body: Object.fromEntries(pairs) }
}

/** The text of a body; null for none, undefined for a stream. */
function textOf(payload: unknown, encoding: unknown): string | null | undefined {
  if (payload === undefined || payload === null || payload === '') return null
  if (typeof payload === 'string') return payload
  if (!Buffer.isBuffer(payload)) return undefined
  if (encoding === 'br') return brotliDecompressSync(payload).toString()
  return (encoding === 'gzip' ? gunzipSync(payload) : payload).toString()
}
