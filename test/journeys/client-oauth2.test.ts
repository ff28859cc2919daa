import assert from 'node:assert/strict'
import { test } from 'node:test'
import ClientOAuth2 from 'client-oauth2'
import { demoRedirectUri } from '../support/demo.ts'
import { assertOpens, demoClient, serviceOfEachProfile, signInAt } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import type { TestService } from '../support/service/service.ts'
import { pkcePair } from '../support/sign-in.ts'

/** The settings of this library for a server. */
const settingsFor = (service: TestService) => ({
  authorizationUri: `${service.url}/authorize`,
  accessTokenUri: `${service.url}/token`,
  redirectUri: demoRedirectUri,
  state: 'a state',
})

function noted(token: ClientOAuth2.Token): ClientOAuth2.Token {
  noteSecret('access token', token.accessToken)
  if (token.refreshToken) noteSecret('refresh token', token.refreshToken)
  return token
}

for (const { COMPAT, service } of await serviceOfEachProfile()) {
  test(`client-oauth2: code and refresh (COMPAT=${COMPAT})`, async () => {
    const { id: clientId, secret: clientSecret } = demoClient('Code')
    const library = new ClientOAuth2({ ...settingsFor(service), clientId, clientSecret })
    const callback = await signInAt(service, library.code.getUri())
    const first = noted(await library.code.getToken(callback.href))
    await assertOpens(service, first.accessToken)
    const next = noted(await first.refresh())
    assert.notEqual(next.refreshToken, first.refreshToken)
    await assertOpens(service, next.accessToken)
  })

  test(`client-oauth2: the implicit flow (COMPAT=${COMPAT})`, async () => {
    const library = new ClientOAuth2({ ...settingsFor(service), clientId: demoClient('Implicit').id })
    const callback = await signInAt(service, library.token.getUri())
    const token = noted(await library.token.getToken(callback.href))
    assert.equal(token.tokenType, 'bearer')
    assert.equal(token.expired(), false)
    await assertOpens(service, token.accessToken)
    // The library itself puts the token where the REST interface expects it.
    const signed = token.sign({ url: `${service.baseUrl}/port/v1/users/me`, headers: {} as Record<string, string> })
    assert.equal((await fetch(signed.url, { headers: signed.headers })).status, 200)
  })

  test(`client-oauth2: code with PKCE, whose parameters it passes on (COMPAT=${COMPAT})`, async () => {
    const redirectUri = 'http://localhost:49152/callback'
    const clientId = demoClient('PKCE').id
    const library = new ClientOAuth2({ ...settingsFor(service), redirectUri, clientId })
    const { verifier, challenge } = pkcePair()
    const query = { code_challenge: challenge, code_challenge_method: 'S256' }
    const callback = await signInAt(service, library.code.getUri({ query }))
    const first = noted(await library.code.getToken(callback.href, { body: { code_verifier: verifier } }))
    await assertOpens(service, first.accessToken)
    // Left alone it would authenticate by HTTP Basic with an empty secret, which is no way to be public.
    const asPublic = { headers: { Authorization: '' }, body: { client_id: clientId } }
    const next = noted(await first.refresh(asPublic))
    await assertOpens(service, next.accessToken)
  })
}
