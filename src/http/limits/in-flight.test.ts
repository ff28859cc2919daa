import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  closingGet,
  get,
  hasSecondAddress,
  listenAnywhere,
  openClient,
  secondAddress,
  untilInFlight,
} from '../../../test/support/http/slow-client.ts'
import { testServer } from '../../../test/support/http-server.ts'
import { callInProcess } from '../in-process.ts'

/** A server for 30 requests, so 3 of an address. `/held` waits until it is released. */
function smallServer(t: TestContext) {
  const { server } = testServer({ limits: { requestsInFlight: 30 }, trustProxy: ['127.0.0.1'] })
  t.after(() => server.close())
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  server.get('/held', async () => {
    await released
    return 'held'
  })
  server.get('/x', async () => 'x')
  const call = callInProcess(server)
  server.get('/parts', async () => {
    const part = { method: 'GET', url: '/x', headers: {}, remoteAddress: '127.0.0.1' } as const
    const parts = await Promise.all(Array.from({ length: 20 }, () => call(part)))
    return parts.map(({ statusCode }) => statusCode)
  })
  /** Requests that a proxy on this machine forwards. */
  const forwarded = (url: string, address: string) => server.inject({ url, headers: { 'x-forwarded-for': address } })
  const status = async (url: string, address: string) => (await forwarded(url, address)).statusCode
  return { server, forwarded, status, release }
}

test('one address has at most a tenth of the requests in progress', async (t) => {
  const { server, forwarded, status, release } = smallServer(t)
  await server.ready()
  const held = Array.from({ length: 3 }, () => forwarded('/held', '192.0.2.1'))
  await untilInFlight(server, 3)

  const rejected = await forwarded('/x', '192.0.2.1')
  assert.deepEqual([rejected.statusCode, rejected.headers['retry-after']], [503, '1'])
  for (const url of ['/x', '/parts']) assert.equal(await status(url, '192.0.2.2'), 200, url)
  release()
  for (const { statusCode } of await Promise.all(held)) assert.equal(statusCode, 200)
  await untilInFlight(server, 0)
  assert.equal(await status('/x', '192.0.2.1'), 200)
})

test('the addresses of one IPv6 network count as one', async (t) => {
  const { server, forwarded, status, release } = smallServer(t)
  await server.ready()
  const held = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:9::'].map((address) => forwarded('/held', address))
  await untilInFlight(server, 3)

  assert.equal(await status('/x', '2001:db8::4'), 503)
  assert.equal(await status('/x', '2001:db8:0:1::1'), 200)
  release()
  await Promise.all(held)
})

test('requests that a request makes in process are not counted for its address', async (t) => {
  const { server, forwarded } = smallServer(t)
  await server.ready()

  const { body } = await forwarded('/parts', '192.0.2.1')

  assert.deepEqual(JSON.parse(body), Array(20).fill(200))
})

test('connections of one address do not keep out another', { skip: !hasSecondAddress }, async (t) => {
  const { server, release } = smallServer(t)
  await listenAnywhere(server)
  const held = await Promise.all(Array.from({ length: 3 }, () => openClient(server, get('/held'))))
  await untilInFlight(server, 3)

  const statusFrom = async (from: string) => {
    const client = await openClient(server, closingGet('/x'), { from })
    await client.ended
    client.socket.destroy()
    return client.received().slice(9, 12)
  }
  assert.equal(await statusFrom('127.0.0.1'), '503')
  assert.equal(await statusFrom(secondAddress), '200')
  release()
  for (const { socket } of held) socket.destroy()
  await untilInFlight(server, 0)
  assert.equal(await statusFrom('127.0.0.1'), '200')
})
