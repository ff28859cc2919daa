import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Browser, BrowserContext, ConsoleMessage, Page, Request, WebError } from 'playwright-core'
import type { Flow } from '../../../src/core/app.ts'
import { demoKey, demoPassword } from '../demo.ts'
import { type AppRecord, importApp } from '../import-app.ts'
import { noteSecret } from '../runner/log-check.ts'
import { masterKey, serviceForFile, type TestService } from '../service/service.ts'
import { authorizeUrl, pkcePair } from '../sign-in.ts'
import { connectBrowser } from './browser.ts'
import { leaseContext, type VisitOptions } from './contexts.ts'

export const wrongSentence = 'Wrong user or password. If you are sure, wait a few minutes and try again.'

/** A service, and visits to it by the one Chromium of the run. */
export async function browserForFile(): Promise<{ service: TestService; visit: Visit }> {
  const service = await serviceForFile()
  return { service, visit: visitsOf(service, await connectBrowser()) }
}

/** Visits to one service by one browser. */
export function visitsOf(service: TestService, browser: Browser): Visit {
  return async (allowed, act, options = {}) => {
    const lease = await leaseContext(browser, options, act.length > 1)
    const { context } = lease
    const watched = watch(context, [service.url, ...allowed], options.rejected)
    try {
      if (options.javaScriptEnabled !== false) {
        // As on a second visit. On the first, a page with times reloads itself once to learn the time zone.
        const value = options.timezoneId ?? 'UTC'
        await context.addCookies([{ name: 'refdesk_zone', value, url: service.url }])
      }
      await act(await lease.openPage(), context).catch((error: Error) => {
        throw watched.errors.length === 0
          ? error
          : new Error([error.message, ...watched.errors].join('\n'), { cause: error })
      })
      await noteCookies(context)
      assert.deepEqual(watched.errors, [], 'errors that the browser reported')
    } finally {
      watched.stop()
      await lease.end([service.url, ...allowed])
    }
  }
}

/** A visit without cookies or stored data of earlier ones. It fails if the browser reports an error (of a script or the
 *  content security policy) or sends a request to an origin other than the service and the allowed ones. */
export type Visit = (
  allowed: readonly string[],
  act: (page: Page, context: BrowserContext) => Promise<void>,
  options?: VisitOptions,
) => Promise<void>

/** Chromium reports a page with an error status as if a resource were missing, which the test expects. */
const expectedStatus = /^Failed to load resource: the server responded with a status of (400|401|403|404) /

function watch(
  context: BrowserContext,
  allowed: readonly string[],
  rejected: readonly string[] = [],
): { errors: string[]; stop(): void } {
  const errors: string[] = []
  const onConsole = (message: ConsoleMessage) => {
    const { url } = message.location()
    const isExpected =
      expectedStatus.test(message.text()) &&
      (url === message.page()?.url() || rejected.some((path) => url === `${allowed[0]}${path}`))
    if (/^(error|warning)$/.test(message.type()) && !isExpected) errors.push(message.text())
  }
  const onWebError = (problem: WebError) => errors.push(String(problem.error()))
  const onRequest = (request: Request) => {
    const { origin, protocol } = new URL(request.url())
    if (/^https?:$/.test(protocol) && !allowed.includes(origin)) errors.push(`requested ${origin}`)
  }
  context.on('console', onConsole).on('weberror', onWebError).on('request', onRequest)
  const stop = () => void context.off('console', onConsole).off('weberror', onWebError).off('request', onRequest)
  return { errors, stop }
}

/** The time zone of the console is no secret, and is in many responses. */
const openCookies = ['refdesk_zone']

async function noteCookies(context: BrowserContext): Promise<void> {
  for (const { name, value } of await context.cookies()) if (!openCookies.includes(name)) noteSecret(name, value)
}

/** A separate app for a test: consents are remembered per app and must not affect the next test. */
export async function registerApp(
  service: TestService,
  more: Partial<AppRecord> & { Flow: Flow; RedirectUris: readonly string[] },
): Promise<AppRecord> {
  const app: AppRecord = {
    AppKey: randomBytes(16).toString('hex'),
    ClientKey: demoKey('client ada'),
    Name: 'Kite Notes',
    Description: 'An app of a test.',
    IsTradingEnabled: false,
    ...(more.Flow === 'Code' && { Secret: randomBytes(16).toString('hex') }),
    ...more,
  }
  if (app.Secret) noteSecret('secret', app.Secret)
  await importApp(service.node.context.db, masterKey, app, service.clock.now())
  return app
}

/** The address with which an app sends people to sign in, whatever its flow. */
export function startOf(service: TestService, app: AppRecord, more: Record<string, string> = {}): string {
  return authorizeUrl(service.url, {
    response_type: app.Flow === 'Implicit' ? 'token' : 'code',
    client_id: app.AppKey,
    redirect_uri: app.RedirectUris[0] ?? '',
    state: 'a state & more',
    ...(app.Flow === 'PKCE' && { code_challenge: pkcePair().challenge, code_challenge_method: 'S256' }),
    ...more,
  })
}

/** Fills the form in and presses the button that signs in. */
export async function signInOnPage(page: Page, user = 'ada', password = demoPassword): Promise<void> {
  await page.getByLabel('User').fill(user)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: /^Sign in and continue to / }).click()
}

/** Waits until the browser is at this address; returns the parameters in its query or fragment. */
export async function handedTo(page: Page, redirectUri: string): Promise<{ query: Handed; fragment: Handed }> {
  await page.waitForURL((url) => `${url.origin}${url.pathname}` === redirectUri)
  const query = new URL(page.url()).searchParams
  const fragment = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1))
  for (const name of ['code', 'access_token'])
    for (const value of [query.get(name), fragment.get(name)]) if (value) noteSecret(name, value)
  return { query: Object.fromEntries(query), fragment: Object.fromEntries(fragment) }
}

export type Handed = Record<string, string>
