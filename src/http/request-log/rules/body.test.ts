import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showBody, showForm, showHeader, showJson } from './body.ts'

const hex = '0123456789abcdef0123456789abcdef'

test('hides the secrets of JSON, member by member', () => {
  const sent = {
    AppKey: hex,
    Secrets: [{ Secret: 'abc', SecretId: '7', Note: `it is ${hex}` }],
    Name: 'a "b" \\',
    n: 1,
  }
  const shown = { AppKey: hex, Secrets: [{ Secret: '[redacted]', SecretId: '7', Note: 'it is [redacted]' }] }
  assert.deepEqual(JSON.parse(showJson(JSON.stringify(sent))), { ...sent, ...shown })
})

test('hides a text that has JSON with a secret inside, also if that is malformed', () => {
  for (const inside of [
    '{"kind":"user","Password":"abc def"}',
    '{"kind":"user,"Password" :"abc def"}',
    '{Password:"abc def"}',
  ])
    assert.equal(showJson(JSON.stringify({ Text: `{"kind":"scenario"}\n${inside}` })), '{"Text":"[redacted]"}')
  for (const Text of ['{"kind":"client","Name":"A"}', 'the password: none', 'say "password"'])
    assert.equal(showJson(JSON.stringify({ Text })), JSON.stringify({ Text }))
})

test('hides a value that was cut, and a name that looks like a token', () => {
  assert.equal(showJson('{"Name":"x","Secret":"abc'), '{"Name":"x","Secret":"…')
  assert.equal(showJson('{"Name":"x","Secret":"abc\\'), '{"Name":"x","Secret":"…')
  assert.equal(showJson(`{"${hex}":1}`), '{"[redacted]":1}')
})

test('shows only known fields of a form', () => {
  assert.equal(
    showForm(`grant_type=refresh_token&client_id=${hex}&refresh_token=abc&user=ada&a%20b=c&secret`),
    `grant_type=refresh_token&client_id=${hex}&refresh_token=[redacted]&user=[redacted]&[redacted]&[redacted]`,
  )
})

test('shows JSON and forms, and no other body', () => {
  assert.equal(showBody('application/json; charset=utf-8', '{"a":"b"}'), '{"a":"b"}')
  assert.equal(showBody('application/problem+json', '{}'), '{}')
  assert.equal(showBody('application/x-www-form-urlencoded', 'a=b'), 'a=[redacted]')
  assert.equal(showBody('text/html', '<p>'), undefined)
})

test('shows of credentials only that they were sent, and how', () => {
  assert.equal(showHeader('authorization', 'Bearer abc'), 'Bearer [redacted]')
  assert.equal(showHeader('authorization', 'abc'), '[redacted]')
  assert.equal(showHeader('cookie', 'a=b'), '[redacted]')
  assert.equal(showHeader('user-agent', `curl ${hex}`), 'curl [redacted]')
  assert.equal(showHeader('x-correlation', `${hex}#${hex}#1#a`), `${hex}#${hex}#1#a`)
  assert.equal(showHeader('etag', hex), hex)
})
