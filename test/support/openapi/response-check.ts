import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import inject from 'light-my-request'
import type { Server } from '../../../src/http/typed-server.ts'
import { ApiDocument, mediaTypeOf } from './api-document.ts'

/** What this process saw, for the check at the end of the run. */
const documented = new Set<string>()
const answered = new Map<string, number>()
/** One lie may be told a thousand times: with the request that heard it first. */
const faults = new Map<string, string>()

process.once('exit', () => {
  const folder = process.env.REFDESK_TEST_LOG
  if (folder === undefined || documented.size === 0) return
  const lines = [
    ...[...documented].map((each) => `documented\t${each}`),
    ...[...answered].map(([each, times]) => `answered\t${each}\t${times}`),
  ]
  appendFileSync(join(folder, `${process.pid}.answers`), `${lines.join('\n')}\n`)
  if (faults.size === 0) return
  // Not thrown where a service is closed: a hook that fails keeps those behind it from closing theirs.
  const sentences = [...faults].map(([lie, request]) => `${lie} (${request})`)
  console.error(['Answers are not as /openapi.json says:', ...sentences].join('\n  '))
  process.exitCode = 1
})

/** Holds every answer of a documented operation against the service's own /openapi.json as it goes out, and every request
 *  that succeeds. What is found fails the test file at its end. To be called before the server is ready. */
export function checkAnswers(server: Server): void {
  let document: Promise<ApiDocument> | undefined
  server.addHook('onSend', async (request, reply, payload) => {
    const { operationId, hide } = request.routeOptions.schema ?? {}
    if (operationId === undefined || hide || request.method === 'HEAD') return
    document ??= documentOf(server)
    const fault = faultOf(await document, operationId, request, reply, payload)
    count(answered, `${operationId}\t${reply.statusCode}`)
    const lie = `${operationId} ${reply.statusCode}: ${fault}`
    if (fault !== undefined && !faults.has(lie)) faults.set(lie, `${request.method} ${request.url.slice(0, 200)}`)
  })
}

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** By their text: services differ by little but their addresses, and schemas are compiled once. */
const documents = new Map<string, ApiDocument>()

async function documentOf(server: Server): Promise<ApiDocument> {
  // Not server.inject, which refuses as soon as the service closes.
  const answer = await inject((incoming, outgoing) => server.routing(incoming, outgoing), { url: '/openapi.json' })
  const text = answer.body.replaceAll(/localhost:\d+/g, 'localhost')
  const document = documents.get(text) ?? new ApiDocument(JSON.parse(text))
  documents.set(text, document)
  for (const operationId of document.operations.keys())
    for (const status of document.statusesOf(operationId)) documented.add(`${operationId}\t${status}`)
  return document
}

function faultOf(
  document: ApiDocument,
  operationId: string,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): string | undefined {
  const { params, query } = request
  const header = (name: string) => reply.getHeader(name)
  const status = reply.statusCode
  try {
    const sent = { operationId, status, header, body: textOf(payload, header('content-encoding')) }
    const fault = document.answerFault(sent)
    const isTaken = status >= 200 && status < 300
    return fault ?? (isTaken ? document.requestFault({ operationId, params, query, ...bodyOf(request) }) : undefined)
  } catch (error) {
    return `the check itself failed: ${error}`
  }
}

const formType = 'application/x-www-form-urlencoded'

/** A form comes as its bytes, and what is empty in it as if it were not there. Any other body is of JSON: what the vendor
 *  profile takes in place of a form is not in the document. */
function bodyOf({ headers, body }: FastifyRequest): { mediaType: string; body: unknown } {
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
