import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flow } from '../../core/app.ts'
import { consentOrigin, isRegistered, sameRedirectUri } from './redirect-match.ts'

const appWith = (uris: string[], flow: Flow) => ({ redirectUris: uris.map((uri) => ({ uri })), flow })

test('redirect URIs are compared exactly, except that an empty path equals /', () => {
  assert.equal(sameRedirectUri('https://a.example', 'https://a.example/'), true)
  assert.equal(sameRedirectUri('https://a.example?x=1', 'https://a.example/?x=1'), true)
  assert.equal(sameRedirectUri('https://a.example/cb', 'https://a.example/cb/'), false)
  assert.equal(sameRedirectUri('https://a.example/cb', 'https://A.example/cb'), false)
  assert.equal(sameRedirectUri('https://a.example/cb', 'https://a.example/cb?x=1'), false)
})

test('only a PKCE app may use any port of a loopback address registered without one', () => {
  const uris = ['http://localhost/cb', 'http://127.0.0.1', 'http://localhost:7000/fixed']
  assert.equal(isRegistered(appWith(uris, 'PKCE'), 'http://localhost:51004/cb'), true)
  assert.equal(isRegistered(appWith(uris, 'PKCE'), 'http://127.0.0.1:8080/'), true)
  assert.equal(isRegistered(appWith(uris, 'PKCE'), 'http://localhost/cb'), true)
  assert.equal(isRegistered(appWith(uris, 'PKCE'), 'http://localhost:7000/fixed'), true)
  assert.equal(isRegistered(appWith(uris, 'Code'), 'http://localhost:51004/cb'), false)
})

test('an open port does not allow another path, host, scheme, a fixed port or an invalid one', () => {
  const uris = ['http://localhost/cb', 'http://localhost:7000/fixed']
  for (const requested of [
    'http://localhost:51004/other',
    'http://127.0.0.1:51004/cb',
    'https://localhost:51004/cb',
    'http://localhost:7001/fixed',
    'http://localhost:65536/cb',
    'http://localhost:51004@evil.example/cb',
    'http://localhost:51004.evil.example/cb',
    'http://localhost.evil.example/cb',
  ])
    assert.equal(isRegistered(appWith(uris, 'PKCE'), requested), false, requested)
})

test('an open port is a number from 1 to 65535 without leading zeros', () => {
  const app = appWith(['http://localhost/cb', 'http://[::1]/cb'], 'PKCE')
  for (const port of ['1', '80', '7777', '65535'])
    for (const host of ['localhost', '[::1]']) assert.equal(isRegistered(app, `http://${host}:${port}/cb`), true, port)
  for (const port of ['', '0', '00', '07777', '0080', '65536', '99999', '100000', '+80', '8e1'])
    for (const host of ['localhost', '[::1]']) assert.equal(isRegistered(app, `http://${host}:${port}/cb`), false, port)
})

test('a Code or Implicit app that registered a loopback address without a port has to name exactly that address', () => {
  for (const flow of ['Code', 'Implicit'] as const) {
    const app = appWith(['http://localhost', 'http://127.0.0.1/cb'], flow)
    for (const requested of ['http://localhost', 'http://localhost/', 'http://127.0.0.1/cb'])
      assert.equal(isRegistered(app, requested), true, requested)
    for (const requested of [
      'http://localhost:80/',
      'http://localhost:5000/',
      'http://localhost/cb',
      'http://127.0.0.1',
    ])
      assert.equal(isRegistered(app, requested), false, requested)
  }
})

test('consent to an app without a secret is for one loopback origin', () => {
  for (const flow of ['PKCE', 'Implicit'] as const) {
    assert.equal(consentOrigin(flow, 'http://localhost:51004/cb?x=1'), 'http://localhost:51004')
    assert.equal(consentOrigin(flow, 'http://127.0.0.1'), 'http://127.0.0.1')
    assert.equal(consentOrigin(flow, 'http://[::1]:8080?x=1'), 'http://[::1]:8080')
    assert.equal(consentOrigin(flow, 'http://localhost:80/cb'), 'http://localhost', 'one origin, however it is written')
    assert.equal(consentOrigin(flow, 'https://localhost.example/cb'), undefined)
    assert.equal(consentOrigin(flow, 'com.example.app:/cb'), undefined)
  }
  assert.equal(consentOrigin('Code', 'http://localhost:51004/cb'), undefined)
})
