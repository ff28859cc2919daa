import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf } from './address.ts'
import { bodyOf, errorOf, retryAfterSeconds } from './errors.ts'

const answer = (status: number, text: string, headers: Record<string, string> = {}) => ({
  status,
  text,
  headers: new Headers(headers),
})

test('a response without an error body of the API still becomes an error', () => {
  const empty = errorOf(answer(401, '', { 'x-correlation': 's#a#1#n' }))
  assert.deepEqual([empty.status, empty.code, empty.correlation], [401, 'Unauthorized', 's#a#1#n'])
  assert.match(empty.message, /Sign in again/)
  for (const text of ['<h1>Bad gateway</h1>', '', 'null', '"gone"', '{}', '{"error":{"code":7}}']) {
    const { status, code, message } = errorOf(answer(502, text))
    assert.deepEqual([status, code], [502, 'InvalidAnswer'], text)
    assert.match(message, /is the address right/)
  }
  const oauth = errorOf(answer(400, '{"error":"invalid_grant","error_description":"Start a new sign-in."}'))
  assert.deepEqual([oauth.code, oauth.message], ['invalid_grant', 'Start a new sign-in.'])
  for (const text of ['{"error":"temporarily_unavailable"}', '{"ErrorCode":"temporarily_unavailable"}']) {
    const { code, message } = errorOf(answer(503, text))
    assert.deepEqual([code, message], ['temporarily_unavailable', 'The service returned temporarily_unavailable.'])
  }
})

test('Retry-After is seconds or a date; anything else is ignored', () => {
  const seconds = (value: string) => retryAfterSeconds(new Headers({ 'retry-after': value }))
  assert.equal(seconds('7'), 7)
  assert.equal(seconds('soon'), undefined)
  assert.equal(seconds('Wed, 21 Oct 2015 07:28:00 GMT'), 0)
  const inAMinute = seconds(new Date(Date.now() + 60_000).toUTCString())
  assert.ok(inAMinute !== undefined && inAMinute > 0 && inAMinute <= 60)
  assert.equal(retryAfterSeconds(new Headers()), undefined)
})

test('a body is JSON, text or nothing', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' }
  assert.deepEqual(bodyOf(answer(200, '{"a":1}', json)), { a: 1 })
  assert.equal(bodyOf(answer(200, 'alive', { 'content-type': 'text/plain' }), 'text/plain'), 'alive')
  for (const status of [200, 202, 204]) assert.equal(bodyOf(answer(status, '')), undefined)
  assert.throws(() => bodyOf(answer(200, '{"a":', json)), { name: 'RefdeskError', code: 'InvalidAnswer' })
})

test('a URL has escaped values and comma separated lists, and omits undefined values', () => {
  const query = { Uics: [1, 2], Keywords: 'a&b c', IncludeNonTradable: false, ClientKey: undefined }
  const address = new URL(addressOf('http://localhost/base', '/x/{Key}/{Id}', { Key: 'a/b|=?', Id: 0 }, query))
  assert.equal(address.pathname, '/base/x/a%2Fb%7C%3D%3F/0')
  assert.deepEqual(Object.fromEntries(address.searchParams), {
    Uics: '1,2',
    Keywords: 'a&b c',
    IncludeNonTradable: 'false',
  })
  assert.equal(addressOf('http://localhost/base', '/x'), 'http://localhost/base/x')
  assert.throws(() => addressOf('http://localhost', '/x/{Key}'), /needs a value for Key/)
  for (const Key of ['.', '..', ['..']])
    assert.throws(() => addressOf('http://localhost', '/x/{Key}', { Key }), {
      name: 'TypeError',
      message: /^Key cannot be/,
    })
  assert.equal(addressOf('http://localhost', '/x/{Key}', { Key: '...' }), 'http://localhost/x/...')
})
