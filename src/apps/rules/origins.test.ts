import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitsOrigin, originsOf } from './origins.ts'

test('the pages of an app are at the origins of its redirect URIs', () => {
  const uris = ['https://a.example/cb?x=1', 'http://localhost:5000/callback', 'myapp://cb', 'not a uri']
  assert.deepEqual(originsOf(uris, 'Code'), ['https://a.example', 'http://localhost:5000'])
})

test('a loopback address without a port stands for all its ports, for PKCE apps only', () => {
  const mobile = new Set(originsOf(['http://localhost/callback', 'http://127.0.0.1'], 'PKCE'))
  for (const origin of ['http://localhost', 'http://localhost:3000', 'http://127.0.0.1:81'])
    assert.equal(admitsOrigin(mobile, origin), true, origin)
  for (const origin of ['https://localhost:3000', 'http://localhost.evil.example:3000', 'http://[::1]:3000', 'null'])
    assert.equal(admitsOrigin(mobile, origin), false, origin)
  const code = new Set(originsOf(['http://localhost/callback'], 'Code'))
  assert.equal(admitsOrigin(code, 'http://localhost:3000'), false)
  assert.equal(admitsOrigin(code, 'http://localhost'), true)
})

test('a registered port opens no other', () => {
  const pkce = new Set(originsOf(['http://localhost:7000/cb'], 'PKCE'))
  assert.equal(admitsOrigin(pkce, 'http://localhost:7000'), true)
  assert.equal(admitsOrigin(pkce, 'http://localhost:7001'), false)
})
