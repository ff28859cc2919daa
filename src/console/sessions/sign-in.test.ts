import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeNext } from './sign-in.ts'

test('returns to a page of ours, with its query and fragment', () => {
  for (const page of ['/', '/#token', '/?lang=ts#calls', '/console', '/console/sessions', '/console/a/b?x=/c&y=%5C#d'])
    assert.equal(safeNext(page), page)
})

test('never returns to another host, outside the console or into a header', () => {
  for (const page of [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/console\\..\\evil',
    'https://evil.example',
    'javascript:alert(1)',
    '/console/a\r\nset-cookie: a=b',
    '/consoles',
    '/logout',
    '/console/\u0100',
    '/?a=\u20ac',
    '/console/a b',
    '/?a=\\b',
    '',
  ])
    assert.equal(safeNext(page), '/', page)
})

test('drops a query that is too long, and a path that is too long', () => {
  assert.equal(safeNext(`/console/events?keywords=${'x'.repeat(1000)}`), '/console/events')
  assert.equal(safeNext(`/console/${'x'.repeat(1000)}`), '/')
})
