import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { testServer } from '../../test/support/http-server.ts'
import { invalid, notFound, Problem, type ProblemCode, problemStatuses } from '../core/problem.ts'
import { wireProfiles } from '../core/wire-profile.ts'
import { toProblem } from './errors.ts'

function throwing(error: unknown, options: Parameters<typeof testServer>[0] = {}) {
  const { server, lines } = testServer(options)
  server.get('/x', async (_request, reply) => {
    reply.header('etag', '"x"')
    throw error
  })
  return { ask: () => server.inject('/x'), lines }
}

test('every problem has its status, its wire code, and no-store', async () => {
  const renamed: Partial<Record<ProblemCode, string>> = {
    MethodNotAllowed: 'RequestNotAllowed',
    RequestTooLarge: 'InvalidRequest',
    UriTooLong: 'InvalidRequest',
    HeadersTooLarge: 'InvalidRequest',
  }
  for (const [code, status] of Object.entries(problemStatuses) as [ProblemCode, number][]) {
    const answer = await throwing(new Problem(code, 'Why.')).ask()
    assert.equal(answer.statusCode, status)
    assert.deepEqual(answer.json(), { ErrorCode: renamed[code] ?? code, Message: 'Why.' })
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers.etag, undefined)
  }
})

test('ModelState is sent with validation only', async () => {
  assert.deepEqual((await throwing(invalid({ A: ['b'] })).ask()).json().ModelState, { A: ['b'] })
  assert.ok(!('ModelState' in (await throwing(notFound('It')).ask()).json()))
})

test('the headers of a problem are sent', async () => {
  const problem = new Problem('RateLimitExceeded', 'x', { headers: { 'retry-after': '7' } })
  assert.equal((await throwing(problem).ask()).headers['retry-after'], '7')
})

test('an outage is 503 with Retry-After and is logged', async () => {
  const { ask, lines } = throwing(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
  const answer = await ask()
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().ErrorCode, 'ServiceUnavailable')
  assert.equal(answer.headers['retry-after'], '1')
  assert.ok(lines.some(({ msg }) => msg === 'outage'))
})

test('an unexpected error is 500 with a fixed text; its stack is logged, its extra properties are not', async () => {
  const { ask, lines } = throwing(
    Object.assign(new Error('inner detail'), { statusCode: 400, detail: 'row of a client' }),
  )
  const answer = await ask()
  assert.equal(answer.statusCode, 500)
  assert.equal(answer.json().ErrorCode, 'InternalError')
  assert.doesNotMatch(answer.body, /inner detail/)
  const line = JSON.stringify(lines.find(({ msg }) => msg === 'unexpected error'))
  assert.match(line, /inner detail/)
  assert.match(line, /errors\.test\.ts/)
  assert.doesNotMatch(line, /row of a client/)
})

test('throwing something other than an Error is also a 500', () => {
  assert.equal(toProblem('text').code, 'InternalError')
  assert.equal(toProblem(undefined).code, 'InternalError')
})

test('401 has WWW-Authenticate, and no body in the vendor profile', async () => {
  const plain = await throwing(new Problem('Unauthorized', 'No token.')).ask()
  assert.equal(plain.headers['www-authenticate'], 'Bearer')
  assert.equal(plain.json().ErrorCode, 'Unauthorized')
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
  const vendor = await throwing(new Problem('Unauthorized', 'x', { headers }), { profile: wireProfiles.vendor }).ask()
  assert.equal(vendor.statusCode, 401)
  assert.equal(vendor.body, '')
  assert.equal(vendor.headers['www-authenticate'], 'Bearer error="invalid_token"')
  const other = await throwing(notFound('It'), { profile: wireProfiles.vendor }).ask()
  assert.equal(other.json().ErrorCode, 'NoResultFound')
})

test('a body that is not JSON is 400, another content type or none is 415', async () => {
  const { server } = testServer()
  server.post('/x', { schema: { body: Type.Object({}, { additionalProperties: false }) } }, async () => 'x')
  const send = (contentType: string | undefined, body: string) =>
    server.inject({ method: 'POST', url: '/x', body, headers: contentType ? { 'content-type': contentType } : {} })
  for (const body of ['{', 'abc', '{"__proto__": {}}']) {
    const answer = await send('application/json', body)
    assert.equal(answer.statusCode, 400, body)
    assert.equal(answer.json().ErrorCode, 'InvalidRequest', body)
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense', undefined]) {
    const answer = await send(type, '{}')
    assert.equal(answer.statusCode, 415, String(type))
    assert.equal(answer.json().ErrorCode, 'InvalidMediaTypeHeader')
  }
  assert.equal((await send('application/json; charset=utf-8', '{}')).statusCode, 200)
})

test('a response schema for errors removes nothing from an error body', async () => {
  const { server } = testServer()
  const Only = Type.Object({ only: Type.Optional(Type.String()) })
  server.get('/x', { schema: { response: { '4xx': Only } } }, async () => {
    throw notFound('It')
  })
  assert.equal((await server.inject('/x')).json().ErrorCode, 'NoResultFound')
})
