import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { accessibilityErrors } from '../support/browser/accessibility.ts'
import { connectBrowser } from '../support/browser/browser.ts'
import { assertFits, signInToConsole } from '../support/browser/console.ts'
import { signInOnPage, visitsOf } from '../support/browser/page.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'

const service = await serviceForFile({ reference: true })
const browser = await connectBrowser()
const visit = visitsOf(service, browser)

/** The token on the page, from the line to paste into a shell. */
async function shownToken(page: Page): Promise<string> {
  const line = (await page.locator('#token pre').textContent()) ?? ''
  const token = /^export TOKEN=(\S+)$/.exec(line)?.[1]
  assert.ok(token, line)
  noteSecret('day token', token)
  return token
}

test('the first page has less than 120 KB in total, with its fonts, and fits a phone', async () => {
  await visit([], async (page) => {
    const sizes: Promise<number>[] = []
    page.on('response', (response) => {
      const sized = response.request().sizes()
      sizes.push(sized.then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize))
    })
    await page.goto(service.url, { waitUntil: 'networkidle' })
    const icon = await fetch(new URL((await page.locator('link[rel=icon]').getAttribute('href')) ?? '', service.url))
    const transferred = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    assert.ok(sizes.length >= 6, `only ${sizes.length} responses: page, stylesheet, fonts, scripts`)
    const all = transferred + (await icon.arrayBuffer()).byteLength
    assert.ok(all < 120 * 1024, `${all} bytes`)

    for (const words of ['ada', 'refdesk-demo', 'Continue as ada'])
      await page.getByText(words, { exact: true }).first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await assertFits(page)
  })
})

test('a new user gets a token and working sample code in two clicks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-first-calls-'))
  after(() => rm(folder, { recursive: true }))
  await visit([], async (page) => {
    await page.goto(service.url)
    await page.getByRole('button', { name: 'Continue as ada' }).click()
    await page.getByRole('heading', { name: 'Make your first calls' }).waitFor()
    await page.getByRole('button', { name: 'Get a 24-hour token' }).click()
    const token = await shownToken(page)
    await page.getByText('Signed in as ada').waitFor()
    await page.getByText('36,106 contracts in 50 chains').waitFor()
    await page.getByRole('link', { name: "Apple's option chain" }).waitFor()
    for (const words of [service.url, service.baseUrl]) await page.getByText(words, { exact: true }).waitFor()

    await page.getByText('TypeScript', { exact: true }).click()
    await page.getByRole('heading', { name: 'Save as first.ts' }).waitFor()
    const program = join(folder, 'first.ts')
    await writeFile(program, (await page.locator('#calls details[open] pre').textContent()) ?? '')
    const env = { PATH: process.env.PATH, TOKEN: token }
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env, maxBuffer: 50_000_000 })
    const outputs = stdout.split('\n').filter((line) => line !== '')
    assert.equal(outputs.length, 4, stdout)
    for (const [index, words] of ['Service is alive', 'AAPL:xnas', '"StrikePrice":', 'EventId'].entries())
      assert.ok(/ 200 /.test(outputs[index] ?? '') && outputs[index]?.includes(words), `${words}: ${outputs[index]}`)
    assert.deepEqual(await accessibilityErrors(page, 'light'), [])
  })
})

test('without script: a token is shown once, and the printed curl calls work', async () => {
  await visit(
    [],
    async (page) => {
      await page.goto(service.url)
      await page.getByRole('main').getByRole('link', { name: 'sign in' }).click()
      await signInOnPage(page, 'bo')
      await page.getByRole('button', { name: 'Get a 24-hour token' }).click()
      const token = await shownToken(page)
      const authorization = `Bearer ${token}`
      const printed = await page.locator('#calls .curl pre').allTextContents()
      // Bo may see only stocks, so no option chain is offered.
      assert.equal(printed.length, 3)
      assert.equal(await page.getByRole('link', { name: 'option chain' }).count(), 0)
      for (const line of printed) {
        const url = /"(http[^"]+)"$/.exec(line)?.[1] ?? ''
        const response = await fetch(url, line.includes('$TOKEN') ? { headers: { authorization } } : {})
        assert.equal(response.status, 200, line)
      }
      await page.getByText('Python', { exact: true }).click()
      await page.getByText('import urllib.request').waitFor()
      assert.equal(await shownToken(page), token, 'the token stays visible in another language')
      await page.goto(`${service.url}/console/token`)
      await page.waitForURL(`${service.url}/`)
      assert.equal(await page.locator('#token pre').count(), 0, 'a token is shown once')
    },
    { javaScriptEnabled: false },
  )
})

test('an unknown path returns a page to browsers and JSON to programs', async () => {
  const asPerson = { headers: { accept: 'text/html,*/*;q=0.8' } }
  for (const path of ['/console/nothing', '/nothing', '/nothing?a=b&a=c']) {
    const answer = await fetch(`${service.url}${path}`, asPerson)
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /<h1>Page not found<\/h1>/)
  }
  for (const [url, init] of [
    [`${service.url}/nothing`, {}],
    [`${service.baseUrl}/nothing`, asPerson],
    [`${service.url}/nothing`, { ...asPerson, method: 'POST' }],
  ] as const) {
    const answer = await fetch(url, init)
    assert.equal(answer.status, 404)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  }
})

test('the first page with times reloads once with the time zone of the reader', async () => {
  const zone = 'Asia/Tokyo'
  await visit(
    [],
    async (page, context) => {
      const sessionsPage = `${service.url}/console/sessions`
      await signInToConsole(service, page, 'cy', '/')
      await context.clearCookies({ name: 'refdesk_zone' })
      let loads = 0
      page.on('response', (response) => {
        if (response.url() === sessionsPage) loads++
      })
      await page.goto(sessionsPage)
      await page.getByText(`Times are in ${zone}`).waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(loads, 2)
    },
    { timezoneId: zone },
  )
})
