import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPage } from './sign-in.ts'

test('after the sign-in one comes to a page of ours, with its query and its place on it', () => {
  for (const page of ['/', '/#token', '/?lang=ts#calls', '/console', '/console/sessions', '/console/a/b?x=/c&y=%5C#d'])
    assert.equal(ownPage(page), page)
})

test('no address leads to another host, to another part of the service or to a header of its own', () => {
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
    assert.equal(ownPage(page), '/', page)
})

test('of an endless address the page is kept, and of an endless page nothing', () => {
  assert.equal(ownPage(`/console/events?keywords=${'x'.repeat(1000)}`), '/console/events')
  assert.equal(ownPage(`/console/${'x'.repeat(1000)}`), '/')
})
