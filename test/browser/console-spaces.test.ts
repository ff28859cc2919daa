import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFits, sharedConsole } from '../support/browser/console.ts'

// The clock is at Monday, 16 November 2026, 12:00 UTC: two and a half hours before New York opens.
const { service, visit } = await sharedConsole()

test('without script: from a search to the next monthly expiry, another expiry and a contract', () =>
  visit(
    async (page) => {
      await page.getByLabel('Name, symbol, ISIN or Uic').fill('AAPL')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('link', { name: 'Apple Inc. - Options' }).click()
      await page.waitForURL(`${service.url}/console/options/1`)
      const expiries = page.getByRole('navigation', { name: 'Expiries' })
      await expiries
        .getByRole('link', { name: /^20\s+Nov 2026, 4 d\s*, monthly$/ })
        .and(page.locator('[aria-current]'))
        .waitFor()
      await page
        .getByRole('heading', { name: '20 Nov 2026 4 days left, by the date at Cboe Options Exchange' })
        .waitFor()

      await expiries.getByRole('link', { name: '18 Dec' }).click()
      await page.waitForURL(`${service.url}/console/options/1?expiry=2026-12-18`)
      const money = page.locator('tr.money')
      assert.match(await money.innerText(), /267\.5\s+at the money/)
      const box = await money.boundingBox()
      assert.ok(box && box.y > 0 && box.y + box.height < 800, `at the money is in view: ${JSON.stringify(box)}`)
      assert.equal(await page.locator('.chain tbody tr').count(), 25)

      const overview = page.getByRole('region', { name: 'Expiries of this chain' })
      const shown = overview.getByRole('row', { name: /shown above/ })
      assert.match(await shown.innerText(), /18 Dec 2026\s+monthly shown above\s+32\s+230\.0\s+305\.0\s+25\s+50/)
      assert.equal(await page.locator('svg.roomy .strike-dots').count(), await overview.locator('tbody tr').count())

      await money.getByRole('link', { name: 'Put 267.5' }).click()
      await page.waitForURL(/\/console\/instruments\/\d+\/StockOption$/)
      const chain = page.getByRole('link', { name: 'Apple Inc. - Options' })
      assert.equal(await chain.getAttribute('href'), '/console/options/1')
      await page.goto(`${service.url}/console/options/1?expiry=2026-11-06`)
      assert.equal(new URL(page.url()).search, '?expiry=2026-11-20', 'redirects to the next expiry')

      await page.goto(`${service.url}/console/options/1?expiry=2026-12-18`)
      await page.getByLabel('Strikes from').fill('260')
      await page.getByLabel('to', { exact: true }).fill('270')
      await page.getByRole('button', { name: 'Filter' }).click()
      await page.getByText('5 of 25 strikes').waitFor()
      assert.equal(await page.locator('.chain tbody tr').count(), 5)
      await page.goto(`${service.url}/console/options/1?expiry=2026-12-18&from=9999`)
      await page.getByText('No strikes are in this range.').waitFor()

      await page.goto(`${service.url}/console/options/26`)
      await page
        .getByText('delivers 12 units but its strikes are multiplied by 100, so at the money is 36.864.')
        .waitFor()
      assert.match(await money.innerText(), /37\.0\s+at the money/)
      assert.equal(await page.locator('svg.roomy .money-line + text').textContent(), 'at the money, 36.864')
      await page.goto(`${service.url}/console/options/60`)
      await page.getByText(/^Options on E-mini S&P 500 - Dec 2026, reference price 6,76\d/).waitFor()
    },
    { javaScriptEnabled: false, next: '/console/instruments' },
  ))

test('shows a futures curve, and trading hours at the exchange and in the time zone of the reader', () =>
  visit(
    async (page) => {
      await page.goto(`${service.url}/console/futures/5004`)
      await page.getByRole('img', { name: /^24 expiries of Crude Oil WTI .* with their reference prices/ }).waitFor()
      const next = page
        .getByRole('region', { name: /^Contracts of Crude Oil/ })
        .locator('tbody tr')
        .first()
      assert.match(await next.innerText(), /CLZ6\s+20 Nov 2026\s+4\s+59\.90\s+5524/)

      await page.getByRole('link', { name: 'Trading hours and holidays' }).click()
      await page.locator('.lead-line').getByText('Open · closes 16:00').waitFor()

      await page.goto(`${service.url}/console/futures/5000`)
      for (const [name, id] of [
        ['E-mini S&P 500 - Options', 60],
        ['E-mini S&P 500 End of Month - Options', 61],
      ] as const)
        assert.equal(await page.getByRole('link', { name }).getAttribute('href'), `/console/options/${id}`)
      await page.goto(`${service.url}/console/schedule/4000/FxSpot`)
      await page.locator('.lead-line').getByText('Open · closes Fri 17:00').waitFor()
      const bands = await page.locator('svg.roomy').first().locator('text[class^=on-]').allTextContents()
      assert.deepEqual(bands, ['until 17:00', 'from 17:00'])

      await page.goto(`${service.url}/console/schedule/1000/Stock`)
      await page.locator('.lead-line').getByText('Pre-market · opens 09:30').waitFor()
      await page.getByText('New York time · opens 14:30 UTC, in 3 hours').waitFor()
      const week = () => page.getByRole('img', { name: /^Trading hours of Apple/ }).textContent()
      assert.match((await week()) ?? '', /New York.*UTC05.*Mon 16 Nov.*09:30–16:00.*now 07:00/s)
      await page.goto(`${service.url}/console/schedule/1000/Stock?zone=Asia/Tokyo`)
      assert.match((await week()) ?? '', /New York.*Tokyo14.*05 \+1 d.*09:30–16:00/s)
      await page.getByRole('row', { name: 'Thu 26 Nov 2026 Thanksgiving Day closed in 10 days' }).waitFor()
      await page
        .getByRole('row', { name: 'Open Mon 16 Nov, 09:30 – 16:00 Mon 16 Nov, 23:30 – Tue 17 Nov, 06:00' })
        .waitFor()

      await page.goto(`${service.url}/console/schedule/1000/Stock?zone=Mars`)
      await page.getByText('“Mars” is not a known time zone; showing UTC.').waitFor()
      for (const [path, heading] of [
        ['/console/options/99999', 'Not found'],
        ['/console/futures/1000', 'Invalid request'],
        ['/console/schedule/1/Stock', 'Not found'],
      ] as const) {
        await page.goto(`${service.url}${path}`)
        assert.equal(await page.locator('h1').innerText(), heading, path)
      }
    },
    { javaScriptEnabled: false },
  ))

test('without script: the exchanges say who is open and until when, and each has a page with its week and holidays', () =>
  visit(
    async (page) => {
      await page.getByText(/^\d+ of 29 open now$/).waitFor()
      const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) })
      await row('Tokyo Stock Exchange').getByText('Closed · opens Tue 09:00').waitFor()
      await row('Tokyo Stock Exchange').getByText('opens Tue 00:00 UTC, in 12 hours').waitFor()
      await row('London Stock Exchange').getByText('Open · closes 16:30').waitFor()
      const names = await page.locator('.world tbody th').allTextContents()
      assert.ok(names.indexOf('Tokyo Stock Exchange') < names.indexOf('London Stock Exchange'), 'from east to west')
      await page
        .getByRole('row', { name: /^Mon 23 Nov 2026 .*Tokyo Stock Exchange Labor Thanksgiving Day closed$/ })
        .waitFor()

      await row('Tokyo Stock Exchange').getByRole('link').click()
      await page.waitForURL(`${service.url}/console/exchanges/TYO`)
      await page.getByText('Tokyo time · opens Tue 00:00 UTC, in 12 hours').waitFor()
      const week = await page
        .getByRole('img', { name: /^Trading hours of Tokyo Stock Exchange in Tokyo time and UTC/ })
        .textContent()
      assert.match(week ?? '', /Tokyo.*UTC15 −1 d.*09:00–11:30.*12:30–15:30/s)
      await page.getByRole('link', { name: 'Instruments on this exchange' }).click()
      await page.waitForURL(`${service.url}/console/instruments?ExchangeId=TYO`)
      await page.getByRole('link', { name: 'Toyota Motor Corp.' }).click()
      await page.locator('.about-line').getByRole('link', { name: 'Tokyo Stock Exchange' }).click()
      await page.waitForURL(`${service.url}/console/exchanges/TYO`)
      assert.equal((await page.goto(`${service.url}/console/exchanges/XTKS`))?.status(), 404)
      await page.getByRole('heading', { name: 'Not found' }).waitFor()
    },
    { next: '/console/exchanges', javaScriptEnabled: false },
  ))

test('another expiry replaces the chain without moving the page, and a click copies the put at the money', () =>
  visit(
    async (page) => {
      const money = page.locator('tr.money')
      await money.waitFor()
      const expiries = page.getByRole('navigation', { name: 'Expiries' })
      await page.evaluate(() => scrollTo(0, 160))
      const before = await page.evaluate(() => [
        scrollY,
        document.querySelector('.expiries')?.getBoundingClientRect().top,
      ])
      // The second expiry after the one that is shown.
      await expiries.locator('[aria-current] ~ a, .month:has([aria-current]) ~ .month a').nth(1).click()
      await page.waitForURL(`${service.url}/console/options/1?expiry=2026-12-04`)
      await expiries.locator('[aria-current]').filter({ hasText: '18 d' }).waitFor()
      const after = await page.evaluate(() => [
        scrollY,
        document.querySelector('.expiries')?.getBoundingClientRect().top,
      ])
      assert.deepEqual(after, before, 'neither the page nor the bar moves')
      const [row, ladder] = [await money.boundingBox(), await page.locator('.ladder').boundingBox()]
      assert.ok(row && ladder && row.y > ladder.y && row.y + row.height < Math.min(ladder.y + ladder.height, 800))
      const put = money.locator('td.p .copy-value')
      await put.click()
      await page
        .getByRole('status')
        .getByText(`Copied ${await put.innerText()}`)
        .waitFor()
      await page.goBack()
      await expiries.locator('[aria-current]').filter({ hasText: '4 d' }).waitFor()
    },
    { next: '/console/options/1', isFresh: true, permissions: ['clipboard-read', 'clipboard-write'] },
  ))

test('without the rows of the ladder the page keeps the ladder that it has, and is not loaded again', () =>
  visit(
    async (page) => {
      let loads = 0
      await page.route('**/console/options/1*', async (route) => {
        const part = route.request().headers()['x-part']
        if (part === 'rows') return route.fulfill({ status: 404 })
        if (part === undefined) loads += 1
        // As for a chain with more strikes than one page has.
        const response = await route.fetch()
        const body = (await response.text()).replace('class="scroll ladder"', '$& data-asset-type="StockOption"')
        return route.fulfill({ response, body })
      })
      const rejected = page.waitForResponse((response) => response.status() === 404)
      await page.goto(`${service.url}/console/options/1`)
      await rejected

      const expiries = page.getByRole('navigation', { name: 'Expiries' })
      const rejectedAgain = page.waitForResponse((response) => response.status() === 404)
      await expiries.getByRole('link', { name: '18 Dec' }).click()
      await expiries.locator('[aria-current]').filter({ hasText: '32 d' }).waitFor()
      await rejectedAgain

      assert.equal(await page.locator('.chain tbody tr').count(), 25)
      assert.equal(loads, 1)
    },
    { next: '/console/exchanges', isFresh: true },
  ))

test('with script the ladder scrolls to the money, and all pages fit a phone', () =>
  visit(
    async (page) => {
      for (const path of ['/console/exchanges', '/console/exchanges/TYO']) {
        await page.goto(`${service.url}${path}`)
        await assertFits(page)
      }
      for (const path of ['/console/futures/5004', '/console/schedule/1000/Stock', '/console/options/1']) {
        await page.goto(`${service.url}${path}`)
        await assertFits(page)
        assert.equal(await page.locator('svg.roomy:visible').count(), 0, 'the narrow charts are shown')
      }
      const [row, ladder] = [await page.locator('tr.money').boundingBox(), await page.locator('.ladder').boundingBox()]
      assert.ok(row && ladder && row.y > ladder.y && row.y + row.height < ladder.y + ladder.height)
    },
    { viewport: { width: 390, height: 844 } },
  ))

test('finds an instrument by its Uic; a click or a key copies Uic and symbol', async () => {
  await visit(
    async (page) => {
      const copied = () => page.evaluate(() => navigator.clipboard.readText())
      await page.getByLabel('Name, symbol, ISIN or Uic').fill('1000')
      await page.getByRole('heading', { name: '1 instrument has the Uic 1000' }).waitFor()
      const first = page.locator('#results tbody tr').first()
      await first.getByRole('link', { name: 'Apple Inc.', exact: true }).waitFor()
      await first.getByRole('button', { name: '1000', description: 'Copy the Uic' }).click()
      await page.getByRole('status').getByText('Copied 1000').waitFor()
      assert.equal(await copied(), '1000')

      await first.getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: 'Apple Inc. AAPL:xnas' }).waitFor()
      await page.getByRole('heading', { level: 1 }).getByRole('button').press('Enter')
      await page.getByRole('status').getByText('Copied AAPL:xnas').waitFor()
      assert.equal(await copied(), 'AAPL:xnas')
    },
    { next: '/console/instruments', isFresh: true, permissions: ['clipboard-read', 'clipboard-write'] },
  )
})
