import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseWeights } from '../../core/weights.ts'
import { limits } from '../limits/buckets.ts'
import type { Server } from '../typed-server.ts'
import { addVary } from './caching.ts'

const brotli = promisify(brotliCompress)
// Quality 4 costs about as much as gzip and is smaller. The default of 11 is for static files.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compressors = {
  br: (bytes: Buffer) => brotli(bytes, brotliOptions),
  gzip: promisify<Buffer, Buffer>(gzip),
}
const streams = { br: () => createBrotliCompress(brotliOptions), gzip: () => createGzip() }

type Encoding = keyof typeof compressors

/** The encoding for an Accept-Encoding header (RFC 9110 §12.5.3); br wins over gzip of the same weight. */
export function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  const weights = parseWeights(acceptEncoding ?? '')
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const best: Encoding = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  return weightOf(best) > 0 ? best : undefined
}

const compressible = /^(text\/|image\/svg|application\/([a-z.]+\+)?(json|javascript|xml))/

/** Compresses text and buffers as a whole, so that they keep a Content-Length. Streams and encoded bodies pass unchanged. */
export function compressResponses(server: Server): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
    const isCandidate =
      compressible.test(String(reply.getHeader('content-type'))) && !reply.hasHeader('content-encoding')
    if (!isCandidate || Buffer.byteLength(payload) <= limits.compressAboveBytes) return done(null, payload)
    addVary(reply, 'Accept-Encoding')
    const accepted = request.headers['accept-encoding']
    const encoding = accepted === undefined ? undefined : encodingFor(accepted)
    if (!encoding) return done(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    compressors[encoding](typeof payload === 'string' ? Buffer.from(payload) : payload)
      .then((compressed) => done(null, compressed), done)
      // Sending may fail after this hook, for example because of an invalid header.
      .catch((error: unknown) => {
        request.log.error({ err: error }, 'response could not be sent')
        reply.raw.destroy()
      })
  })
}

/** Compresses a stream. If one end is destroyed, so is the other. */
export function compressedStream(request: FastifyRequest, reply: FastifyReply, text: Readable): Readable {
  addVary(reply, 'Accept-Encoding')
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (!encoding) return text
  reply.header('content-encoding', encoding)
  return pipeline(text, streams[encoding](), () => undefined)
}
