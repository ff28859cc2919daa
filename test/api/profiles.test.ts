import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as apps from '../support/apps.ts'
import { demoApp, demoApps, demoRedirectUri } from '../support/demo.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile, type TestService } from '../support/service/service.ts'
import {
  authorizeUrl,
  Browser,
  basic,
  codeRequest,
  getRest,
  obtainTokens,
  pkcePair,
  postToken,
  refresh,
  signIn,
  signInForCode,
} from '../support/sign-in.ts'

/** Every difference of §3 in the authorization server, in both profiles. */
const standard = await serviceForFile()
const vendor = await serviceForFile({ env: { COMPAT: 'vendor' } })
const browsers = new Map([standard, vendor].map((service) => [service, new Browser()]))
const signedIn = (service: TestService) => ({ browser: browsers.get(service) ?? new Browser() })
const pkceKey = demoApps.find((app) => app.Flow === 'PKCE')?.AppKey ?? ''
const pkceUri = 'http://localhost:6000/callback'

const newCode = (service: TestService, more = {}) =>
  signInForCode(service.url, { ...codeRequest, ...more }, signedIn(service))
const grant = (code: string) => ({ grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri })

/** One difference in both profiles. */
function row(name: string, byDefault: (service: TestService) => Promise<void>, byVendor: typeof byDefault): void {
  describe(name, () => {
    test('default', () => byDefault(standard))
    test('COMPAT=vendor', () => byVendor(vendor))
  })
}

const names = ['access_token', 'expires_in', 'refresh_token', 'refresh_token_expires_in', 'token_type']
const successIs = (status: number, extra: Record<string, unknown>) => async (service: TestService) => {
  const answer = await postToken(service.url, grant(await newCode(service)))
  const again = await refresh(service.url, answer.body.refresh_token)
  const repeated = await refresh(service.url, answer.body.refresh_token)
  const direct = await refresh(service.url, again.body.refresh_token)
  for (const { status: got, body } of [answer, again, repeated, direct]) {
    assert.equal(got, status)
    assert.deepEqual(Object.keys(body).sort(), [...names, ...Object.keys(extra)].sort())
    for (const [name, value] of Object.entries(extra)) assert.equal((body as Record<string, unknown>)[name], value)
  }
}
row('status and members of a successful /token', successIs(200, {}), successIs(201, { base_uri: null }))

const unusualForms = (check: (status: number, error: string | undefined) => void) => async (service: TestService) => {
  const multipart = new FormData()
  for (const [name, value] of Object.entries(grant(await newCode(service)))) multipart.set(name, value)
  const query = new URLSearchParams({
    ...grant(await newCode(service)),
    client_id: demoApp.AppKey,
    client_secret: demoApp.Secret,
  })
  const sent: [string, RequestInit][] = [
    ['', { body: multipart, headers: { authorization: basic() } }],
    [`?${query}`, {}],
    [`?${new URLSearchParams(grant(await newCode(service)))}`, { headers: { authorization: basic() } }],
  ]
  for (const [search, init] of sent) {
    const response = await fetch(`${service.url}/token${search}`, { method: 'POST', ...init })
    const body = (await response.json()) as { error?: string; access_token?: string; refresh_token?: string }
    for (const token of [body.access_token, body.refresh_token]) if (token) noteSecret('token', token)
    check(response.status, body.error)
  }
}
row(
  '/token parameters in the query or as multipart/form-data',
  unusualForms((status, error) => assert.deepEqual([status, error], [400, 'invalid_request'])),
  unusualForms((status, error) => assert.deepEqual([status, error], [201, undefined])),
)

test('with COMPAT=vendor /revoke and /introspect accept only a form in the body, as without', async () => {
  for (const path of ['/revoke', '/introspect']) {
    const init = { method: 'POST', headers: { authorization: basic() } }
    const rejected = await fetch(`${vendor.url}${path}?token=unknown`, init)
    assert.equal(rejected.status, 400)
    assert.equal(((await rejected.json()) as { error: string }).error, 'invalid_request')
  }
})

test('with COMPAT=vendor a query is ignored if there is a body, and a repeated parameter is rejected', async () => {
  const code = await newCode(vendor)
  const ask = async (search: string, body: BodyInit) => {
    const init = { method: 'POST', headers: { authorization: basic() }, body }
    return ((await (await fetch(`${vendor.url}/token?${search}`, init)).json()) as { error: string }).error
  }
  assert.equal(await ask(String(new URLSearchParams(grant(code))), new URLSearchParams({ x: '1' })), 'invalid_request')
  const twice = new FormData()
  for (const name of ['grant_type', 'grant_type']) twice.append(name, 'authorization_code')
  assert.equal(await ask('', twice), 'invalid_request')
})

const withoutRedirectUri = (expected: [number, string | undefined]) => async (service: TestService) => {
  const form = { grant_type: 'authorization_code', code: await newCode(service) }
  const { status, body } = await postToken(service.url, form)
  assert.deepEqual([status, body.error], expected)
}
row(
  'redirect_uri missing on the exchange',
  withoutRedirectUri([400, 'invalid_request']),
  withoutRedirectUri([201, undefined]),
)

const everyInvalidGrant = (status: number) => async (service: TestService) => {
  const { url } = service
  const spent = await newCode(service)
  await postToken(url, grant(spent))
  const { refresh_token } = await obtainTokens(url, signedIn(service))
  const wrongUri = { redirect_uri: 'https://elsewhere.example/' }
  const answers = [
    await postToken(url, grant('unknown')),
    await postToken(url, grant(spent)),
    await postToken(url, { ...grant(await newCode(service)), ...wrongUri }),
    await postToken(url, { ...grant(await newCode(service)), code_verifier: 'v'.repeat(43) }),
    await postToken(url, { ...grant(await newCode(service)), client_id: pkceKey }, null),
    await refresh(url, 'unknown'),
    await refresh(url, refresh_token, wrongUri),
  ]
  for (const answer of answers) {
    assert.deepEqual([answer.status, answer.body.error], [status, 'invalid_grant'])
    assert.deepEqual(answer.body, answers[0]?.body)
    assert.equal(answer.headers.get('www-authenticate'), null)
  }
}
row('status of invalid_grant, whatever the cause', everyInvalidGrant(400), everyInvalidGrant(401))

const weak = { code_challenge: 'short-verifier', code_challenge_method: 'plain' }
row(
  'plain PKCE and a short verifier',
  async (service) => {
    const rejected = await signedIn(service).browser.fetch(authorizeUrl(service.url, { ...codeRequest, ...weak }))
    assert.match(rejected.headers.get('location') ?? '', /error=invalid_request/)
    const code = await newCode(service, { code_challenge: pkcePair().challenge, code_challenge_method: 'S256' })
    assert.equal(
      (await postToken(service.url, { ...grant(code), code_verifier: 'short-verifier' })).body.error,
      'invalid_grant',
    )
  },
  async (service) => {
    const right = await postToken(service.url, {
      ...grant(await newCode(service, weak)),
      code_verifier: 'short-verifier',
    })
    assert.equal(right.status, 201)
    const wrong = await postToken(service.url, {
      ...grant(await newCode(service, weak)),
      code_verifier: 'other-verifier',
    })
    assert.equal(wrong.body.error, 'invalid_grant')
  },
)

async function pkceTokens(service: TestService) {
  const { verifier: code_verifier, challenge: code_challenge } = pkcePair()
  const own = { client_id: pkceKey, redirect_uri: pkceUri }
  const code = await newCode(service, { ...own, code_challenge, code_challenge_method: 'S256' })
  return (await postToken(service.url, { ...grant(code), ...own, code_verifier }, null)).body
}
const anonymously = (service: TestService, refresh_token: string) =>
  postToken(service.url, { grant_type: 'refresh_token', refresh_token }, null)
row(
  'a PKCE refresh without client_id',
  async (service) => {
    const { status, body } = await anonymously(service, (await pkceTokens(service)).refresh_token)
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
  },
  async (service) => {
    assert.equal((await anonymously(service, (await pkceTokens(service)).refresh_token)).status, 201)
    // An app with a secret cannot authenticate with its refresh token alone.
    const { refresh_token } = await obtainTokens(service.url, signedIn(service))
    assert.equal((await anonymously(service, refresh_token)).body.error, 'invalid_client')
    assert.equal((await anonymously(service, 'unknown')).body.error, 'invalid_client')
  },
)

const issuerIs = (sent: boolean) => async (service: TestService) => {
  const success = await signIn(service.url, codeRequest, signedIn(service))
  const failure = await signIn(service.url, { ...codeRequest, response_type: 'x' }, signedIn(service))
  for (const { searchParams } of [success, failure]) assert.equal(searchParams.get('iss'), sent ? service.url : null)
  const metadata = await (await fetch(`${service.url}/.well-known/oauth-authorization-server`)).json()
  assert.equal((metadata as Record<string, unknown>).authorization_response_iss_parameter_supported, sent)
}
row('iss on the code redirect, and what the metadata says of it', issuerIs(true), issuerIs(false))

const unauthorizedBody = (check: (text: string, type: string | null) => void) => async (service: TestService) => {
  for (const token of ['', 'not-a-token']) {
    const response = await getRest(service.baseUrl, '/port/v1/users/me', token)
    assert.equal(response.status, 401)
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
    check(await response.text(), response.headers.get('content-type'))
  }
}
row(
  'the body of a REST 401',
  unauthorizedBody((text, type) => {
    assert.equal((JSON.parse(text) as { ErrorCode: string }).ErrorCode, 'Unauthorized')
    assert.equal(type, 'application/json; charset=utf-8')
  }),
  unauthorizedBody((text) => assert.equal(text, '')),
)

for (const [profile, service] of [
  ['default', standard],
  ['COMPAT=vendor', vendor],
] as const)
  test(`an app that may do more than was allowed asks for consent again (${profile})`, async () => {
    const ada = await apps.callerFor(service, 'ada')
    const { AppKey } = await apps.makeApp(ada, { IsTradingEnabled: false })
    const request = { ...codeRequest, client_id: AppKey, redirect_uri: apps.callback }
    const browser = new Browser()
    await signIn(service.url, request, { browser })
    const silent = async () =>
      (await signIn(service.url, { ...request, prompt: 'none' }, { browser })).searchParams.get('error')
    assert.equal(await silent(), null)

    await apps.ok(ada('PATCH', `/${AppKey}`, { IsTradingEnabled: true }), 204)

    assert.equal(await silent(), 'consent_required')
    const start = await browser.fetch(authorizeUrl(service.url, request))
    const page = await browser.fetch(`${service.url}${start.headers.get('location')}`)
    assert.match(await page.text(), /elect for you/)
  })
