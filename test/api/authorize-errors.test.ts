import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isRegistered } from '../../src/apps/rules/redirect-match.ts'
import { demoApp, demoApps, demoKey, demoRedirectUri } from '../support/demo.ts'
import { importApp } from '../support/import-app.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { Browser, codeRequest, pkcePair, signIn } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url } = service
const { db } = service.node.context
const browser = new Browser()
await signIn(url, codeRequest, { browser })
const ask = (query: string, by = new Browser()) => by.fetch(`${url}/authorize?${query}`)
const asking = (changes: Record<string, string | undefined>) =>
  String(
    new URLSearchParams(
      Object.entries({ ...codeRequest, ...changes }).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
    ),
  )
const keyOf = (flow: string) => demoApps.find((app) => app.Flow === flow)?.AppKey ?? ''
const pkceUri = 'http://localhost:6000/callback'

const inactiveKey = 'c0'.repeat(16)
const inactive = { AppKey: inactiveKey, ClientKey: demoKey('client ada'), Name: 'Off', Description: '' }
await importApp(
  db,
  masterKey,
  { ...inactive, Flow: 'Code', RedirectUris: [demoRedirectUri], IsTradingEnabled: false },
  service.clock.now(),
)
await db.updateTable('app').set({ is_active: false }).where('app_key', '=', inactiveKey).execute()
await db.insertInto('change').values({ topic: 'app', key: inactiveKey }).execute()
await service.node.context.feed.poll()

describe('for an untrusted redirect URI /authorize shows a page with status 400 and does not redirect', () => {
  const cases: [string, string][] = [
    ['client_id missing', asking({ client_id: undefined })],
    ['client_id empty', asking({ client_id: '' })],
    ['client_id repeated', `${asking({})}&client_id=${demoApp.AppKey}`],
    ['client_id unknown', asking({ client_id: 'f'.repeat(32) })],
    ['client_id that no database can hold', asking({ client_id: '\0' })],
    ['an inactive app', asking({ client_id: inactiveKey })],
    ['redirect_uri missing', asking({ redirect_uri: undefined })],
    ['redirect_uri repeated', `${asking({})}&redirect_uri=${encodeURIComponent(demoRedirectUri)}`],
    ['redirect_uri of another host', asking({ redirect_uri: 'https://evil.example/callback' })],
    ['redirect_uri with a final slash more', asking({ redirect_uri: `${demoRedirectUri}/` })],
    ['redirect_uri with a query more', asking({ redirect_uri: `${demoRedirectUri}?a=1` })],
    ['redirect_uri with a fragment more', asking({ redirect_uri: `${demoRedirectUri}#a` })],
    ['redirect_uri in another case', asking({ redirect_uri: 'http://LOCALHOST:5000/callback' })],
    ['redirect_uri with user info', asking({ redirect_uri: 'http://localhost:5000@evil.example/callback' })],
    [
      'redirect_uri of another port, in an app that is not PKCE',
      asking({ redirect_uri: 'http://localhost:5001/callback' }),
    ],
    ['both wrong', asking({ client_id: undefined, redirect_uri: 'https://evil.example/' })],
  ]
  for (const [name, query] of cases)
    for (const path of ['/authorize', '/login'])
      test(`${name}, at ${path}`, async () => {
        const response = await new Browser().fetch(`${url}${path}?${query}`)
        assert.equal(response.status, 400)
        assert.equal(response.headers.get('location'), null)
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
        assert.doesNotMatch(await response.text(), /evil\.example|href="http/)
      })
})

describe('for a trusted one errors go to the redirect URI with the state: in the query for code, with iss', () => {
  const { challenge } = pkcePair()
  const cases: [string, string, string][] = [
    ['an unknown response_type', asking({ response_type: 'id_token' }), 'unsupported_response_type'],
    ['response_type in another case', asking({ response_type: 'CODE' }), 'unsupported_response_type'],
    ['response_type missing', asking({ response_type: undefined }), 'invalid_request'],
    ['response_type repeated', `${asking({})}&response_type=code`, 'invalid_request'],
    ['another parameter repeated', `${asking({})}&scope=a&scope=b`, 'invalid_request'],
    ['code of an implicit app', asking({ client_id: keyOf('Implicit') }), 'unauthorized_client'],
    ['a PKCE app without challenge', asking({ client_id: keyOf('PKCE'), redirect_uri: pkceUri }), 'invalid_request'],
    ['plain PKCE', asking({ code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' }), 'invalid_request'],
    ['a challenge without method', asking({ code_challenge: challenge }), 'invalid_request'],
    ['a method without challenge', asking({ code_challenge_method: 'S256' }), 'invalid_request'],
    ['a challenge too short', asking({ code_challenge: 'abc', code_challenge_method: 'S256' }), 'invalid_request'],
    ['an unknown method', asking({ code_challenge: challenge, code_challenge_method: 'S512' }), 'invalid_request'],
    ['prompt=none without a sign-in', asking({ prompt: 'none' }), 'login_required'],
    ['prompt=none with another prompt', asking({ prompt: 'none login' }), 'invalid_request'],
  ]
  for (const [name, query, error] of cases)
    test(`${name}: ${error}`, async () => {
      const response = await ask(query)
      assert.equal(response.status, 302)
      const target = new URL(response.headers.get('location') ?? '')
      assert.equal(`${target.origin}${target.pathname}`, new URLSearchParams(query).get('redirect_uri'))
      assert.equal(target.searchParams.get('error'), error)
      assert.equal(target.searchParams.get('state'), 'a state')
      assert.equal(target.searchParams.get('iss'), url)
      assert.equal(target.hash, '')
    })
})

describe('for response_type=token the error is in the fragment, without iss', () => {
  const token = { response_type: 'token', client_id: keyOf('Implicit') }
  const { challenge } = pkcePair()
  const cases: [string, string, string][] = [
    ['token of a code app', asking({ response_type: 'token' }), 'unauthorized_client'],
    [
      'PKCE with token',
      asking({ ...token, code_challenge: challenge, code_challenge_method: 'S256' }),
      'invalid_request',
    ],
    ['a repeated parameter', `${asking(token)}&lang=en&lang=de`, 'invalid_request'],
    ['prompt=none without a sign-in', asking({ ...token, prompt: 'none' }), 'login_required'],
  ]
  for (const [name, query, error] of cases)
    test(`${name}: ${error}`, async () => {
      const target = new URL((await ask(query)).headers.get('location') ?? '')
      const members = new URLSearchParams(target.hash.slice(1))
      assert.deepEqual([members.get('error'), members.get('state')], [error, 'a state'])
      assert.equal(members.get('iss'), null)
      assert.equal(target.search, '')
    })
})

test('Cancel returns access_denied with the state, in the fragment for an implicit app', async () => {
  const cancelled = await signIn(
    url,
    { ...codeRequest, response_type: 'token', client_id: keyOf('Implicit') },
    { decision: 'cancel' },
  )
  const members = new URLSearchParams(cancelled.hash.slice(1))
  assert.deepEqual([members.get('error'), members.get('state')], ['access_denied', 'a state'])
})

test('prompt=none returns consent_required for a signed-in user without consent', async () => {
  const { challenge: code_challenge } = pkcePair()
  const pkce = { client_id: keyOf('PKCE'), redirect_uri: pkceUri, code_challenge, code_challenge_method: 'S256' }
  const target = new URL((await ask(asking({ ...pkce, prompt: 'none' }), browser)).headers.get('location') ?? '')
  assert.equal(target.searchParams.get('error'), 'consent_required')
  assert.ok((await signIn(url, { ...codeRequest, prompt: 'none' }, { browser })).searchParams.has('code'))
})

test('any state of up to 2,048 characters is returned unchanged; a longer one is rejected and not returned', async () => {
  const answerTo = async (state: string) =>
    new URL((await ask(asking({ state }), browser)).headers.get('location') ?? '').searchParams
  const kinds = [
    'a=b&c=d',
    'two words',
    '+',
    '%2B',
    'æøå 漢字 🙂',
    '"<script>\'',
    '#?/\\',
    'a\nb',
    ' x ',
    's'.repeat(2048),
    '🙂'.repeat(300),
  ]
  for (const state of kinds) {
    const members = await answerTo(state)
    assert.equal(members.get('state'), state)
    assert.ok(members.has('code'))
  }
  const rejected = await answerTo('s'.repeat(2049))
  assert.equal(rejected.get('error'), 'invalid_request')
  assert.equal(rejected.has('state'), false)
  const none = new URL((await ask(asking({ state: undefined }), browser)).headers.get('location') ?? '')
  assert.deepEqual([none.searchParams.has('code'), none.searchParams.has('state')], [true, false])
})

test('returns a state of 2,048 characters that take six each in the URL', async () => {
  const state = 'æ'.repeat(2048)
  assert.equal((await signIn(url, { ...codeRequest, state }, { browser })).searchParams.get('state'), state)
})

test('scope is ignored', async () => {
  assert.ok((await signIn(url, { ...codeRequest, scope: 'openid everything' }, { browser })).searchParams.has('code'))
})

test('with any parameters /authorize redirects only to /login or to the app, and never fails', async () => {
  const uris = [
    demoRedirectUri,
    pkceUri,
    'http://localhost/callback',
    '//evil.example',
    'https://evil.example/callback',
  ]
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.webUrl(),
    fc.constantFrom('', '\0', 'javascript:alert(1)', '__proto__'),
  )
  const mutated = fc
    .tuple(
      fc.constantFrom(...uris),
      fc.constantFrom('/', '?', '#', '@evil.example', '.evil.example', '\\', '%00', '\r\nx: y', ' ', ':1'),
    )
    .map((parts) => parts.join(''))
  const values: Record<string, fc.Arbitrary<string>> = {
    client_id: fc.constantFrom(...demoApps.map((app) => app.AppKey), inactiveKey, 'x'),
    redirect_uri: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...uris) }, mutated),
    response_type: fc.constantFrom('code', 'token', 'code token', 'Code'),
    state: fc.string({ unit: 'binary', maxLength: 100 }),
    prompt: fc.constantFrom('none', 'login', 'consent', 'none login'),
    code_challenge: fc.constantFrom('a'.repeat(43), 'short'),
    code_challenge_method: fc.constantFrom('S256', 'plain', 'x'),
    lang: fc.constantFrom('de', 'xx'),
  }
  const name = fc.constantFrom(...Object.keys(values), 'Client_Id', 'constructor')
  const known = (key: string) => (Object.hasOwn(values, key) ? (values[key] ?? odd) : odd)
  const pair = name.chain((key) => fc.tuple(fc.constant(key), fc.oneof({ weight: 4, arbitrary: known(key) }, odd)))
  const good = fc.constantFrom(
    { client_id: demoApp.AppKey, redirect_uri: demoRedirectUri, response_type: 'code' },
    { client_id: keyOf('PKCE'), redirect_uri: pkceUri, response_type: 'code' },
    { client_id: keyOf('Implicit'), redirect_uri: demoRedirectUri, response_type: 'token' },
  )
  const mixed = fc.record({ client_id: known('client_id'), redirect_uri: known('redirect_uri'), response_type: odd })
  const query = fc
    .tuple(fc.oneof({ weight: 3, arbitrary: good }, mixed, fc.constant({})), fc.array(pair, { maxLength: 3 }))
    .chain(([base, more]) => {
      const pairs = [...Object.entries(base), ...more]
      return fc.shuffledSubarray(pairs, { minLength: Math.max(0, pairs.length - 1) })
    })
  let redirects = 0
  await fc.assert(
    fc.asyncProperty(query, async (pairs) => {
      const response = await ask(String(new URLSearchParams(pairs)), browser)
      await response.arrayBuffer()
      assert.ok(response.status === 302 || response.status === 400, `status ${response.status}`)
      const location = response.headers.get('location')
      assert.equal(location !== null, response.status === 302)
      if (location === null || location.startsWith('/login?')) return
      redirects++
      const asked = pairs
        .filter(([key]) => key === 'redirect_uri')
        .map(([, value]) => value)
        .filter(Boolean)
      const app = demoApps.find(({ AppKey }) => pairs.some(([key, value]) => key === 'client_id' && value === AppKey))
      const [uri = ''] = asked
      assert.equal(asked.length, 1)
      assert.ok(
        app && isRegistered({ redirectUris: app.RedirectUris.map((own) => ({ uri: own })), flow: app.Flow }, uri),
        `${uri} is not registered`,
      )
      assert.ok(location.startsWith(`${uri}?`) || location.startsWith(`${uri}#`), location)
    }),
    { numRuns: 120 },
  )
  assert.ok(redirects > 3, 'hardly any request was good enough to be redirected')
})
