import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { listenAnywhere, openClient, untilConnections, untilInFlight } from '../../../test/support/http/slow-client.ts'
import { testCaller, testServer } from '../../../test/support/http-server.ts'
import { Problem } from '../../core/problem.ts'
import type { RestReply, RestRequest } from '../exchange.ts'
import type { ConnectionLimits } from '../limits/buckets.ts'
import { RateLimiter } from '../limits/rate-limiter.ts'
import { countRates, limitRates } from '../limits/rate-limits.ts'
import { addDirectOperation } from '../operation.ts'
import { addSteps } from '../pipeline.ts'
import { WireRequest } from './wire-request.ts'

const large = Buffer.alloc(32 * 1024 * 1024, 'x')
const text = Buffer.from(JSON.stringify('x'.repeat(5_000)))

/** Serves `/small`, `/text`, `/large` and `/wrong` directly, and everything else by the framework. */
async function wireServer(t: TestContext, limits: Partial<ConnectionLimits> = {}) {
  const { server, lines } = testServer({ limits })
  t.after(() => server.close())
  const count = countRates({ limiter: new RateLimiter({ now: () => 600_000_000 }), mode: 'on', basePath: '' })
  const limit = limitRates(count)
  const admitKnown = (request: RestRequest) => {
    request.caller = testCaller
    return true
  }
  server.post('/sent', async () => 'read')
  server.register(async (scope: typeof server) => {
    addSteps(scope, {
      admitKnown,
      count,
      admit(request, reply) {
        request.caller = testCaller
        return limit(request, reply)
      },
    })
    const serve = (path: string, handle: (request: RestRequest, reply: RestReply) => Buffer) =>
      addDirectOperation(
        scope,
        { method: 'GET', path, operationId: path, summary: '', description: '' },
        (request, reply) => {
          reply.header('content-type', 'application/json')
          return handle(request, reply)
        },
      )
    serve('/small', () => Buffer.from('{}'))
    serve('/text', () => text)
    serve('/large', () => large)
    serve('/wrong', () => {
      throw new Problem('NoResultFound', 'Nothing.')
    })
    serve('/unsafe', (_request, reply) => {
      reply.header('x-unsafe', 'a\r\nb')
      return Buffer.from('{}')
    })
  })
  /** How each request was read, in the order of the responses. */
  const readBy: string[] = []
  server.observeResponses(({ raw, url }) => readBy.push(`${url} ${raw instanceof WireRequest ? 'wire' : 'node'}`))
  const sockets: Socket[] = []
  server.server.on('connection', (socket: Socket) => sockets.push(socket))
  await listenAnywhere(server)
  return { server, lines, readBy, sockets }
}

const get = (path: string, ...lines: string[]) => [`GET ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n')
const pattern = /HTTP\/1\.1 \d{3} (?:[^\r]*\r\n)+?\r\n/g

/** A connection on which one response is waited for after the other. */
async function connected(server: Awaited<ReturnType<typeof wireServer>>['server']) {
  const client = await openClient(server, '')
  let seen = 0
  /** The next response, with its body. */
  const next = (length: number) =>
    eventually(async () => {
      const rest = client.received().slice(seen)
      const head = rest.match(pattern)?.[0]
      if (!head || rest.length < head.length + length) return undefined
      seen += head.length + length
      return rest.slice(0, head.length + length)
    }, 'the next response')
  const send = async (request: string, length = 2) => {
    client.socket.write(request)
    return next(length)
  }
  return { ...client, send, next }
}

/** Without what differs from response to response. */
const common = (response: string) => response.replace(/^(date|x-correlation|x-ratelimit-\w+-remaining): .*\r\n/gim, '')

test('a request that follows another one is read from the wire, and its response is the same', async (t) => {
  const { server, readBy } = await wireServer(t)
  const { send } = await connected(server)

  for (const lines of [[], ['If-None-Match: *'], ['X-Request-Id: mine'], ['Connection: keep-alive']]) {
    const other = await connected(server)
    const expected = await other.send(get('/small', ...lines))
    for (let time = 0; time < 2; time++)
      assert.equal(common(await other.send(get('/small', ...lines))), common(expected))
    other.socket.destroy()
  }
  assert.deepEqual(readBy.slice(0, 3), ['/small node', '/small wire', '/small wire'])
  assert.match(
    await send(get('/small')),
    /^HTTP\/1\.1 200 OK\r\n(?:[a-z].*\r\n)+Date: .* GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=72\r\n\r\n\{\}$/,
  )
})

test('what the framework must serve is read by node:http, counts once, and the next request is ours again', async (t) => {
  const { server, readBy } = await wireServer(t)
  const { send } = await connected(server)
  const remaining: unknown[] = []

  for (const path of ['/small', '/small', '/wrong', '/missing', '/small']) {
    const response = await send(get(path), 0)
    remaining.push(/x-ratelimit-appday-remaining: (\d+)/i.exec(response)?.[1])
    await eventually(async () => readBy.length === remaining.length || undefined, 'the observer')
  }

  assert.deepEqual(readBy, ['/small node', '/small wire', '/wrong node', '/missing node', '/small wire'])
  assert.deepEqual(remaining, ['9999999', '9999998', '9999997', undefined, '9999996'])
})

test('after a form the next request is read from the wire, but not after a part of a request', async (t) => {
  const { server, readBy } = await wireServer(t)
  const { send, socket } = await connected(server)
  const body = '"a"'
  const post = `POST /sent HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`

  await send(post + body, 4)
  await send(get('/small'))
  socket.write('GET /sm')
  await eventually(async () => (readBy.length === 2 ? true : undefined))
  await send(get('/small').slice(7))
  await send(get('/small'))

  await eventually(async () => readBy.length === 4 || undefined, 'four responses')
  assert.deepEqual(readBy, ['/sent node', '/small wire', '/small node', '/small node'])
})

test('requests that do not wait for responses are answered in order', async (t) => {
  const { server, readBy, sockets } = await wireServer(t)
  const { send, next } = await connected(server)
  await send(get('/small'))
  const [socket] = sockets as [Socket]

  // The first is compressed, which takes a while; the second arrives meanwhile, and so does a part of the third.
  socket.emit('data', Buffer.from(get('/text', 'Accept-Encoding: gzip')))
  socket.emit('data', Buffer.from(get('/small')))
  socket.emit('data', Buffer.from(get('/missing').slice(0, 9)))
  socket.emit('data', Buffer.from(get('/missing').slice(9)))

  const first = await next(0)
  assert.match(first, /content-encoding: gzip/i)
  await next(Number(/content-length: (\d+)/i.exec(first)?.[1]) + 2)
  await eventually(async () => readBy.length === 4 || undefined, 'four responses')
  assert.deepEqual(
    readBy.map((line) => line.split(' ')[0]),
    ['/small', '/text', '/small', '/missing'],
  )
})

test('a response that is not read does not keep its slot', async (t) => {
  const { server, readBy } = await wireServer(t, { stallMs: 300 })
  const { send, socket } = await connected(server)
  await send(get('/small'))

  socket.pause()
  socket.write(get('/large'))
  await untilInFlight(server, 1)

  await untilInFlight(server, 0)
  await untilConnections(server, 0)
  assert.deepEqual(readBy, ['/small node'])
})

test('a response that is read slowly arrives whole, also while the server closes', async (t) => {
  const { server, readBy } = await wireServer(t)
  const { send, socket, received, ended } = await connected(server)
  await send(get('/small'))

  socket.pause()
  socket.write(get('/large'))
  await untilInFlight(server, 1)
  const closed = server.close()
  await eventually(async () => server.draining || undefined, 'the server to close')
  socket.resume()

  await eventually(async () => received().length > large.length || undefined, 'the response')
  socket.end()
  await ended
  await closed
  assert.deepEqual(readBy, ['/small node', '/large wire'])
})

test('a connection waits for its next request no longer than one of node:http', async (t) => {
  const { server } = await wireServer(t, { keepAliveMs: 50, stallMs: 3_600_000 })
  const { send } = await connected(server)
  await send(get('/small'))
  await send(get('/small'))

  await untilConnections(server, 0)
})

test('an invalid header is an error, as with node:http', async (t) => {
  const { server } = await wireServer(t)
  const { send } = await connected(server)
  await send(get('/small'))

  assert.match(await send(get('/unsafe')), /^HTTP\/1\.1 500 /)
})

test('a caller who leaves with a request open harms nothing', async (t) => {
  const { server, sockets, readBy } = await wireServer(t)
  const { send, socket } = await connected(server)
  await send(get('/small'))
  const [served] = sockets as [Socket]

  served.emit('data', Buffer.from(get('/text', 'Accept-Encoding: gzip')))
  served.destroy()
  await once(served, 'close')
  socket.destroy()

  const other = await connected(server)
  for (const _ of [1, 2]) assert.match(await other.send(get('/small')), /^HTTP\/1\.1 200 /)
  await eventually(async () => readBy.length >= 3 || undefined, 'the responses')
  assert.equal(server.requestsInFlight, 0)
})

test('a caller who closes its side is served no more', async (t) => {
  const { server } = await wireServer(t)
  const { send, socket, ended } = await connected(server)
  await send(get('/small'))

  socket.end(get('/small'))

  await ended
  await untilConnections(server, 0)
})
