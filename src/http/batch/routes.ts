import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { randomHex } from '../../core/crypto/keys.ts'
import { Problem } from '../../core/problem.ts'
import { isInProcess } from '../in-process.ts'
import { limits } from '../limits/buckets.ts'
import { compressedStream } from '../output/compression.ts'
import type { Server } from '../typed-server.ts'
import { answerParts, type BatchParts, type Part } from './answer.ts'
import { batchSchema } from './document.ts'
import { boundaryOf, partsOf } from './rules/multipart.ts'
import { readPart, requestIdIn } from './rules/part-request.ts'
import { type Group, targetWithin } from './rules/part-target.ts'

/** Reads every part before the first is run; one that is no request of this group does not stop the others. */
function readParts(request: FastifyRequest, boundary: string, group: Group): Part[] {
  const text = Buffer.isBuffer(request.body) ? request.body.toString('latin1') : ''
  return partsOf(text, boundary, limits.batchParts).map((part) => {
    try {
      const read = readPart(part, limits.headerBytes)
      return { request: { ...read, target: targetWithin(read.target, group) } }
    } catch (error) {
      if (error instanceof Problem) return { refusal: error, requestId: requestIdIn(part) }
      throw error
    }
  })
}

/** POST {base_url}/{group}/batch for each group. */
export function batchRoutes(
  api: Server,
  names: readonly string[],
  { publicUrl, basePath, ...parts }: BatchParts & Omit<Group, 'name'>,
): void {
  api.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    // Of any type, because what to send instead is said here.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', (request, _reply, done) => {
      done(isInProcess(request.raw) ? new Problem('InvalidRequest', 'A batch cannot hold another one.') : undefined)
    })
    // A batch is counted by its parts. One that is refused whole has none, and counts as one call.
    scope.setErrorHandler((error, request, reply) => {
      const { headers, refusal } = parts.count(request)
      reply.headers(headers)
      throw refusal ?? error
    })
    for (const name of names) {
      const group = { publicUrl, basePath, name }
      const options = { schema: batchSchema(group), config: { countedByParts: true }, bodyLimit: limits.batchBytes }
      scope.post(`/${name}/batch`, options, async (request, reply) => {
        const read = readParts(request, boundaryOf(request.headers['content-type'] ?? ''), group)
        const boundary = `batch-${randomHex()}`
        const hangUp = new AbortController()
        reply.raw.once('close', () => hangUp.abort())
        const answers = Readable.from(answerParts(request, read, boundary, { ...parts, signal: hangUp.signal }))
        // Its head may have gone before the service began to close, and so without the word that ends the connection.
        reply.raw.once('finish', () => void (scope.draining && request.raw.socket.end()))
        return reply
          .header('content-type', `multipart/mixed; boundary="${boundary}"`)
          .header('cache-control', 'no-store')
          .send(compressedStream(request, reply, answers))
      })
    }
  })
}
