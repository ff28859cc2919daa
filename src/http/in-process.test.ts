import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { testServer } from '../../test/support/http-server.ts'
import { sourceOf } from './in-process.ts'

test('a disconnected caller has the address of its request', async (t) => {
  const { server } = testServer()
  t.after(() => server.close())
  const arrived = Promise.withResolvers<void>()
  const address = Promise.withResolvers<string>()
  server.get('/', async (request) => {
    const left = once(request.raw.socket, 'close')
    arrived.resolve()
    await left
    address.resolve(sourceOf(request).remoteAddress)
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  await arrived.promise
  socket.destroy()
  assert.equal(await address.promise, '127.0.0.1')
})
