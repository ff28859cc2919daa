import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showBody, showForm, showHeader, showJson } from './body.ts'

const hex = '0123456789abcdef0123456789abcdef'
const parameters = new Set(['keywords', '$skip', 'request'])

test('hides the secrets of JSON, member by member', () => {
  const sent = {
    AppKey: hex,
    Secrets: [{ Secret: 'abc', SecretId: '7', Note: `it is ${hex}` }],
    Name: 'a "b" \\',
    n: 1,
  }
  const shown = { AppKey: hex, Secrets: [{ Secret: '[redacted]', SecretId: '7', Note: 'it is [redacted]' }] }
  assert.deepEqual(JSON.parse(showJson(JSON.stringify(sent), parameters)), { ...sent, ...shown })
})

test('hides a text that has JSON with a secret inside, also if that is malformed', () => {
  for (const inside of [
    '{"kind":"user","Password":"abc def"}',
    '{"kind":"user,"Password" :"abc def"}',
    '{Password:"abc def"}',
  ])
    assert.equal(
      showJson(JSON.stringify({ Text: `{"kind":"scenario"}\n${inside}` }), parameters),
      '{"Text":"[redacted]"}',
    )
  for (const Text of ['{"kind":"client","Name":"A"}', 'the password: none', 'say "password"'])
    assert.equal(showJson(JSON.stringify({ Text }), parameters), JSON.stringify({ Text }))
})

test('judges names and texts by what their escapes stand for', () => {
  assert.equal(showJson('{"Pass\\u0077ord":"abc"}', parameters), '{"Pass\\u0077ord":"[redacted]"}')
  for (const text of [
    '{\\u0022Password\\u0022:\\u0022abc def\\u0022}',
    '{\\"Pass\\\\u0077ord\\":\\"abc\\"}',
    '\n\\u0022Password\\u0022:1',
  ])
    assert.equal(showJson(`{"Text":"${text}"}`, parameters), '{"Text":"[redacted]"}', text)
  const token = `${'ab'.repeat(12)}\\u002B${'cd'.repeat(12)}`
  assert.equal(showJson(`{"Name":"${token}"}`, parameters), '{"Name":"[redacted]"}')
})

test('looks at each character of a hostile text only a few times', () => {
  // With a pattern that looks again and again at the same characters, a text this long would take minutes.
  for (const text of ['?', '\\\\', '\\\\u', 'password', '?a', '"', 'eyJ', '%3F'].map((part) =>
    part.repeat(1_000_000 / part.length),
  ))
    assert.ok(showJson(`{"Text":${JSON.stringify(text)}}`, parameters).startsWith('{"Text":'))
})

test('shows of addresses in values and headers only documented parameters', () => {
  const next = 'http://localhost/ref/v1/instruments?Keywords=a&password=abc&x=def&$skip=5'
  const shown = 'http://localhost/ref/v1/instruments?Keywords=a&[redacted]=[redacted]&[redacted]=[redacted]&$skip=5'
  assert.deepEqual(JSON.parse(showJson(JSON.stringify({ __next: next, Message: 'Why? No.' }), parameters)), {
    __next: shown,
    Message: 'Why? No.',
  })
  assert.equal(showHeader('link', `<${next}>; rel="next"`, parameters), `<${shown}>; rel="next"`)
  const form = `redirect_uri=${encodeURIComponent('http://localhost/cb?password=abc')}`
  assert.equal(showForm(form, parameters), `redirect_uri=${encodeURIComponent('http://localhost/cb')}`)
})

test('hides a value that was cut, and a name that looks like a token', () => {
  assert.equal(showJson('{"Name":"x","Secret":"abc', parameters), '{"Name":"x","Secret":"…')
  assert.equal(showJson('{"Name":"x","Secret":"abc\\', parameters), '{"Name":"x","Secret":"…')
  assert.equal(showJson(`{"${hex}":1}`, parameters), '{"[redacted]":1}')
})

test('shows only known fields of a form', () => {
  assert.equal(
    showForm(`grant_type=refresh_token&client_id=${hex}&refresh_token=abc&user=ada&a%20b=c&secret`, parameters),
    `grant_type=refresh_token&client_id=${hex}&refresh_token=[redacted]&user=[redacted]&[redacted]&[redacted]`,
  )
})

test('shows JSON and forms, and no other body', () => {
  assert.equal(showBody('application/json; charset=utf-8', '{"a":"b"}', parameters), '{"a":"b"}')
  assert.equal(showBody('application/problem+json', '{}', parameters), '{}')
  assert.equal(showBody('application/x-www-form-urlencoded', 'a=b', parameters), 'a=[redacted]')
  assert.equal(showBody('text/html', '<p>', parameters), undefined)
})

test('shows of credentials only that they were sent, and how', () => {
  assert.equal(showHeader('authorization', 'Bearer abc', parameters), 'Bearer [redacted]')
  assert.equal(showHeader('authorization', 'abc', parameters), '[redacted]')
  assert.equal(showHeader('cookie', 'a=b', parameters), '[redacted]')
  assert.equal(showHeader('user-agent', `curl ${hex}`, parameters), 'curl [redacted]')
  assert.equal(showHeader('x-correlation', `${hex}#${hex}#1#a`, parameters), `${hex}#${hex}#1#a`)
  assert.equal(showHeader('etag', hex, parameters), hex)
})
