import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { listenAnywhere, openClient, untilConnections } from '../../test/support/http/slow-client.ts'
import { sendRaw, testServer } from '../../test/support/http-server.ts'
import { systemClock, TravelClock } from '../core/clock.ts'
import { startRequestLog } from './request-log/request-log.ts'

const post = 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

function thingsServer() {
  const { server, lines } = testServer()
  const log = startRequestLog(server, { clock: new TravelClock(systemClock), nodeName: 'n1' })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let executed = 0
  server.post('/things', async (_request, reply) => {
    executed += 1
    await released
    return reply.code(201).send({ Id: 1 })
  })
  const answered = () => lines.filter(({ msg }) => msg === 'answered')
  return { server, log, release, answered, executed: () => executed }
}

test('an executed request has a line in the log and an entry, although its caller left before the response', async (t) => {
  const { server, log, release, answered, executed } = thingsServer()
  t.after(() => server.close())
  await listenAnywhere(server)

  const { socket } = await openClient(server, `${post}Content-Length: 2\r\n\r\n{}`)
  await eventually(async () => executed() === 1 || undefined, 'the request')
  socket.destroy()
  await untilConnections(server, 0)
  release()

  const [line] = await eventually(async () => (answered().length > 0 ? answered() : undefined), 'the line')
  assert.deepEqual([line?.method, line?.route, line?.status, line?.cut], ['POST', '/things', 201, true])
  const entry = log.find(String(line?.reqId))
  assert.deepEqual([entry?.method, entry?.target, entry?.status], ['POST', '/things', 201])
})

test('a request whose caller left before its body was there has none, because it was not executed', async (t) => {
  const { server, answered, executed } = thingsServer()
  t.after(() => server.close())
  await listenAnywhere(server)

  const { socket } = await openClient(server, `${post}Content-Length: 9\r\n\r\n{}`)
  await eventually(async () => server.requestsInFlight === 1 || undefined, 'the request')
  socket.destroy()
  await untilConnections(server, 0)

  await sendRaw(server, 'GET /missing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await eventually(async () => answered().length > 0 || undefined, 'the line of the next request')
  assert.deepEqual([executed(), answered().map(({ status }) => status)], [0, [404]])
})

test('what is not readable after requests that are being served is answered after them', async (t) => {
  const { server, log, release, answered, executed } = thingsServer()
  t.after(() => server.close())
  await listenAnywhere(server)
  const whole = `${post}Content-Length: 2\r\n\r\n{}`

  const client = await openClient(server, `${whole}${whole}HELLO\r\n\r\n`)
  await eventually(async () => executed() === 2 || undefined, 'the requests')
  client.socket.write('more of what is not readable\r\n\r\n')
  release()

  await client.ended
  client.socket.destroy()
  const statuses = [...client.received().matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
  assert.deepEqual(statuses, [201, 201, 400])
  await eventually(async () => answered().length === 2 || undefined, 'the lines')
  for (const { reqId, status, cut } of answered()) {
    assert.deepEqual([status, cut], [201, undefined])
    assert.equal(log.find(String(reqId))?.status, 201)
  }
  await untilConnections(server, 0)
})

test('requests that were answered at once get their responses too, in order, before what is not readable', async (t) => {
  const { server, release, answered } = thingsServer()
  t.after(() => server.close())
  server.get('/quick', (_request, reply) => void reply.send('quick'))
  server.get('/large', (_request, reply) => void reply.send(Buffer.alloc(8 * 1024 * 1024)))
  release()
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const whole = `${post}Content-Length: 2\r\n\r\n{}`
  const cases: [sent: string, statuses: number[]][] = [
    [get('/missing'), [404]],
    [get('/quick'), [200]],
    [`${get('/missing')}${whole}`, [404, 201]],
    [`${get('/quick')}${whole}${get('/large')}${get('/quick')}`, [200, 201, 200, 200]],
  ]
  await listenAnywhere(server)
  for (const [sent, statuses] of cases) {
    const client = await openClient(server, `${sent}HELLO\r\n\r\n`)
    await client.ended
    client.socket.destroy()
    const received = [...client.received().matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
    assert.deepEqual(received, [...statuses, 400], JSON.stringify(sent))
  }
  await untilConnections(server, 0)
  assert.ok(answered().every(({ cut }) => cut === undefined))
})

test('a request with Connection: close gets its response, whatever follows it', async (t) => {
  const { server, release, answered } = thingsServer()
  t.after(() => server.close())
  release()

  const response = await sendRaw(server, `${post}Connection: close\r\nContent-Length: 2\r\n\r\n{}more`)

  assert.match(response, /^HTTP\/1\.1 201 .*\{"Id":1\}$/s)
  assert.deepEqual(
    answered().map(({ status, cut }) => [status, cut]),
    [[201, undefined]],
  )
})
