import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import { demoRedirectUri } from '../support/demo.ts'
import { assertOpens, assertRefused, demoClient, signInAt } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'

const service = await serviceForFile()
const vendor = await serviceForFile({ env: { COMPAT: 'vendor' } })
const code = demoClient('Code')
const mobile = demoClient('PKCE')

/** Finds refdesk by RFC 8414; its default, OpenID Connect, refdesk does not speak. */
const discover = (id: string, secret?: string, authentication?: client.ClientAuth, at = service) =>
  client.discovery(new URL(at.url), id, secret, authentication, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  })

/** By the library alone: its address, its checks of state and issuer, its exchange. */
async function obtainTokens(config: client.Configuration, redirect_uri: string, withPkce: boolean, at = service) {
  const expectedState = client.randomState()
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  noteSecret('verifier', pkceCodeVerifier)
  const pkce = withPkce && {
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  }
  const address = client.buildAuthorizationUrl(config, { redirect_uri, state: expectedState, ...pkce })
  const callback = await signInAt(at, address)
  const tokens = await client.authorizationCodeGrant(config, callback, {
    expectedState,
    ...(withPkce && { pkceCodeVerifier }),
  })
  return noted(tokens)
}

function noted(tokens: client.TokenEndpointResponse) {
  const { access_token, refresh_token } = tokens
  assert.ok(refresh_token)
  noteSecret('access token', access_token)
  noteSecret('refresh token', refresh_token)
  return { access_token, refresh_token }
}

const refresh = async (config: client.Configuration, token: string) =>
  noted(await client.refreshTokenGrant(config, token))

test('openid-client: discovery, code and refresh, with the secret in the body or by HTTP Basic', async () => {
  for (const authenticate of [client.ClientSecretPost, client.ClientSecretBasic]) {
    const config = await discover(code.id, code.secret, authenticate(code.secret))
    assert.equal(config.serverMetadata().issuer, service.url)
    const tokens = await obtainTokens(config, demoRedirectUri, false)
    await assertOpens(service, tokens.access_token)
    const next = await refresh(config, tokens.refresh_token)
    await assertOpens(service, next.access_token)
  }
})

test('openid-client: code with PKCE and refresh, without a secret', async () => {
  const config = await discover(mobile.id, undefined, client.None())
  assert.ok(config.serverMetadata().supportsPKCE())
  const tokens = await obtainTokens(config, 'http://127.0.0.1:49152/callback', true)
  await assertOpens(service, tokens.access_token)
  const next = await refresh(config, tokens.refresh_token)
  await assertOpens(service, next.access_token)
})

test('openid-client: code with PKCE and a secret', async () => {
  const config = await discover(code.id, code.secret)
  const tokens = await obtainTokens(config, demoRedirectUri, true)
  await assertOpens(service, tokens.access_token)
})

test('openid-client: introspection distinguishes an active token from a revoked one', async () => {
  const config = await discover(code.id, code.secret)
  const tokens = await obtainTokens(config, demoRedirectUri, false)
  const live = await client.tokenIntrospection(config, tokens.access_token)
  assert.equal(live.active, true)
  assert.equal(live.client_id, code.id)
  await client.tokenRevocation(config, tokens.refresh_token)
  assert.equal((await client.tokenIntrospection(config, tokens.access_token)).active, false)
  assert.equal((await client.tokenIntrospection(config, tokens.refresh_token)).active, false)
  await assertRefused(service, tokens.access_token)
})

test('openid-client: the library rejects a response with another issuer', async () => {
  const config = await discover(code.id, code.secret)
  const expectedState = client.randomState()
  const address = client.buildAuthorizationUrl(config, { redirect_uri: demoRedirectUri, state: expectedState })
  const callback = await signInAt(service, address)
  assert.equal(callback.searchParams.get('iss'), service.url)
  callback.searchParams.set('iss', 'http://localhost:1')
  await assert.rejects(
    client.authorizationCodeGrant(config, callback, { expectedState }),
    ({ cause }: Error) => cause instanceof Error && /"iss" \(issuer\)/.test(cause.message),
  )
})

test('openid-client: with COMPAT=vendor it needs the status 201 of /token as 200', async () => {
  const config = await discover(code.id, code.secret, undefined, vendor)
  await assert.rejects(obtainTokens(config, demoRedirectUri, false, vendor), { code: 'OAUTH_RESPONSE_IS_NOT_CONFORM' })
  config[client.customFetch] = async (url, init) => {
    const answer = await fetch(url, init as RequestInit)
    return answer.status === 201 ? new Response(answer.body, { headers: answer.headers }) : answer
  }
  const tokens = await obtainTokens(config, demoRedirectUri, false, vendor)
  await assertOpens(vendor, tokens.access_token)
  const next = await refresh(config, tokens.refresh_token)
  await assertOpens(vendor, next.access_token)
})
