import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { readerPages } from '../../src/console/reader/routes.ts'
import { consoleParts } from '../../src/console/shared/dependencies.ts'
import { Pages } from '../../src/console/shared/router.ts'
import { FixedClock } from '../../src/core/clock.ts'
import { deriveKey } from '../../src/core/crypto/keys.ts'
import { testServer } from '../../src/http/test-server.ts'
import { accessFaults, assertFits, consoleForFile } from '../support/browser/console.ts'
import { masterKey } from '../support/service/service.ts'

const clock = new FixedClock('2026-11-15T10:00:00Z')
const { service, visit } = await consoleForFile({ reference: false, clock })
const next = '/console/api'
const usersMe = '#tag/port/GET/port/v1/users/me'
const instruments = '/ref/v1/instruments'

async function assertAccessible(page: Page, what: string): Promise<void> {
  assert.deepEqual(await accessFaults(page), [], `${what}, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await accessFaults(page, ['color-contrast']), [], `${what}, dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Opens the reader at an operation, and there the form that tries it. */
async function openTry(page: Page, hash: string, name: string): Promise<void> {
  await page.goto(`${service.url}${next}${hash}`)
  await page.reload()
  await page
    .getByRole('region', { name })
    .getByRole('button', { name: /Test Request/ })
    .click()
}

/** Presses Send, and waits for what the API answers. */
async function send(page: Page, from = service.baseUrl) {
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.url().startsWith(from)),
    page.getByRole('button', { name: /^Send/ }).first().click(),
  ])
  const { authorization } = await response.request().allHeaders()
  const asked = response.url().slice(service.url.length)
  return { asked, status: response.status(), authorization, body: await response.text() }
}

test('the reader shows all operations and tries one with the token of the session, also after that token has ended', async () => {
  await visit(
    async (page) => {
      const policy = (await page.reload())?.headers()['content-security-policy'] ?? ''
      assert.match(policy, /script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'/)
      await page.getByRole('heading', { level: 1, name: 'refdesk' }).waitFor()
      await page.getByText('Reference data', { exact: true }).first().waitFor()
      await page.getByRole('link', { name: 'API', exact: true }).waitFor()
      assert.equal(await page.getByRole('main').count(), 1)

      // Examples are filled in; what may be left out is sent once it has a value.
      await openTry(page, `#tag/ref/GET${instruments}`, 'Search instruments and option roots')
      assert.equal((await send(page)).asked, `/sim/openapi${instruments}?Keywords=apple`)
      const byClass = page.getByRole('row').filter({ has: page.getByLabel('Include Class in request') })
      await byClass.getByRole('button', { name: 'Choose' }).click()
      await page.getByRole('menuitem', { name: 'NonComplex', exact: true }).click()
      assert.equal((await send(page)).asked, `/sim/openapi${instruments}?Class=NonComplex&Keywords=apple`)

      // What is beside the REST interface is tried where it is.
      await openTry(page, '#tag/health/GET/health/live', 'Whether the process answers')
      assert.equal((await send(page, `${service.url}/health`)).asked, '/health/live')

      await openTry(page, usersMe, 'The user of the token')
      const first = await send(page)
      assert.equal(first.status, 200)
      assert.equal(JSON.parse(first.body).UserId, 'ada')
      await page.getByText('200 OK').waitFor()
      await assertAccessible(page, 'an answer')

      clock.advance(service.config.accessTokenSeconds + 60)
      await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + 86_400_000)
      const second = await send(page)
      assert.equal(second.status, 200)
      assert.notEqual(second.authorization, first.authorization)
    },
    { next },
  )
})

test('on a phone the reader fits, and nobody gets a token from it without our form', async () => {
  await visit(
    async (page) => {
      await page.getByRole('heading', { level: 1, name: 'refdesk' }).waitFor()
      await assertFits(page)
      await assertAccessible(page, 'on a phone')
      const refused = await page
        .context()
        .request.post(`${service.url}/console/api/token`, { form: { form_token: 'x' } })
      assert.equal(refused.status(), 400)
      assert.doesNotMatch(await refused.text(), /eyJ/)
    },
    { next, viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' },
  )
})

test('without script there is the list of all operations, a page like every other', async () => {
  const { paths } = await (await fetch(`${service.url}/openapi.json`)).json()
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

test('the script is cached for ever by its name, carries its licence, and comes as it is asked for; without it there is the list', async () => {
  await visit(
    async (page) => {
      const text = await (await page.context().request.get(`${service.url}${next}`)).text()
      const name = /<script src="([^"]*)" defer>/.exec(text)?.[1]
      const ask = (encoding: string) =>
        service.node.server.inject({ url: name ?? '', headers: { 'accept-encoding': encoding } })
      const [brotli, gzip, plain] = await Promise.all([ask('br, gzip'), ask('gzip'), ask('identity')])
      assert.equal(brotli.headers['content-encoding'], 'br')
      assert.ok(brotli.rawPayload.length < gzip.rawPayload.length)
      assert.match(String(gzip.headers['cache-control']), /immutable/)
      assert.match(String(gzip.headers.vary), /accept-encoding/i)
      assert.ok(gunzipSync(gzip.rawPayload).equals(plain.rawPayload))
      assert.match(plain.body.slice(0, 200), /MIT License\s+Copyright/)
      const other = await service.node.server.inject('/console/api/reader-00000000.js')
      assert.equal(other.statusCode, 404)

      // The same page where the reader cannot be made: it says so, and there is the list.
      const { server } = testServer()
      const { config, node } = service
      const parts = consoleParts({
        environment: config.environment,
        publicUrl: config.publicUrl,
        appKey: '',
        callback: '',
        sealKey: deriveKey(masterKey, 'console'),
        clock,
        call: (request) => node.server.inject(request),
        travel: () => undefined,
        secretsMode: 'listed',
      })
      readerPages(server, new Pages(server, parts), () => Promise.reject(new Error('It is broken.')))
      const cookies = await page.context().cookies()
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const failed = await server.inject({ url: next, headers: { cookie } })
      assert.equal(failed.statusCode, 200)
      assert.match(failed.body, /The reader cannot be shown right now\. <a href="\/console\/api">Try again/)
      assert.match(failed.body, /The user of the token/)
    },
    { next, javaScriptEnabled: false },
  )
})
