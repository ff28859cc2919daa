import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SentBody, showBody, showForm, showHeader, showJson } from './body.ts'
import type { Shown } from './values.ts'

const hex = '0123456789abcdef0123456789abcdef'
const r = '[redacted]'
const members = [
  'AppKey',
  'Secrets',
  'Secret',
  'SecretId',
  'Note',
  'Name',
  'Text',
  'Count',
  '__next',
  'Message',
  'grant_type',
]
const shown: Shown = { parameters: new Set(['keywords', '$skip', 'request']), members: new Set(members), app: hex }
const show = (text: string) => showJson(text, shown)
const text = (inside: string) => JSON.stringify({ Text: inside })

test('shows the values of known names, and hides secrets and unknown names with everything below them', () => {
  const sent = {
    AppKey: hex,
    Secrets: [{ Secret: 'abc', SecretId: '7', Note: `it is ${hex}` }],
    Secret: { Name: ['a', { Count: 1 }] },
    Unknown: { Name: 'a' },
    Name: 'a "b" \\',
    Count: 1,
  }
  assert.deepEqual(JSON.parse(show(JSON.stringify(sent)) ?? ''), {
    AppKey: hex,
    Secrets: [{ Secret: r, SecretId: '7', Note: `it is ${r}` }],
    Secret: r,
    [r]: r,
    Name: 'a "b" \\',
    Count: 1,
  })
})

test('hides a value without a name, whatever it is', () => {
  for (const value of ['"abc"', '1', 'true', 'null']) assert.equal(show(value), `"${r}"`)
  assert.equal(show('["abc",[1,{"Name":"a"}]]'), `["${r}",["${r}",{"Name":"a"}]]`)
})

test('masks JSON in a text like any other, and hides a text with malformed JSON or a secret by its name', () => {
  assert.equal(show(text('{"Name":"a","Secret":"abc"}')), text(`{"Name":"a","Secret":"${r}"}`))
  assert.equal(show(text(' [{"Name":"a","Password":1}]')), text(`[{"Name":"a","${r}":"${r}"}]`))
  for (const inside of [
    '{"kind":"scenario"}\n{"kind":"user","Password":"abc def"}',
    '{"kind":"user,"Password" :"abc def"}',
    '{Password:"abc def"}',
    '\n\\u0022Password\\u0022:1',
    '{\\"Pass\\u0077ord\\":\\"abc\\"}',
    'my password=abc',
    'Refresh_token = abc',
  ])
    assert.equal(show(text(inside)), text(r), inside)
  for (const plain of ['the password: none', 'say "password"', '[a] list']) assert.equal(show(text(plain)), text(plain))
})

test('judges names and texts by what their escapes stand for', () => {
  assert.equal(show('{"S\\u0065cret":"abc"}'), `{"Secret":"${r}"}`)
  const token = `${'ab'.repeat(12)}\\u002B${'cd'.repeat(12)}`
  assert.equal(show(`{"Name":"${token}"}`), `{"Name":"${r}"}`)
})

test('looks at each character of a hostile text only a few times', () => {
  // With a pattern that looks again and again at the same characters, a text this long would take minutes.
  for (const text of ['?', '\\\\', '\\\\u', 'password', '?a', '"', 'eyJ', '%3F', '[', '{"', 'token '].map((part) =>
    part.repeat(1_000_000 / part.length),
  )) {
    assert.ok(show(`{"Text":${JSON.stringify(text)}}`)?.startsWith('{"Text":'))
    showJson(text.slice(0, 16_384), shown, true)
  }
})

test('shows of addresses in values and headers only documented parameters', () => {
  const next = 'http://localhost/ref/v1/instruments?Keywords=a&password=abc&x=def&$skip=5'
  const safe = 'http://localhost/ref/v1/instruments?Keywords=a&[redacted]=[redacted]&[redacted]=[redacted]&$skip=5'
  assert.equal(
    show(JSON.stringify({ __next: next, Message: 'Why? No.' })),
    JSON.stringify({ __next: safe, Message: 'Why? No.' }),
  )
  assert.equal(showHeader('last-event-id', `<${next}>; rel="next"`, shown), `<${safe}>; rel="next"`)
  const form = `redirect_uri=${encodeURIComponent('http://localhost/cb?password=abc')}`
  assert.equal(showForm(form, shown), `redirect_uri=${encodeURIComponent('http://localhost/cb')}`)
})

test('shows of JSON that was cut its whole members and elements', () => {
  for (const [sent, kept] of [
    ['{"Name":"x","Secret":"abc', '{"Name":"x"}…'],
    ['{"Name":"x","Count":12', '{"Name":"x"}…'],
    ['{"Secrets":[{"Name":"x"},{"Name":"y","Note":"a,b\\"', '{"Secrets":[{"Name":"x"},{"Name":"y"}]}…'],
    ['{"Name":"x","Unknown":{"Name":"y","a":[1', `{"Name":"x","${r}":"${r}"}…`],
    ['{"Name', '{}…'],
  ])
    assert.equal(showJson(sent ?? '', shown, true), kept)
  for (const malformed of ['Name', '{Name:1,"Count":', '', "{'Name':1,"])
    assert.equal(showJson(malformed, shown, true), undefined)
})

test('shows only known fields of a form, and only their harmless values', () => {
  assert.equal(
    showForm(`grant_type=refresh_token&client_id=${hex}&refresh_token=abc&user=ada&a%20b=c&secret`, shown),
    `grant_type=refresh_token&client_id=${hex}&refresh_token=${r}&user=${r}&${r}&${r}`,
  )
  const wrong =
    'grant_type=abc&client_id=abc&token_type_hint=abc&redirect_uri=abc&resource=https://a:b@c.example&lang=abc'
  assert.equal(showForm(wrong, shown), wrong.replaceAll(/=[^&]*/g, `=${r}`))
  assert.equal(showForm('grant_type=refresh_token&client_id=01', shown, true), 'grant_type=refresh_token…')
})

test('shows JSON and forms, and of any other body its length and media type', () => {
  const bodyOf = (contentType: string, sent: string): SentBody => ({ contentType, text: sent, isCut: false, bytes: 7 })
  for (const [contentType, sent, kept] of [
    ['application/json; charset=utf-8', '{"Name":"b"}', '{"Name":"b"}'],
    ['application/problem+json', '{}', '{}'],
    ['application/x-www-form-urlencoded', 'a=b', r],
    ['application/json', '{a:1}', `${r} 7 bytes of application/json`],
    ['text/html', '<p>', `${r} 7 bytes of text/html`],
    ['text/abc', '<p>', `${r} 7 bytes of another type`],
    ['', '{}', `${r} 7 bytes of another type`],
  ])
    assert.equal(showBody(bodyOf(contentType ?? '', sent ?? ''), shown), kept)
})

test('shows of credentials only that they were sent, and how', () => {
  assert.equal(showHeader('authorization', 'Bearer abc', shown), `Bearer ${r}`)
  assert.equal(showHeader('authorization', 'abc def', shown), r)
  assert.equal(showHeader('cookie', 'a=b', shown), r)
  assert.equal(showHeader('user-agent', `curl ${hex}`, shown), `curl ${r}`)
  assert.equal(showHeader('content-type', 'application/json; charset=utf-8', shown), 'application/json; charset=utf-8')
  assert.equal(showHeader('content-type', 'multipart/mixed; boundary=abc', shown), `multipart/mixed; ${r}`)
  assert.equal(showHeader('content-type', 'text/abc', shown), r)
})
