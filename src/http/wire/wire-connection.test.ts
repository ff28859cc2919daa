import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { untilConnections, untilInFlight } from '../../../test/support/http/slow-client.ts'
import { common, connected, get, large, madeBytes, madeLetters, wireServer } from '../../../test/support/http/wire.ts'

test('a request that follows another one is read from the wire, and its response is the same', async (t) => {
  const { server, readBy } = await wireServer(t)
  const { send } = await connected(server)

  for (const lines of [[], ['If-None-Match: *'], ['X-Request-Id: connection'], ['Connection: keep-alive']]) {
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

test('a response is observed although a larger one follows it at once', async (t) => {
  const { server, readBy, sockets } = await wireServer(t)
  const { send, socket } = await connected(server)
  await send(get('/small'))
  const [served] = sockets as [Socket]

  socket.pause()
  served.emit('data', Buffer.from(get('/small')))
  served.emit('data', Buffer.from(get('/plain')))
  await untilInFlight(server, 1)
  socket.resume()

  await eventually(async () => readBy.length === 3 || undefined, 'three responses')
  assert.deepEqual(readBy, ['/small node', '/small wire', '/plain node'])
})

test('a response without a body has an end', async (t) => {
  const { server } = await wireServer(t)
  const { send } = await connected(server)
  await send(get('/small'))

  for (const _ of [1, 2]) assert.match(await send(get('/nothing'), 0), /\r\ncontent-length: 0\r\n/)
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
  // Nothing else closes it sooner than a test lasts.
  const { server, readBy } = await wireServer(t, { keepAliveMs: 3_600_000 })
  const { send, socket, received, ended } = await connected(server)
  await send(get('/small'))

  socket.pause()
  socket.write(get('/large'))
  await untilInFlight(server, 1)
  const closed = server.close()
  await eventually(async () => server.draining || undefined, 'the server to close')
  socket.resume()

  await eventually(async () => received().length > large.length || undefined, 'the response')
  // By the server, which keeps no connection open that is now idle.
  await ended
  socket.destroy()
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

test('bodies that arrive in pieces on many connections at once stay apart', async (t) => {
  const { server } = await wireServer(t)
  const connections = await Promise.all(Array.from({ length: 8 }, () => connected(server)))
  for (const { send } of connections) await send(get('/small'))
  const length = 3_000
  const bodyOf = (index: number) => JSON.stringify(String(index).repeat(length - 2))

  // The first pieces are still unread when those of the other connections arrive.
  const head = `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  for (const [index, { socket }] of connections.entries()) socket.write(head + bodyOf(index).slice(0, 500))
  for (let from = 500; from < length; from += 500)
    for (const [index, { socket }] of connections.entries())
      await new Promise((done) => socket.write(bodyOf(index).slice(from, from + 500), done))

  for (const [index, { next }] of connections.entries())
    assert.match(await next(length - 2), new RegExp(`\\r\\n\\r\\n${index}+$`))
})

test('what several connections send during their responses stays apart', async (t) => {
  const { server } = await wireServer(t)
  const connections = await Promise.all(madeLetters.map(() => connected(server)))
  for (const { send } of connections) await send(get('/small'))

  for (const { socket } of connections) socket.write(get('/large', 'Accept-Encoding: gzip'))
  await untilInFlight(server, connections.length)
  for (const [index, { socket }] of connections.entries()) socket.write(get(`/made/${madeLetters[index]}`))

  for (const [index, { received }] of connections.entries()) {
    const body = String(madeLetters[index]).repeat(madeBytes)
    await eventually(async () => received().endsWith(`\r\n\r\n${body}`) || undefined, 'the second response')
  }
})
