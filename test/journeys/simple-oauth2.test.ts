import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { demoRedirectUri } from '../support/demo.ts'
import { assertOpens, assertRefused, demoClient, serviceOfEachProfile, signInAt } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import type { TestService } from '../support/service/service.ts'
import { pkcePair } from '../support/sign-in.ts'

type Params = Record<string, string>

interface AccessToken {
  token: { access_token: string; refresh_token: string }
  refresh(params?: Params): Promise<AccessToken>
  revoke(type: 'access_token' | 'refresh_token', http: { json: boolean }): Promise<void>
}

interface AuthorizationCode {
  authorizeURL(params: Params): string
  getToken(params: Params): Promise<AccessToken>
}

type Settings = {
  client: { id: string; secret: string }
  auth: Record<'tokenHost' | 'tokenPath' | 'authorizePath' | 'revokePath', string>
  options?: { authorizationMethod: 'header' | 'body' }
}

/** The package has no types of its own. */
const { AuthorizationCode } = createRequire(import.meta.url)('simple-oauth2') as {
  AuthorizationCode: new (settings: Settings) => AuthorizationCode
}

const pathsOf = (service: TestService) => ({
  tokenHost: service.url,
  tokenPath: '/token',
  authorizePath: '/authorize',
  revokePath: '/revoke',
})

function noted(access: AccessToken): AccessToken {
  noteSecret('access token', access.token.access_token)
  noteSecret('refresh token', access.token.refresh_token)
  return access
}

async function codeFrom(service: TestService, address: string): Promise<string> {
  const code = (await signInAt(service, address)).searchParams.get('code')
  assert.ok(code)
  return code
}

for (const { COMPAT, service } of await serviceOfEachProfile()) {
  for (const authorizationMethod of ['header', 'body'] as const)
    test(`simple-oauth2: code, refresh and revocation (secret in the ${authorizationMethod}, COMPAT=${COMPAT})`, async () => {
      const settings = { client: demoClient('Code'), auth: pathsOf(service), options: { authorizationMethod } }
      const library = new AuthorizationCode(settings)
      const redirect_uri = demoRedirectUri
      const code = await codeFrom(service, library.authorizeURL({ redirect_uri, state: 'a state' }))
      const first = noted(await library.getToken({ code, redirect_uri }))
      await assertOpens(service, first.token.access_token)
      const next = noted(await first.refresh())
      assert.notEqual(next.token.refresh_token, first.token.refresh_token)
      await assertOpens(service, next.token.access_token)
      // By default the library insists on JSON, also where RFC 7009 §2.2 asks for no body at all.
      await next.revoke('refresh_token', { json: true })
      await assertRefused(service, next.token.access_token)
    })

  test(`simple-oauth2: code with PKCE and refresh, without a secret (COMPAT=${COMPAT})`, async () => {
    const options = { authorizationMethod: 'body' } as const
    const library = new AuthorizationCode({ client: demoClient('PKCE'), auth: pathsOf(service), options })
    const { verifier, challenge } = pkcePair()
    const redirect_uri = 'http://localhost:49152/callback'
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await codeFrom(service, library.authorizeURL({ redirect_uri, state: 'a state', ...pkce }))
    const first = noted(await library.getToken({ code, redirect_uri, code_verifier: verifier }))
    await assertOpens(service, first.token.access_token)
    const next = noted(await first.refresh())
    await assertOpens(service, next.token.access_token)
  })
}
