import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flow } from '../../core/app.ts'
import { allowsOrigin, originsOf } from './origins.ts'

const originsOfAll = (uris: string[], flow: Flow) => uris.flatMap((uri) => originsOf(uri, flow))

test('returns the web origins of the redirect URIs', () => {
  const uris = ['https://a.example/cb?x=1', 'http://localhost:5000/callback', 'myapp://cb', 'not a uri']
  assert.deepEqual(originsOfAll(uris, 'Code'), ['https://a.example', 'http://localhost:5000'])
})

test('a loopback address without a port allows all ports, for PKCE apps only', () => {
  const mobile = new Set(originsOfAll(['http://localhost/callback', 'http://127.0.0.1'], 'PKCE'))
  for (const origin of ['http://localhost', 'http://localhost:3000', 'http://127.0.0.1:81'])
    assert.equal(allowsOrigin(mobile, origin), true, origin)
  for (const origin of ['https://localhost:3000', 'http://localhost.evil.example:3000', 'http://[::1]:3000', 'null'])
    assert.equal(allowsOrigin(mobile, origin), false, origin)
  const code = new Set(originsOfAll(['http://localhost/callback'], 'Code'))
  assert.equal(allowsOrigin(code, 'http://localhost:3000'), false)
  assert.equal(allowsOrigin(code, 'http://localhost'), true)
})

test('a registered port allows no other', () => {
  const pkce = new Set(originsOfAll(['http://localhost:7000/cb'], 'PKCE'))
  assert.equal(allowsOrigin(pkce, 'http://localhost:7000'), true)
  assert.equal(allowsOrigin(pkce, 'http://localhost:7001'), false)
})
