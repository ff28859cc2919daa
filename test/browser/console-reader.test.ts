import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { readerRoutes } from '../../src/console/reader/routes.ts'
import { consoleDependencies } from '../../src/console/shared/dependencies.ts'
import { PageRouter } from '../../src/console/shared/router.ts'
import { deriveKey } from '../../src/core/crypto/keys.ts'
import { UploadSlots } from '../../src/http/limits/upload-slots.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFits, consoleForFile } from '../support/browser/console.ts'
import { FixedClock } from '../support/clock.ts'
import { testServer } from '../support/http-server.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { masterKey } from '../support/service/service.ts'

const clock = new FixedClock('2026-11-15T10:00:00Z')
const { service, visit } = await consoleForFile({ reference: false, clock })
const next = '/console/api'
const usersMe = '/port/v1/users/me'
const instruments = '/ref/v1/instruments'

type Method = 'GET' | 'POST'
type Document = { paths: Record<string, Record<Lowercase<Method>, { summary: string }>> }
const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document
const summaryOf = (path: string, method: Method = 'GET'): string =>
  paths[path]?.[method === 'GET' ? 'get' : 'post'].summary ?? ''

const tagOf: Record<string, string> = { '/token': 'sign-in' }

/** Opens the form that tries an operation, without loading the reader again. */
async function openTry(page: Page, path: string, method: Method = 'GET'): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('.scalar-client--open').waitFor({ state: 'detached' })
  await page.goto(`${service.url}${next}#tag/${tagOf[path] ?? path.split('/')[1]}/${method}${path}`)
  await page
    .getByRole('region', { name: summaryOf(path, method) })
    .getByRole('button', { name: /Test Request/ })
    .click()
}

/** Presses Send and waits for the response. */
async function send(page: Page, from = service.baseUrl) {
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.url().startsWith(from)),
    page.getByRole('button', { name: /^Send/ }).first().click(),
  ])
  const { authorization } = await response.request().allHeaders()
  const path = response.url().slice(service.url.length)
  return { path, status: response.status(), authorization, body: await response.text() }
}

test('the API reader tries operations with the session token, and refreshes it when it has expired', async () => {
  await visit(
    async (page) => {
      const policy = (await page.goto(`${service.url}${next}`))?.headers()['content-security-policy'] ?? ''
      assert.match(policy, /script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'/)
      await page.getByRole('heading', { level: 1, name: 'refdesk' }).waitFor()
      await page.getByText('Reference data', { exact: true }).first().waitFor()
      await page.getByRole('link', { name: 'API', exact: true }).waitFor()
      assert.equal(await page.getByRole('main').count(), 1)

      await openTry(page, usersMe)
      const first = await send(page)
      assert.equal(first.status, 200)
      assert.equal(JSON.parse(first.body).UserId, 'ada')
      await page.getByText('200 OK').waitFor()
      await assertAccessible(page, 'a response')

      clock.advance(service.config.accessTokenSeconds + 60)
      await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + 86_400_000)
      const second = await send(page)
      assert.equal(second.status, 200)
      assert.notEqual(second.authorization, first.authorization)

      // Examples are filled in; optional parameters are sent only with a value.
      await openTry(page, instruments)
      assert.equal((await send(page)).path, `/sim/openapi${instruments}?Keywords=apple`)
      const byClass = page.getByRole('row').filter({ has: page.getByLabel('Include Class in request') })
      await byClass.getByRole('button', { name: 'Choose' }).click()
      await page.getByRole('menuitem', { name: 'NonComplex', exact: true }).click()
      assert.equal((await send(page)).path, `/sim/openapi${instruments}?Class=NonComplex&Keywords=apple`)

      // Operations outside the base URL use their own.
      await openTry(page, '/health/live')
      assert.equal((await send(page, `${service.url}/health`)).path, '/health/live')
    },
    // It changes the clock of its context.
    { next: '/console/apps', isFresh: true },
  )
})

/** Counts how often the browser would ask the user for a password. The request waits for the answer. */
async function passwordPrompts(page: Page): Promise<{ count: number }> {
  const devtools = await page.context().newCDPSession(page)
  const prompts = { count: 0 }
  devtools.on('Fetch.authRequired', ({ requestId }) => {
    prompts.count++
    void devtools.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: { response: 'CancelAuth' } })
  })
  devtools.on('Fetch.requestPaused', ({ requestId }) => void devtools.send('Fetch.continueRequest', { requestId }))
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/token' }], handleAuthRequests: true })
  return prompts
}

test('the API reader gets tokens from /token as the demo app, and a wrong secret causes no password prompt', async () => {
  await visit(
    async (page) => {
      const prompts = await passwordPrompts(page)
      await page.goto(`${service.url}${next}`)
      await page.getByRole('heading', { level: 1, name: 'refdesk' }).waitFor()
      await openTry(page, '/token', 'POST')
      const asDemoApp = await send(page, `${service.url}/token`)
      assert.equal(asDemoApp.status, 200, asDemoApp.body)
      const tokens = JSON.parse(asDemoApp.body) as { access_token: string; refresh_token: string }
      noteSecret('access token', tokens.access_token)
      noteSecret('refresh token', tokens.refresh_token)
      await page.getByText('200 OK').waitFor()

      await page
        .getByRole('button', { name: /^Authentication/ })
        .last()
        .click()
      await page.getByLabel('Password').fill('wrong')
      assert.equal((await send(page, `${service.url}/token`)).status, 401)
      await page.getByText('401 Unauthorized').waitFor()
      assert.equal(prompts.count, 0)
    },
    { next: '/console/apps', isFresh: true, rejected: ['/token'] },
  )
})

test('the API reader says why there is no code once the sign-in of the browser has ended', async () => {
  await visit(
    async (page) => {
      await page.context().clearCookies({ name: /signin/ })
      await openTry(page, '/token', 'POST')
      assert.equal((await send(page, `${service.url}/token`)).status, 400)
      await page.getByText('There is no code, because your sign-in has ended.').waitFor()
    },
    { next: '/console/apps', isFresh: true, rejected: ['/token'] },
  )
})

test('the API reader fits a phone, and its token endpoint needs the form token', async () => {
  await visit(
    async (page) => {
      await page.getByRole('heading', { level: 1, name: 'refdesk' }).waitFor()
      await assertFits(page)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const inReader = page.locator('#api-reader *').first()
      assert.equal(await inReader.evaluate((element) => getComputedStyle(element).transitionProperty), 'none')
      await assertAccessible(page, 'on a phone')
      const rejected = await page
        .context()
        .request.post(`${service.url}/console/api/token`, { form: { form_token: 'x' } })
      assert.equal(rejected.status(), 400)
      assert.doesNotMatch(await rejected.text(), /eyJhbGciOi/)
    },
    { next, viewport: { width: 390, height: 844 } },
  )
})

test('without script: lists all operations on a plain page', async () => {
  const operations = Object.values<object>(paths).flatMap((path) =>
    Object.keys(path).filter((key) => key !== 'servers'),
  )
  await visit(
    async (page) => {
      await page.waitForURL(`${service.url}${next}?plain=yes`)
      assert.equal(await page.locator('main .operations > li').count(), operations.length)
      await page.getByRole('heading', { level: 2, name: 'Corporate actions' }).waitFor()
      await assertFits(page)
    },
    { next, javaScriptEnabled: false, viewport: { width: 390, height: 844 } },
  )
})

test('the reader script is immutable, compressed and licensed; without it the plain list is shown', async () => {
  await visit(
    async (page) => {
      const text = await (await page.context().request.get(`${service.url}${next}`)).text()
      const name = /<script src="([^"]*)" defer>/.exec(text)?.[1]
      const request = (encoding: string) =>
        service.node.server.inject({ url: name ?? '', headers: { 'accept-encoding': encoding } })
      const [brotli, gzip, plain] = await Promise.all([request('br, gzip'), request('gzip'), request('identity')])
      assert.equal(brotli.headers['content-encoding'], 'br')
      assert.ok(brotli.rawPayload.length < gzip.rawPayload.length)
      assert.match(String(gzip.headers['cache-control']), /immutable/)
      assert.match(String(gzip.headers.vary), /accept-encoding/i)
      assert.ok(gunzipSync(gzip.rawPayload).equals(plain.rawPayload))
      assert.match(plain.body.slice(0, 200), /MIT License\s+Copyright/)
      const other = await service.node.server.inject('/console/api/reader-00000000.js')
      assert.equal(other.statusCode, 404)

      // If the script cannot be loaded, the page says so and shows the list.
      const { server } = testServer()
      const { config, node } = service
      const deps = consoleDependencies({
        environment: config.environment,
        publicUrl: config.publicUrl,
        appKey: '',
        callback: '',
        sealKey: deriveKey(masterKey, 'console'),
        clock,
        call: (request) => node.server.inject(request),
        travel: () => undefined,
        activeFaults: () => 0,
        secretsMode: 'listed',
        acceptsElections: true,
        hasRequestLog: true,
        uploads: new UploadSlots(),
        isExplained: () => false,
      })
      readerRoutes(server, new PageRouter(server, deps), () => Promise.reject(new Error('broken')))
      const cookies = await page.context().cookies()
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const failed = await server.inject({ url: next, headers: { cookie } })
      assert.equal(failed.statusCode, 200)
      assert.match(failed.body, /The API reference is currently unavailable\. <a href="\/console\/api">Try again/)
      assert.ok(failed.body.includes(summaryOf(usersMe)))
    },
    { next, javaScriptEnabled: false },
  )
})
