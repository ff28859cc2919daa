import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'

// The package serves its script but does not export it: read it from a throwaway server and compress it once.
const server = fastify()
await server.register(scalar, { routePrefix: '/reader', configuration: { url: '/openapi.json' } })
const { statusCode, rawPayload } = await server.inject('/reader/js/scalar.js')
if (statusCode !== 200) throw new Error(`The API reader package returned ${statusCode} for its script.`)

const licence = await readFile(new URL('../LICENSE', import.meta.resolve('@scalar/fastify-api-reference')), 'utf8')
const script = Buffer.concat([Buffer.from(`/*! Scalar\n\n${licence}*/\n`), rawPayload])

parentPort?.postMessage({
  hash: createHash('sha256').update(script).digest('hex').slice(0, 8),
  br: brotliCompressSync(script, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: script.length,
    },
  }),
  gzip: gzipSync(script),
})
