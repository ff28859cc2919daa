import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { answersIn, batchOf, type Request } from '../../../test/support/batch.ts'
import { testCaller, testServer } from '../../../test/support/http-server.ts'
import { callInProcess } from '../in-process.ts'
import { rateLimitBuckets } from '../limits/buckets.ts'
import { RateLimiter } from '../limits/rate-limiter.ts'
import { countRates, limitRates } from '../limits/rate-limits.ts'
import type { ServerOptions } from '../server.ts'
import { batchRoutes } from './routes.ts'

const publicUrl = 'https://refdesk.example'

/** Two groups: `a`, where what is asked for can be held back, and `b`. */
function batchServer(options: Partial<ServerOptions> = {}, sessionLimit = 120) {
  const { server, lines } = testServer(options)
  const asked: string[] = []
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  server.addHook('onRequest', async (request) => {
    request.caller = testCaller
  })
  const limits = { ...rateLimitBuckets, Session: { limit: sessionLimit, windowSeconds: 60 } }
  const limiter = new RateLimiter({ now: () => 600_000_000 })
  const count = countRates({ limiter, mode: 'on', basePath: '/base', limits })
  server.addHook('onRequest', limitRates(count))
  server.all('/base/a/echo/:Name', async (request) => {
    const { ip, method, url, body, headers } = request
    return { ip, method, url, body, headers }
  })
  server.get('/base/a/held/:Name', async (request) => {
    asked.push(request.url)
    begun.resolve()
    await held.promise
    return {}
  })
  server.get('/base/a/cut', async (request, reply) => {
    reply.hijack()
    request.raw.destroy()
  })
  const parts = { publicUrl, basePath: '/base', nodeName: 'n1', call: callInProcess(server), count }
  server.register(async (api: typeof server) => batchRoutes(api, ['a', 'b'], parts), { prefix: '/base' })
  return { server, lines, asked, begun: begun.promise, release: held.resolve }
}

const post = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  url: '/base/a/batch',
  headers: { 'content-type': 'multipart/mixed; boundary="+"', ...headers },
  body,
})

const echo = (more: Omit<Request, 'url'> = {}): Request => ({ url: '/base/a/echo/x', ...more })

test('each part is a request from the same source, with its own headers', async () => {
  const { server, lines } = batchServer({ trustProxy: ['127.0.0.1'] })
  const own = {
    authorization: 'Bearer own',
    'accept-language': 'da',
    'x-forwarded-for': '9.9.9.9',
    'user-agent': 'part',
  }
  const requests = [
    echo(),
    echo({ method: 'POST', headers: own, body: { a: 'ü' } }),
    echo({ method: 'POST', headers: { 'X-HTTP-Method-Override': 'PATCH', 'Accept-Encoding': 'br' } }),
  ]
  const outer = { authorization: 'Bearer outer', 'user-agent': 'outer', 'accept-language': 'fr', 'x-request-id': '77' }
  const answer = await server.inject(post(batchOf(requests), { ...outer, 'x-forwarded-for': '192.0.2.7' }))
  assert.equal(answer.headers['x-request-id'], '77')
  const answers = answersIn(answer.body, String(answer.headers['content-type']))
  assert.deepEqual(
    answers.map(({ status, fields }) => [status, fields.find((line) => line.startsWith('X-Request-Id: '))]),
    [1, 2, 3].map((id) => [200, `X-Request-Id: ${id}`]),
  )
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('x-correlation')),
    [1, 2, 3].map((id) => `session1#app1#${id}#n1`),
  )
  const [first, second, third] = answers.map(({ body }) => body as Record<string, Record<string, string>>)
  const forwarded = { 'x-forwarded-for': '192.0.2.7' }
  const made = (headers = {}) => ({ 'x-request-id': '1', host: 'localhost:80', ...forwarded, ...headers })
  assert.deepEqual(first?.headers, made({ authorization: 'Bearer outer', 'user-agent': 'outer' }))
  assert.deepEqual([first?.ip, second?.ip, third?.ip], ['192.0.2.7', '192.0.2.7', '192.0.2.7'])
  const { 'content-type': _, 'content-length': __, ...sent } = second?.headers ?? {}
  assert.deepEqual(sent, { ...made(own), ...forwarded, 'x-request-id': '2' })
  assert.deepEqual([second?.method, second?.body], ['POST', { a: 'ü' }])
  assert.deepEqual([third?.method, third?.headers?.['accept-encoding']], ['PATCH', undefined])
  const logged = lines.filter(({ msg }) => msg === 'answered').map(({ reqId, address }) => [reqId, address])
  assert.deepEqual(
    logged,
    ['1', '2', '3', '77'].map((id) => [id, '192.0.2.7']),
  )
})

test('an invalid part gets its own error, and the others are answered', async () => {
  const { server, lines } = batchServer()
  const batch = (name = 'batch') => ({ method: 'POST', url: `/base/a/${name}` })
  const targets = ['/base/b/x', 'https://evil.example/base/a/x', '/base/a/../../token', 'relative']
  const requests = [
    echo(),
    ...targets.map((url) => ({ url })),
    batch(),
    batch('%62atch/'),
    { method: 'LINK', url: '/base/a/x' },
  ]
  const answer = await server.inject(
    post(batchOf([...requests, echo()]).replace('X-Request-Id:2', 'X-Request-Id:2\r\nbad')),
  )
  const answers = answersIn(answer.body, String(answer.headers['content-type']))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 400, 400, 400, 400, 400, 400, 200],
  )
  assert.equal(answer.headers['cache-control'], 'no-store')
  for (const { body, headers } of answers.slice(1, -1)) {
    assert.equal(body.ErrorCode, 'InvalidRequest')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(String(body.Message), /\S+ .{10}/)
    assert.match(headers.get('x-correlation') ?? '', /^session1#app1#\d#n1$/)
  }
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('x-request-id')),
    [...'123456789'],
  )
  const ids = lines.filter(({ msg }) => msg === 'part rejected' || msg === 'answered').map(({ reqId }) => reqId)
  assert.deepEqual(ids.slice(0, -1), [...'123456789'])
  // What is refused before any route costs as much as what is not.
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('x-ratelimit-session-remaining')),
    [119, 118, 117, 116, 115, 114, 113, 112, 111].map(String),
  )
})

test('counts rejected parts and rejected batches as calls of the group', async () => {
  const { server, lines } = batchServer({}, 4)
  const other = { url: '/base/b/x' }
  const unread = await server.inject(post('', { 'content-type': 'application/json' }))
  const tooLarge = await server.inject(post('x'.repeat(1024 * 1024 + 1)))
  assert.deepEqual([unread.statusCode, tooLarge.statusCode], [415, 413])
  assert.equal(tooLarge.headers['x-ratelimit-session-remaining'], '2')
  const answer = await server.inject(post(batchOf([other, other, other, echo()])))
  const answers = answersIn(answer.body, String(answer.headers['content-type']))
  const results = answers.map(({ status, headers }) => [status, headers.get('x-ratelimit-session-remaining')])
  assert.deepEqual(results, [...[1, 0].map((left) => [400, String(left)]), [429, '0'], [429, '0']])
  assert.equal(answers[2]?.body.ErrorCode, 'RateLimitExceeded')
  assert.equal(answers[2]?.headers.get('retry-after'), '60')
  const levels = lines.filter(({ msg }) => msg === 'part rejected').map(({ level }) => level)
  assert.deepEqual(levels, [30, 30, 20])
  const full = await server.inject(post(''))
  assert.deepEqual([full.statusCode, full.headers['retry-after']], [429, '60'])
})

test('rejects a batch that cannot be parsed', async () => {
  const { server, asked } = batchServer()
  const held = { url: '/base/a/held/1' }
  const cases: [number, ReturnType<typeof post>][] = [
    [415, post('{}', { 'content-type': 'application/json' })],
    [415, post(batchOf([held]), { 'content-type': 'multipart/form-data; boundary="+"' })],
    [400, post(batchOf([held]), { 'content-type': 'multipart/mixed' })],
    [400, post(batchOf([held], 'other'))],
    [400, post(batchOf([]))],
    [400, post('')],
    [400, post(batchOf([held]).replace('--+--', ''))],
    [413, post(batchOf(Array.from({ length: 101 }, () => held)))],
    [413, post(batchOf([{ ...held, body: 'x'.repeat(1024 * 1024) }]))],
  ]
  for (const [status, request] of cases) {
    const answer = await server.inject(request)
    assert.equal(answer.statusCode, status, answer.body)
    assert.match(answer.json().Message, /\S+ .{10}/)
  }
  assert.equal((await server.inject({ method: 'POST', url: '/base/a/batch' })).statusCode, 415)
  assert.equal((await server.inject({ url: '/base/a/batch' })).statusCode, 405)
  assert.deepEqual(asked, [])
})

test('a part may be as large as a request, a batch larger', async () => {
  const { server } = batchServer()
  const bodies = [60_000, 60_000, 70_000, 10].map((length) => ({ a: 'x'.repeat(length) }))
  const answer = await server.inject(post(batchOf(bodies.map((body) => echo({ method: 'PUT', body })))))
  const answers = answersIn(answer.body, String(answer.headers['content-type']))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 413, 200],
  )
})

function rawPost(body: string, encoding = 'identity'): string {
  const head = ['POST /base/a/batch HTTP/1.1', 'Host: x', `Accept-Encoding: ${encoding}`]
  const type = 'Content-Type: multipart/mixed; boundary="+"'
  return [...head, type, `Content-Length: ${body.length}`, '', body].join('\r\n')
}

async function open(server: ReturnType<typeof batchServer>['server'], text: string) {
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  return socket
}

const twoHeld = batchOf([{ url: '/base/a/held/1' }, { url: '/base/a/held/2' }])

for (const encoding of ['identity', 'gzip'])
  test(`a disconnect prevents the parts that have not started (${encoding})`, async () => {
    const { server, asked, begun, release } = batchServer()
    const socket = await open(server, rawPost(twoHeld, encoding))
    await begun
    socket.destroy()
    while (server.requestsInFlight > 1) await sleep(5)
    release()
    await sleep(50)
    assert.deepEqual(asked, ['/base/a/held/1'])
    await server.close()
  })

test('starts no part for a caller who has disconnected', async () => {
  const { server, asked } = batchServer()
  const connected = once(server.server, 'connection')
  server.get('/base/a/leave', async () => {
    const [outer] = await connected
    // Before the turn of the next part, which is asked for after this one.
    setImmediate(() => outer.destroy())
    return {}
  })
  const socket = await open(server, rawPost(batchOf([{ url: '/base/a/leave' }, { url: '/base/a/held/1' }])))
  await once(socket.resume(), 'close')
  await sleep(50)
  assert.deepEqual(asked, [])
  await server.close()
})

test('other requests are served while a batch is answered from memory', async () => {
  const { server } = batchServer()
  const order: string[] = []
  server.get('/base/a/other', async () => void order.push('other'))
  // The first part makes the other one call, on a connection that is there already.
  server.get('/base/a/memory', async () => {
    if (order.push('part') === 1) other.write('GET /base/a/other HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    return {}
  })
  const other = await open(server, '')
  const { port } = server.server.address() as { port: number }
  const parts = batchOf(Array.from({ length: 100 }, () => ({ url: '/base/a/memory' })))
  const caller = connect(port, '127.0.0.1', () =>
    caller.write(rawPost(parts).replace('Host: x', '$&\r\nConnection: close')),
  )
  await Promise.all([caller, other].map((socket) => socket.resume() && once(socket, 'close')))
  assert.equal(order.filter((one) => one === 'part').length, 100)
  assert.equal(order.at(-1), 'part', `heard after ${order.indexOf('other')} parts`)
  await server.close()
})

test('a batch in progress is completed when the service closes or is full', async () => {
  const { server, begun, release } = batchServer({ maxInFlight: 1 })
  const socket = await open(server, rawPost(twoHeld))
  await begun
  const closed = server.close()
  release()
  let answer = ''
  for await (const chunk of socket) answer += chunk
  assert.equal(answer.match(/HTTP\/1\.1 200 OK\r\n/g)?.length, 3, answer)
  await closed
})

test('a dropped part drops the connection of the batch', async () => {
  const { server } = batchServer()
  const socket = await open(server, rawPost(batchOf([{ url: '/base/a/cut' }, echo()])))
  let answer = ''
  const ended = await new Promise<string>((resolve) => {
    socket
      .on('data', (chunk) => (answer += chunk))
      .on('error', () => resolve('cut'))
      .on('close', () => resolve('closed'))
  })
  assert.ok(ended === 'cut' || ended === 'closed')
  assert.equal(answer, '')
  await server.close()
})
