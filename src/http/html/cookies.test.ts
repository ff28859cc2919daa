import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookieName, cookieValue, setCookie } from './cookies.ts'

test('one cookie is found among others, by its whole name', () => {
  assert.equal(cookieValue('a=1; refdesk_signin=abc; b=2', 'refdesk_signin'), 'abc')
  assert.equal(cookieValue('xrefdesk_signin=abc', 'refdesk_signin'), undefined)
  assert.equal(cookieValue('refdesk_signin=one; refdesk_signin=two', 'refdesk_signin'), 'one')
  assert.equal(cookieValue('a==b=c', 'a'), '=b=c')
  assert.equal(cookieValue(undefined, 'a'), undefined)
  assert.equal(cookieValue(';;=; a', 'a'), undefined)
})

test('no script reads a cookie, and no other site sends it with its forms', () => {
  assert.equal(setCookie('n', 'v', { secure: false }), 'n=v; Path=/; HttpOnly; SameSite=Lax')
  assert.equal(
    setCookie('n', 'v', { secure: true, maxAgeSeconds: 60 }),
    'n=v; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
  )
})

test('under https a cookie is held to this very host', () => {
  assert.equal(cookieName('n', 'https://refdesk.example.com'), '__Host-n')
  assert.equal(cookieName('n', 'http://localhost:4700'), 'n')
})
