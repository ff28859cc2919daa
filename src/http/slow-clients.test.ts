import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.ts'
import {
  closingGet,
  get,
  hasSecondAddress,
  listenAnywhere,
  listenOnBoth,
  openClient,
  secondAddress,
  trickle,
  untilConnections,
  untilInFlight,
} from '../../test/support/http/slow-client.ts'
import { testServer } from '../../test/support/http-server.ts'
import type { ConnectionLimits } from './limits/buckets.ts'
import { addSteps } from './pipeline.ts'

const quick = { headersTimeoutMs: 100, requestTimeoutMs: 200, timeoutCheckMs: 20, lingerMs: 50 }
const large = Buffer.alloc(32 * 1024 * 1024, 'x')

async function* endless() {
  for (;;) {
    await sleep(1)
    yield large.subarray(0, 65_536)
  }
}

function slowServer(t: TestContext, limits: Partial<ConnectionLimits>) {
  const { server } = testServer({ limits })
  t.after(() => server.close())
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  server.post('/body', async () => 'read')
  server.get('/x', async () => 'x')
  server.get('/large', async () => large)
  server.get('/endless', async (_request, reply) => reply.send(Readable.from(endless())))
  server.get('/held', async () => {
    await released
    return 'done'
  })
  server.register(async (scope: typeof server) => {
    addSteps(scope, { answer: () => ({ status: 200, headers: {}, body: large }) })
    scope.get('/remembered', () => assert.fail('made again'))
  })
  return { server, release }
}

const partOfBody = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n"'

for (const host of hasSecondAddress ? ['127.0.0.1', secondAddress] : ['127.0.0.1'])
  test(`a body that arrives too slowly is 408 and does not keep its slot (on ${host})`, async (t) => {
    const { server } = slowServer(t, quick)
    await listenOnBoth(server)

    const slow = await Promise.all(Array.from({ length: 20 }, () => openClient(server, partOfBody, { host })))
    for (const client of slow) trickle(client)

    await Promise.all(slow.map(({ closed }) => closed))
    for (const { received } of slow) assert.match(received(), /^HTTP\/1\.1 408 .*too long to arrive/s)
    await untilInFlight(server, 0)
    await untilConnections(server, 0)
  })

test('headers that arrive too slowly are 408, and the connection is closed', async (t) => {
  const { server } = slowServer(t, quick)
  await listenAnywhere(server)

  const slow = await openClient(server, 'GET /x HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  trickle(slow)

  await slow.closed
  assert.match(slow.received(), /^HTTP\/1\.1 408 /)
  await untilConnections(server, 0)
})

for (const [what, text] of [
  ['sends nothing', ''],
  ['waits after a response', get('/x')],
] as const)
  test(`a connection that ${what} is closed, whether or not its caller closes it`, async (t) => {
    // Nothing else closes it sooner than a test lasts.
    const { server } = slowServer(t, { ...quick, keepAliveMs: 50, stallMs: 3_600_000 })
    await listenAnywhere(server)

    const idle = await openClient(server, text)

    await untilConnections(server, 0)
    idle.socket.destroy()
  })

for (const path of ['/large', '/remembered', '/endless'])
  test(`a response that is not read does not keep its slot: ${path}`, async (t) => {
    const { server } = slowServer(t, { stallMs: 300 })
    await listenAnywhere(server)

    const { socket } = await openClient(server, '')
    t.after(() => socket.destroy())
    socket.pause()
    socket.write(get(path))
    await untilInFlight(server, 1)

    await untilInFlight(server, 0)
    await untilConnections(server, 0)
  })

test('a response that takes for ever does not keep its slot, however steadily it is read', async (t) => {
  const { server } = slowServer(t, { exchangeMs: 500 })
  await listenAnywhere(server)

  const reader = await openClient(server, get('/endless'))
  await untilInFlight(server, 1)

  await reader.ended
  reader.socket.destroy()
  assert.match(reader.received(), /^HTTP\/1\.1 200 /)
  await untilInFlight(server, 0)
})

test('a response that takes longer to make than a caller may take to read is waited for', async (t) => {
  const { server, release } = slowServer(t, { stallMs: 300 })
  let stalls = 0
  server.server.on('timeout', () => {
    stalls += 1
  })
  await listenAnywhere(server)

  const waiting = await openClient(server, closingGet('/held'))
  await eventually(async () => stalls > 2 || undefined, 'three periods without data')
  release()

  await waiting.ended
  assert.match(waiting.received(), /^HTTP\/1\.1 200 .*done$/s)
  waiting.socket.destroy()
})

test('pipelined requests whose responses are not read take no more than the share of their address', async (t) => {
  const { server } = slowServer(t, { requestsInFlight: 100, stallMs: 2_000 })
  await listenAnywhere(server)
  let most = 0

  const { socket } = await openClient(server, '')
  t.after(() => socket.destroy())
  socket.pause()
  socket.write(get('/remembered').repeat(500) + get('/large').repeat(500))
  await eventually(async () => {
    most = Math.max(most, server.requestsInFlight)
    return most > 0 && server.requestsInFlight === 0 ? true : undefined
  }, 'the end of the requests')

  assert.ok(most <= 10, `${most} requests in flight`)
  await untilConnections(server, 0)
})

test('a caller that cannot be understood while a response is sent gets no second response in it', async (t) => {
  const { server } = slowServer(t, {})
  await listenAnywhere(server)

  const client = await openClient(server, get('/endless'))
  await eventually(async () => client.received().length > 100_000 || undefined, 'the beginning of the response')
  client.socket.write('HELLO\r\n\r\n')

  await client.ended
  client.socket.destroy()
  assert.doesNotMatch(client.received(), /400 Bad Request/)
  await untilInFlight(server, 0)
})
