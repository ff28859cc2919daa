import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseWeights } from '../../core/weights.ts'
import { limits } from '../limits/buckets.ts'
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
export function encodingFor(acceptEncoding = ''): Encoding | undefined {
  const weights = parseWeights(acceptEncoding)
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const best: Encoding = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  return weightOf(best) > 0 ? best : undefined
}

const compressible = /^(text\/|image\/svg|application\/([a-z.]+\+)?(json|javascript|xml))/

/** Compresses text and buffers as a whole, so that they keep a Content-Length. Undefined if the payload is sent unchanged. */
export function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<Buffer> | undefined {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return undefined
  if (Buffer.byteLength(payload) <= limits.compressAboveBytes || reply.hasHeader('content-encoding')) return undefined
  if (!compressible.test(String(reply.getHeader('content-type')))) return undefined
  addVary(reply, 'Accept-Encoding')
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (!encoding) return undefined
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return compressors[encoding](typeof payload === 'string' ? Buffer.from(payload) : payload)
}

/** Compresses a stream. If one end is destroyed, so is the other. */
export function compressedStream(request: FastifyRequest, reply: FastifyReply, text: Readable): Readable {
  addVary(reply, 'Accept-Encoding')
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (!encoding) return text
  reply.header('content-encoding', encoding)
  return pipeline(text, streams[encoding](), () => undefined)
}
