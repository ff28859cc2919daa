import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersIn, batchOf } from '../../../test/support/http/batch.ts'
import { batchServer, echo, post } from '../../../test/support/http/batch-server.ts'

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
  const forwarded = { host: 'desk.example:4700', 'x-forwarded-for': '192.0.2.7', via: '1.1 proxy' }
  const answer = await server.inject(post(batchOf(requests), { ...outer, ...forwarded }))
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
  const made = (headers = {}) => ({ 'x-request-id': '1', ...forwarded, ...headers })
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
  // A part that is rejected before any route costs as much as any other.
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

test('parts after 16 MB of responses are rejected, counted and do not run', async () => {
  const { server, asked } = batchServer()
  const large = Array.from({ length: 5 }, (_, index) => ({ url: `/base/a/large/${index + 1}` }))
  const answer = await server.inject(post(batchOf([...large, echo(), { url: '/base/b/x' }])))
  const answers = answersIn(answer.body, String(answer.headers['content-type']))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 413, 413, 413],
  )
  assert.deepEqual(
    asked,
    large.slice(0, 4).map(({ url }) => url),
  )
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('x-request-id')),
    [...'1234567'],
  )
  const last = answers.at(-1)
  assert.match(String(last?.body.Message), /^The responses of this batch have reached 16 MB/)
  assert.equal(last?.headers.get('x-ratelimit-session-remaining'), '113')
})
