import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { demoRedirectUri } from '../support/demo.ts'
import { assertOpens, assertRefused, demoClient, signInAt } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'
import { signIn } from '../support/sign-in.ts'

const service = await serviceForFile()
const insecure = { [oauth.allowInsecureRequests]: true }
const issuer = new URL(service.url)
const server = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
)

type App = { client: oauth.Client; authentication: oauth.ClientAuth; redirectUri: string }

const code = demoClient('Code')
const secretApp: App = {
  client: { client_id: code.id },
  authentication: oauth.ClientSecretBasic(code.secret),
  redirectUri: demoRedirectUri,
}
const publicApp: App = {
  client: { client_id: demoClient('PKCE').id },
  authentication: oauth.None(),
  redirectUri: 'http://127.0.0.1:49152/callback',
}

function noted(tokens: oauth.TokenEndpointResponse) {
  const { access_token, refresh_token } = tokens
  assert.ok(refresh_token)
  noteSecret('access token', access_token)
  noteSecret('refresh token', refresh_token)
  return { access_token, refresh_token }
}

async function obtainTokens({ client, authentication, redirectUri }: App, withPkce: boolean) {
  const state = oauth.generateRandomState()
  const verifier = withPkce ? oauth.generateRandomCodeVerifier() : undefined
  assert.ok(server.authorization_endpoint)
  const address = new URL(server.authorization_endpoint)
  address.search = String(
    new URLSearchParams({ client_id: client.client_id, redirect_uri: redirectUri, response_type: 'code', state }),
  )
  if (verifier) {
    noteSecret('verifier', verifier)
    address.searchParams.set('code_challenge', await oauth.calculatePKCECodeChallenge(verifier))
    address.searchParams.set('code_challenge_method', 'S256')
  }
  const answer = oauth.validateAuthResponse(server, client, await signInAt(service, address), state)
  const proof = verifier ?? oauth.nopkce
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    answer,
    redirectUri,
    proof,
    insecure,
  )
  return noted(await oauth.processAuthorizationCodeResponse(server, client, response))
}

async function refresh({ client, authentication }: App, token: string) {
  const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token, insecure)
  return noted(await oauth.processRefreshTokenResponse(server, client, response))
}

async function introspect({ client, authentication }: App, token: string) {
  const response = await oauth.introspectionRequest(server, client, authentication, token, insecure)
  return oauth.processIntrospectionResponse(server, client, response)
}

test('oauth4webapi: discovery, code and refresh, with a secret', async () => {
  const tokens = await obtainTokens(secretApp, false)
  await assertOpens(service, tokens.access_token)
  const next = await refresh(secretApp, tokens.refresh_token)
  await assertOpens(service, next.access_token)
})

test('oauth4webapi: code with PKCE and refresh, without a secret', async () => {
  const tokens = await obtainTokens(publicApp, true)
  await assertOpens(service, tokens.access_token)
  const next = await refresh(publicApp, tokens.refresh_token)
  await assertOpens(service, next.access_token)
})

test('oauth4webapi: the access token follows RFC 9068, for the REST API only', async () => {
  const { access_token } = await obtainTokens(secretApp, true)
  const call = () => new Request(service.baseUrl, { headers: { authorization: `Bearer ${access_token}` } })
  const claims = await oauth.validateJwtAccessToken(server, call(), service.baseUrl, insecure)
  assert.equal(claims.client_id, code.id)
  await assert.rejects(oauth.validateJwtAccessToken(server, call(), service.url, insecure), /aud/)
})

test('oauth4webapi: introspection distinguishes an active token from a revoked one', async () => {
  for (const app of [secretApp, publicApp]) {
    const tokens = await obtainTokens(app, true)
    const live = await introspect(app, tokens.refresh_token)
    assert.equal(live.active, true)
    assert.equal(live.client_id, app.client.client_id)
    const { client, authentication } = app
    const request = oauth.revocationRequest(server, client, authentication, tokens.access_token, insecure)
    await oauth.processRevocationResponse(await request)
    assert.equal((await introspect(app, tokens.refresh_token)).active, false)
    await assertRefused(service, tokens.access_token)
  }
})

test('oauth4webapi: a cancelled sign-in is an error that the library knows', async () => {
  const state = oauth.generateRandomState()
  const params = { client_id: code.id, redirect_uri: demoRedirectUri, response_type: 'code', state }
  const callback = await signIn(service.url, params, { decision: 'cancel' })
  assert.throws(() => oauth.validateAuthResponse(server, secretApp.client, callback, state), {
    name: 'AuthorizationResponseError',
    error: 'access_denied',
  })
})
