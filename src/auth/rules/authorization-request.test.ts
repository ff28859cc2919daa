import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type WireProfile, wireProfiles } from '../../core/wire-profile.ts'
import {
  maxStateLength,
  type Params,
  type ParsedRequest,
  type RequestingApp,
  readAuthorizationRequest,
  redirectTarget,
  requestedAppKey,
} from './authorization-request.ts'

const redirectUri = 'https://app.example/cb'
const s256 = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const both = Object.values(wireProfiles)

const codeApp: RequestingApp = { flow: 'Code', isActive: true }
const pkceApp: RequestingApp = { flow: 'PKCE', isActive: true }
const implicitApp: RequestingApp = { flow: 'Implicit', isActive: true }

const forCode: Params = { client_id: ['code-app'], redirect_uri: [redirectUri], response_type: ['code'], state: ['s'] }
const forToken: Params = { ...forCode, response_type: ['token'] }
const withChallenge: Params = { ...forCode, code_challenge: [s256], code_challenge_method: ['S256'] }

const resources = { rest: 'https://desk.example/openapi', agents: 'https://desk.example/mcp' }
const isRegistered = (uri: string): boolean => uri === redirectUri
const read = (app: RequestingApp | undefined, params: Params, profile: WireProfile = wireProfiles.off): ParsedRequest =>
  readAuthorizationRequest(params, app, isRegistered, profile, resources)

function requestOf(parsed: ParsedRequest) {
  assert.equal(parsed.kind, 'request', JSON.stringify(parsed))
  return parsed.kind === 'request' ? parsed.request : assert.fail()
}

function redirectOf(parsed: ParsedRequest) {
  assert.equal(parsed.kind, 'redirect', JSON.stringify(parsed))
  return parsed.kind === 'redirect' ? parsed : assert.fail()
}

test('client_id must be sent exactly once', () => {
  assert.equal(requestedAppKey({ client_id: ['key'] }), 'key')
  for (const params of [{}, { client_id: [] }, { client_id: ['key', 'other'] }, { client_id: ['key', 'key'] }])
    assert.equal(requestedAppKey(params), undefined)
})

const neverRedirected: [cause: string, app: RequestingApp | undefined, change: Params][] = [
  ['unknownApp', undefined, {}],
  ['unknownApp', undefined, { client_id: undefined }],
  ['repeatedParameter', undefined, { client_id: ['key', 'other'] }],
  ['repeatedParameter', undefined, { client_id: ['key', 'key'] }],
  ['inactiveApp', { ...codeApp, isActive: false }, {}],
  ['redirectUriMissing', codeApp, { redirect_uri: undefined }],
  ['redirectUriMissing', codeApp, { redirect_uri: [''] }],
  ['repeatedParameter', codeApp, { redirect_uri: [redirectUri, redirectUri] }],
  ['redirectUriUnregistered', codeApp, { redirect_uri: ['https://evil.example/cb'] }],
]

test('does not redirect to an untrusted address, whatever else is wrong', () => {
  for (const profile of both)
    for (const [cause, app, change] of neverRedirected) {
      assert.deepEqual(read(app, { ...forCode, ...change }, profile), { kind: 'page', cause })
      const worse = { ...forCode, ...change, response_type: ['nonsense', 'code'], state: ['a', 'b'] }
      assert.deepEqual(read(app, worse, profile), { kind: 'page', cause })
    }
})

test('accepts the default response_mode', () => {
  requestOf(read(codeApp, { ...forCode, response_mode: ['query'] }))
  requestOf(read(implicitApp, { ...forToken, response_mode: ['fragment'] }))
})

test('accepts a Code app with or without PKCE', () => {
  for (const profile of both) {
    const expected = { redirectUri, responseType: 'code', state: 's', prompt: undefined, resource: null }
    assert.deepEqual(requestOf(read(codeApp, forCode, profile)), { ...expected, challenge: null })
    assert.deepEqual(requestOf(read(codeApp, withChallenge, profile)), {
      ...expected,
      challenge: { value: s256, method: 'S256' },
    })
  }
})

test('accepts response_type=token from an Implicit app', () => {
  for (const profile of both)
    assert.deepEqual(requestOf(read(implicitApp, forToken, profile)), {
      redirectUri,
      responseType: 'token',
      state: 's',
      challenge: null,
      resource: null,
      prompt: undefined,
    })
})

test('accepts S256 from a PKCE app in both profiles, plain only in the vendor profile', () => {
  for (const profile of both) assert.equal(requestOf(read(pkceApp, withChallenge, profile)).challenge?.method, 'S256')
  for (const change of [{ code_challenge_method: ['plain'] }, { code_challenge_method: undefined }]) {
    const plain = { ...withChallenge, ...change }
    assert.equal(redirectOf(read(pkceApp, plain, wireProfiles.off)).error, 'invalid_request')
    assert.deepEqual(requestOf(read(pkceApp, plain, wireProfiles.vendor)).challenge, { value: s256, method: 'plain' })
  }
})

const query = false
const fragment = true
type Rejected = [
  name: string,
  app: RequestingApp,
  params: Params,
  error: string,
  where: boolean,
  state: string | undefined,
]

const rejected: Rejected[] = [
  ['a missing response_type', codeApp, { ...forCode, response_type: undefined }, 'invalid_request', query, 's'],
  ['an empty response_type', codeApp, { ...forCode, response_type: [''] }, 'invalid_request', query, 's'],
  ['a missing one of Implicit', implicitApp, { ...forToken, response_type: [] }, 'invalid_request', fragment, 's'],
  ['a repeated one', codeApp, { ...forCode, response_type: ['code', 'code'] }, 'invalid_request', query, 's'],
  ['token twice', implicitApp, { ...forToken, response_type: ['token', 'token'] }, 'invalid_request', fragment, 's'],
  ['an unknown one', codeApp, { ...forCode, response_type: ['id_token'] }, 'unsupported_response_type', query, 's'],
  ['Code in capitals', codeApp, { ...forCode, response_type: ['CODE'] }, 'unsupported_response_type', query, 's'],
  ['another response_mode', codeApp, { ...forCode, response_mode: ['fragment'] }, 'invalid_request', query, 's'],
  ['a query for a token', implicitApp, { ...forToken, response_mode: ['query'] }, 'invalid_request', fragment, 's'],
  ['a hybrid one', codeApp, { ...forCode, response_type: ['code token'] }, 'unsupported_response_type', query, 's'],
  ['a token for a Code app', codeApp, forToken, 'unauthorized_client', fragment, 's'],
  ['a token for a PKCE app', pkceApp, forToken, 'unauthorized_client', fragment, 's'],
  ['a code for an Implicit app', implicitApp, forCode, 'unauthorized_client', query, 's'],
  ['a repeated parameter', codeApp, { ...forCode, scope: ['a', 'b'] }, 'invalid_request', query, 's'],
  ['a repeated unknown parameter', implicitApp, { ...forToken, x: ['1', '1'] }, 'invalid_request', fragment, 's'],
  ['a repeated challenge', codeApp, { ...withChallenge, code_challenge: [s256, s256] }, 'invalid_request', query, 's'],
  ['a repeated state', codeApp, { ...forCode, state: ['s', 's'] }, 'invalid_request', query, undefined],
  ['a bad challenge', codeApp, { ...withChallenge, code_challenge: ['bad'] }, 'invalid_request', query, 's'],
  ['an unknown method', pkceApp, { ...withChallenge, code_challenge_method: ['x'] }, 'invalid_request', query, 's'],
  ['a method alone', codeApp, { ...forCode, code_challenge_method: ['S256'] }, 'invalid_request', query, 's'],
  ['PKCE for a token', implicitApp, { ...withChallenge, response_type: ['token'] }, 'invalid_request', fragment, 's'],
  ['a PKCE app without a challenge', pkceApp, forCode, 'invalid_request', query, 's'],
  ['prompt=none login', codeApp, { ...forCode, prompt: ['none login'] }, 'invalid_request', query, 's'],
  ['a rejected request without state', pkceApp, { ...forCode, state: undefined }, 'invalid_request', query, undefined],
]

for (const [name, app, params, error, where, state] of rejected)
  test(`${name}: ${error} in the ${where ? 'fragment' : 'query'}, ${state ? 'with' : 'without'} state`, () => {
    for (const profile of both) {
      const { description, ...rest } = redirectOf(read(app, params, profile))
      assert.deepEqual(rest, { kind: 'redirect', redirectUri, inFragment: where, state, error })
      // The characters that RFC 6749 §4.1.2.1 allows in an error_description.
      assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    }
  })

test('accepts a state of up to 2,048 characters; a longer one is rejected and not returned', () => {
  assert.equal(maxStateLength, 2_048)
  const longest = 'ä'.repeat(2_048)
  assert.equal(requestOf(read(codeApp, { ...forCode, state: [longest] })).state, longest)
  const { error, state } = redirectOf(read(codeApp, { ...forCode, state: [`${longest}x`] }))
  assert.deepEqual([error, state], ['invalid_request', undefined])
  const unauthorized = redirectOf(read(implicitApp, { ...forCode, state: [`${longest}x`] }))
  assert.equal(unauthorized.state, undefined)
})

test('the error of a wrong response_type names the right one', () => {
  assert.match(redirectOf(read(codeApp, forToken)).description, /; send response_type=code\.$/)
  assert.match(redirectOf(read(implicitApp, forCode)).description, /; send response_type=token\.$/)
})

test('state is optional', () => {
  assert.equal(requestOf(read(codeApp, { ...forCode, state: undefined })).state, undefined)
})

test('scope is ignored', () => {
  const withScope = requestOf(read(codeApp, { ...forCode, scope: ['openid everything'] }))
  assert.deepEqual(withScope, requestOf(read(codeApp, forCode)))
})

test('prompt decides whether a page is shown', () => {
  for (const [prompt, expected] of [
    ['none', 'none'],
    ['login', 'login'],
    ['select_account', 'login'],
    ['consent', 'consent'],
    ['login consent', 'login'],
    ['consent login', 'login'],
    ['', undefined],
    ['unknown', undefined],
  ] as const)
    assert.equal(requestOf(read(codeApp, { ...forCode, prompt: [prompt] })).prompt, expected, prompt)
})

test('a code is returned in the query, with the issuer (RFC 9207)', () => {
  assert.equal(redirectTarget(redirectUri, false, { code: 'c', state: 's' }), `${redirectUri}?code=c&state=s`)
  assert.equal(
    redirectTarget(redirectUri, false, { code: 'c', state: undefined, iss: 'https://refdesk.example' }),
    `${redirectUri}?code=c&iss=https%3A%2F%2Frefdesk.example`,
  )
})

test('a token is returned in the fragment', () => {
  const members = { access_token: 'a.b.c', token_type: 'bearer', expires_in: 1200, state: undefined }
  const target = redirectTarget('https://app.example/?x=1', true, members)
  assert.equal(target, 'https://app.example/?x=1#access_token=a.b.c&token_type=bearer&expires_in=1200')
})

test('returns an empty state', () => {
  assert.equal(redirectTarget(redirectUri, false, { error: 'access_denied', state: '' }).endsWith('&state='), true)
})

test('keeps the query of the redirect URI', () => {
  assert.equal(
    redirectTarget('https://app.example/cb?x=%20&y', false, { code: 'c' }),
    'https://app.example/cb?x=%20&y&code=c',
  )
  assert.equal(redirectTarget('com.example.app:/cb', false, { code: 'c' }), 'com.example.app:/cb?code=c')
})

const registeredUri = fc.constantFrom(redirectUri, 'https://app.example', 'https://app.example/?a=b%26c', 'com.app:/cb')
// Every string that a decoded query can contain: no unpaired surrogates.
const anyState = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[=&+ %#?ä€😀]*$/u))

test('returns any state unchanged after the redirect URI', () => {
  fc.assert(
    fc.property(registeredUri, fc.boolean(), anyState, (uri, inFragment, state) => {
      const target = redirectTarget(uri, inFragment, { code: 'c', state })
      assert.ok(target.startsWith(uri))
      assert.match(target, /^[\x21-\x7e]+$/)
      const added = target.slice(uri.length + 1)
      assert.equal(decodeURIComponent(added.slice('code=c&state='.length)), state)
      assert.equal(new URLSearchParams(added).get('state'), state)
      const url = new URL(target)
      const received = new URLSearchParams(inFragment ? url.hash.slice(1) : url.search)
      assert.deepEqual([received.get('code'), received.get('state')], ['c', state])
    }),
  )
})

test('a resource that the service does not have is invalid_target', () => {
  assert.equal(redirectOf(read(codeApp, { ...forCode, resource: ['https://other.example'] })).error, 'invalid_target')
  assert.equal(requestOf(read(codeApp, { ...forCode, resource: [resources.rest] })).resource, null)
})

test('a token for agents needs PKCE, whatever the app', () => {
  const forAgents = { resource: [resources.agents] }
  assert.equal(requestOf(read(codeApp, { ...withChallenge, ...forAgents })).resource, resources.agents)
  assert.equal(redirectOf(read(codeApp, { ...forCode, ...forAgents })).error, 'invalid_request')
  assert.equal(redirectOf(read(implicitApp, { ...forToken, ...forAgents })).error, 'invalid_request')
})
