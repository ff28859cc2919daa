import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateCodeVerifier, OAuth2Client, OAuth2Fetch, type OAuth2Token } from '@badgateway/oauth2-client'
import { demoRedirectUri } from '../support/demo.ts'
import { assertOpens, assertRefused, demoClient, serviceOfEachProfile, signInAt } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'

function noted(token: OAuth2Token): OAuth2Token {
  noteSecret('access token', token.accessToken)
  assert.ok(token.refreshToken)
  noteSecret('refresh token', token.refreshToken)
  return token
}

for (const { COMPAT, service } of await serviceOfEachProfile()) {
  /** All that it needs is the address of the server: it discovers the rest (RFC 8414). */
  const libraryFor = ({ id, secret }: { id: string; secret: string }) =>
    new OAuth2Client({ server: service.url, clientId: id, ...(secret && { clientSecret: secret }) })

  async function obtainToken(library: OAuth2Client, redirectUri: string, codeVerifier?: string) {
    const request = { redirectUri, state: 'a state', ...(codeVerifier && { codeVerifier }) }
    const callback = await signInAt(service, await library.authorizationCode.getAuthorizeUri(request))
    return noted(await library.authorizationCode.getTokenFromCodeRedirect(callback, request))
  }

  test(`@badgateway/oauth2-client: discovery, code and refresh (COMPAT=${COMPAT})`, async () => {
    const library = libraryFor(demoClient('Code'))
    const first = await obtainToken(library, demoRedirectUri)
    await assertOpens(service, first.accessToken)
    const next = noted(await library.refreshToken(first))
    assert.notEqual(next.refreshToken, first.refreshToken)
    await assertOpens(service, next.accessToken)
  })

  test(`@badgateway/oauth2-client: code with PKCE and refresh, without a secret (COMPAT=${COMPAT})`, async () => {
    const library = libraryFor(demoClient('PKCE'))
    const verifier = await generateCodeVerifier()
    noteSecret('verifier', verifier)
    const first = await obtainToken(library, 'http://127.0.0.1:49152/callback', verifier)
    await assertOpens(service, first.accessToken)
    const next = noted(await library.refreshToken(first))
    await assertOpens(service, next.accessToken)
  })

  test(`@badgateway/oauth2-client: introspection distinguishes an active token from a revoked one (COMPAT=${COMPAT})`, async () => {
    const library = libraryFor(demoClient('Code'))
    const token = await obtainToken(library, demoRedirectUri)
    assert.equal((await library.introspect(token)).active, true)
    await library.revoke(token, 'refresh_token')
    assert.equal((await library.introspect(token)).active, false)
    await assertRefused(service, token.accessToken)
  })

  test(`@badgateway/oauth2-client: its fetch refreshes the token when a call is rejected (COMPAT=${COMPAT})`, async () => {
    const client = libraryFor(demoClient('Code'))
    const token = await obtainToken(client, demoRedirectUri)
    const stored: OAuth2Token[] = []
    const wrapper = new OAuth2Fetch({
      client,
      scheduleRefresh: false,
      getNewToken: () => null,
      getStoredToken: () => ({ ...token, accessToken: `${token.accessToken}x` }),
      storeToken: (fresh) => stored.push(noted(fresh)),
    })
    const answer = await wrapper.fetch(`${service.baseUrl}/port/v1/users/me`)
    assert.equal(answer.status, 200)
    assert.ok(stored.some(({ refreshToken }) => refreshToken !== token.refreshToken))
  })
}
