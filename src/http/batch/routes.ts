import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomHex } from '../../core/crypto/keys.ts'
import { Problem } from '../../core/problem.ts'
import { isInProcess } from '../in-process.ts'
import { limits } from '../limits/buckets.ts'
import { addOperation } from '../operation.ts'
import { compressedStream } from '../output/compression.ts'
import type { Server } from '../typed-server.ts'
import { batchOperation } from './document.ts'
import { type BatchDependencies, type Part, respondToParts } from './responses.ts'
import { boundaryOf, partsOf } from './rules/multipart.ts'
import { parsePart, requestIdIn } from './rules/part-request.ts'
import { type Group, targetWithin } from './rules/part-target.ts'

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
  // The head may have been sent before the service began to close, and so without `Connection: close`.
  reply.raw.once('finish', () => void (request.server.draining && request.raw.socket.end()))
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
