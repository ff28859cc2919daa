import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { test } from 'node:test'
import type { UserManager, UserManagerSettings } from 'oidc-client-ts'
import type { Page } from 'playwright-core'
import { connectBrowser } from '../support/browser/browser.ts'
import { demoPassword } from '../support/demo.ts'
import { assertOpens, originOnFreePort, registerApp, serviceOfEachProfile } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'

declare global {
  interface Window {
    manager: UserManager
  }
}

type SettingsAt = (origin: string) => Promise<UserManagerSettings>
type Tokens = { access_token: string; refresh_token: string; expired: boolean }

const library = await readFile(new URL('../browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts')))
const browser = await connectBrowser()

/** A web app of one page: the library, as the package ships it for a script tag, and a user manager. */
async function startWebsite(settingsAt: SettingsAt): Promise<string> {
  let settings = ''
  const server = createServer((request, response) => {
    if (request.url === '/library.js') return response.setHeader('content-type', 'text/javascript').end(library)
    // In a hidden frame the callback page hands its address to the page around it.
    const inFrame = 'if (window !== parent) manager.signinCallback()'
    const script = `<script>window.manager = new oidc.UserManager(${settings}); ${inFrame}</script>`
    const page = `<!doctype html><title>A web app</title><script src="/library.js"></script>${script}`
    return response.setHeader('content-type', 'text/html').end(page)
  })
  const origin = await originOnFreePort(server)
  settings = JSON.stringify(await settingsAt(origin))
  return origin
}

/** A person follows the library to the sign-in page, allows the app, and arrives at its callback page. */
async function signInOn(page: Page, origin: string): Promise<Tokens> {
  await page.goto(origin)
  await page.evaluate(() => void window.manager.signinRedirect())
  await page.getByLabel('User').fill('ada')
  await page.getByLabel('Password').fill(demoPassword)
  await page.locator('button[value=allow]').click()
  await page.waitForURL(`${origin}/callback?**`)
  noteSecret('code', new URL(page.url()).searchParams.get('code') ?? '')
  const kept = await page.evaluate(() => Object.values(window.localStorage).map((text) => JSON.parse(String(text))))
  for (const { code_verifier } of kept as { code_verifier?: string }[])
    if (code_verifier) noteSecret('verifier', code_verifier)
  await page.evaluate(() => window.manager.signinCallback())
  return tokensOf(page)
}

/** `expired` is a getter, so the members are picked inside the page. */
async function tokensOf(page: Page): Promise<Tokens> {
  const tokens = await page.evaluate(async () => {
    const { access_token = '', refresh_token = '', expired = true } = (await window.manager.getUser()) ?? {}
    return { access_token, refresh_token, expired }
  })
  noteSecret('access token', tokens.access_token)
  noteSecret('refresh token', tokens.refresh_token)
  return tokens
}

/** The status that the app's own page sees when it calls the REST API, which is another origin. */
const statusInPage = (page: Page, baseUrl: string, token: string): Promise<number> =>
  page.evaluate(async ([url, authorization]) => (await fetch(url, { headers: { authorization } })).status, [
    `${baseUrl}/port/v1/users/me`,
    `Bearer ${token}`,
  ] as const)

for (const { COMPAT, service } of await serviceOfEachProfile()) {
  /** Without OpenID Connect: sets the metadata URL, and a scope other than `openid`, which would require an ID token. */
  const common = {
    authority: service.url,
    metadataUrl: `${service.url}/.well-known/oauth-authorization-server`,
    scope: 'refdesk',
    automaticSilentRenew: false,
  }

  async function completeJourney(settingsAt: SettingsAt, forceIframeAuth = false): Promise<void> {
    const origin = await startWebsite(settingsAt)
    const context = await browser.newContext({ locale: 'en-GB' })
    try {
      const page = await context.newPage()
      const first = await signInOn(page, origin)
      assert.equal(first.expired, false)
      await assertOpens(service, first.access_token)
      assert.equal(await statusInPage(page, service.baseUrl, first.access_token), 200)
      await page.evaluate((inFrame) => window.manager.signinSilent({ forceIframeAuth: inFrame }), forceIframeAuth)
      const next = await tokensOf(page)
      assert.notEqual(next.access_token, first.access_token)
      assert.notEqual(next.refresh_token, first.refresh_token)
      assert.equal(await statusInPage(page, service.baseUrl, next.access_token), 200)
      await page.evaluate(() => window.manager.revokeTokens(['refresh_token']))
      assert.equal(await statusInPage(page, service.baseUrl, next.access_token), 401)
    } finally {
      await context.close()
    }
  }

  const publicApp: SettingsAt = async (origin) => {
    const redirect_uri = `${origin}/callback`
    const { AppKey } = await registerApp(service, 'PKCE', redirect_uri)
    return { ...common, client_id: AppKey, redirect_uri }
  }

  const secretApp: SettingsAt = async (origin) => {
    const redirect_uri = `${origin}/callback`
    const { AppKey, Secret = '' } = await registerApp(service, 'Code', redirect_uri)
    const credentials = { client_secret: Secret, client_authentication: 'client_secret_basic' } as const
    return { ...common, client_id: AppKey, redirect_uri, ...credentials, disablePKCE: true }
  }

  test(`oidc-client-ts: code with PKCE, refresh and revocation in a browser (COMPAT=${COMPAT})`, () =>
    completeJourney(publicApp))

  test(`oidc-client-ts: a silent sign-in in a hidden frame (COMPAT=${COMPAT})`, () => completeJourney(publicApp, true))

  test(`oidc-client-ts: code with a secret, by HTTP Basic, in a browser (COMPAT=${COMPAT})`, () =>
    completeJourney(secretApp))
}
