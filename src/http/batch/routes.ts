import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomHex } from '../../core/crypto/keys.ts'
import { Problem } from '../../core/problem.ts'
import { isInProcess } from '../in-process.ts'
import { limits } from '../limits/buckets.ts'
import { addOperation, operation } from '../operation.ts'
import { compressedStream } from '../output/compression.ts'
import { closeWhenDraining } from '../streams/event-stream.ts'
import type { Server } from '../typed-server.ts'
import { type BatchDependencies, type Part, respondToParts } from './responses.ts'
import { boundaryOf, partsOf } from './rules/multipart.ts'
import { parsePart, requestIdIn } from './rules/part-request.ts'
import { type Group, targetWithin } from './rules/part-target.ts'

const description = `Runs several requests of one service group. Each part is a request of its own, and they run one after the
other. Each has its own status and headers and counts against the rate limits; the batch itself does not. A rejected part counts too
and does not stop the others. A part uses the token of the batch unless it has its own. Its address is an absolute path or an absolute
URL. The responses are in the order of the parts, each with the X-Request-Id of its request. At most ${limits.batchParts} parts and
${limits.batchBytes / 1024} KB. A batch that cannot be parsed is rejected as a whole, which counts as one call, and none of its
parts runs. Parts after ${limits.batchResponseBytes / 1024 / 1024} MB of responses are rejected with 413 and do not run.`

const examplePaths: Record<string, string> = {
  ref: 'v1/instruments?Keywords=apple',
  ca: 'v2/events/lookupdata',
  port: 'v1/users/me',
  developer: 'apps',
  root: 'v1/diagnostics/get',
  x: 'v1/revision',
}

const message = (kind: 'request' | 'response', ...lines: string[]): string =>
  ['--+', `Content-Type: application/http; msgtype=${kind}`, '', ...lines, '--+--', ''].join('\r\n')

function batchOperation({ basePath, name }: Group) {
  const requestLine = `GET ${basePath}/${name}/${examplePaths[name] ?? ''} HTTP/1.1`
  const response = ['HTTP/1.1 200 OK', 'X-Request-Id: 1', 'Content-Type: application/json; charset=utf-8', '', '{}']
  const type = 'multipart/mixed'
  return operation({
    method: 'POST',
    path: `/${name}/batch`,
    operationId: `${name}Batch`,
    summary: `Send several ${name} requests at once`,
    description,
    errors: ['RateLimitExceeded'],
    documented: {
      textBody: {
        type,
        description: 'The requests.',
        example: message('request', requestLine, 'X-Request-Id: 1', '', ''),
      },
      responses: { 200: { description: 'The responses.', type, example: message('response', ...response) } },
    },
    config: { countedByParts: true },
    bodyLimit: limits.batchBytes,
  })
}

/** Parses every part before the first one runs. A part that is no request of this group does not stop the others. */
function parseParts(request: FastifyRequest, boundary: string, group: Group): Part[] {
  const text = Buffer.isBuffer(request.body) ? request.body.toString('latin1') : ''
  return partsOf(text, boundary, limits.batchParts).map((part) => {
    try {
      const parsed = parsePart(part, limits.headerBytes)
      return { request: { ...parsed, target: targetWithin(parsed.target, group) } }
    } catch (error) {
      if (error instanceof Problem) return { problem: error, requestId: requestIdIn(part) }
      throw error
    }
  })
}

function sendBatch(deps: BatchDependencies, group: Group, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const parts = parseParts(request, boundaryOf(request.headers['content-type'] ?? ''), group)
  const boundary = `batch-${randomHex()}`
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const texts = respondToParts(request, parts, boundary, { ...deps, signal: disconnected.signal })
  // Reads nothing ahead: parts start when the connection has taken those before.
  const responses = Readable.from(texts, { highWaterMark: 0 })
  closeWhenDraining(request, reply)
  return reply
    .header('content-type', `multipart/mixed; boundary="${boundary}"`)
    .header('cache-control', 'no-store')
    .send(compressedStream(request, reply, responses))
}

/** POST {base_url}/{group}/batch for each group (§2.9). */
export function batchRoutes(
  api: Server,
  names: readonly string[],
  { publicUrl, basePath, ...deps }: BatchDependencies & Omit<Group, 'name'>,
): void {
  api.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    // Any type, because boundaryOf says what to send instead.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', (request, _reply, done) => {
      done(isInProcess(request.raw) ? new Problem('InvalidRequest', 'A batch cannot contain another one.') : undefined)
    })
    // A batch is counted by its parts. One that is rejected as a whole counts as one call.
    scope.setErrorHandler((error, request, reply) => {
      const { headers, problem } = deps.count(request)
      reply.headers(headers)
      throw problem ?? error
    })
    for (const name of names) {
      const group = { publicUrl, basePath, name }
      addOperation(scope, batchOperation(group), async (request, reply) => sendBatch(deps, group, request, reply))
    }
  })
}
