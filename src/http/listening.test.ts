import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { testServer } from '../../test/support/http-server.ts'
import { listen } from './listening.ts'

/** Another loopback address, which every Linux has; elsewhere there may be none. */
const second = '127.0.0.2'
const skip = process.platform !== 'linux'

test('localhost is served on every address that it has, until all requests are answered', { skip }, async () => {
  const { server } = testServer()
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  server.get('/slow', async () => {
    asked()
    await mayAnswer
    return 'done'
  })
  await server.ready()
  await listen(server, { port: 0, host: 'localhost' }, async () => ['127.0.0.1', '::1', second])
  const { port } = server.server.address() as AddressInfo
  const slow = fetch(`http://${second}:${port}/slow`)
  await isAsked

  let isClosed = false
  const closing = server.close().then(() => {
    isClosed = true
  })
  await assert.rejects(async () => {
    // The second address stops accepting as soon as the server begins to close.
    for (;;) await fetch(`http://${second}:${port}/slow`, { signal: AbortSignal.timeout(100) }).catch(unlessTimeout)
  })
  assert.equal(isClosed, false)
  answer()
  assert.equal(await (await slow).text(), 'done')
  await closing
})

function unlessTimeout(error: Error): void {
  if (error.name !== 'TimeoutError') throw error
}

test('a second address that cannot be used is logged and does not matter', async (t) => {
  const { server, lines } = testServer()
  t.after(() => server.close())
  server.get('/', async () => 'first')
  // Reserved for documentation: no machine has it.
  const foreign = '192.0.2.1'

  await listen(server, { port: 0, host: 'localhost' }, async () => [foreign])

  const { port } = server.server.address() as AddressInfo
  assert.equal(await (await fetch(`http://localhost:${port}/`)).text(), 'first')
  const line = lines.find(({ msg }) => msg === 'not listening')
  assert.deepEqual([line?.host, line?.code], [foreign, 'EADDRNOTAVAIL'])
})
