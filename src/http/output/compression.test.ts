import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { testServer } from '../../../test/support/http-server.ts'
import { encodingFor } from './compression.ts'

test('chooses the encoding with the highest weight, br before gzip', () => {
  const cases: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip', 'gzip'],
    ['GZIP, deflate, BR', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['br;q=nonsense', undefined],
  ]
  for (const [accept, encoding] of cases) assert.equal(encodingFor(accept), encoding, accept ?? 'none')
})

test('leaves encoded and binary bodies unchanged', async () => {
  const { server } = testServer()
  const ready = gzipSync(randomBytes(5000))
  const image = Buffer.alloc(5000)
  server.get('/ready', async (_request, reply) =>
    reply.type('application/json').header('content-encoding', 'gzip').send(ready),
  )
  server.get('/image', async (_request, reply) => reply.type('image/png').send(image))
  const headers = { 'accept-encoding': 'br' }
  assert.deepEqual((await server.inject({ url: '/ready', headers })).rawPayload, ready)
  const answer = await server.inject({ url: '/image', headers })
  assert.equal(answer.headers['content-encoding'], undefined)
  assert.deepEqual(answer.rawPayload, image)
})
