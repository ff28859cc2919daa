import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertFits, sharedConsole } from '../support/browser/console.ts'

const { service, visit } = await sharedConsole()

const search = '/console/instruments'
const words = (page: Page) => page.getByLabel('Name, symbol, ISIN or Uic')
const names = (page: Page) => page.locator('#results tbody th a:first-of-type').allTextContents()

/** Waits for the heading of the results. */
const showsResults = (page: Page, name: string | RegExp) =>
  page.locator('#results').getByRole('heading', { name }).waitFor()

test('results and URL follow the input, results sort by a click, and Back restores the search', async () => {
  await visit(
    async (page) => {
      await showsResults(page, /^1,2\d\d tradable instruments and option chains$/)
      assert.equal(await page.locator('.sort').count(), 0, 'incomplete results are not sortable')
      await words(page).pressSequentially('alphabet')
      await showsResults(page, '3 results for “alphabet”')
      assert.equal(page.url(), `${service.url}${search}?Keywords=alphabet`)
      await page.getByRole('status').filter({ hasText: '3 results for “alphabet”' }).waitFor({ state: 'attached' })
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'f-Keywords')

      const found = ['Alphabet Inc. - A Share', 'Alphabet Inc. - C Share', 'Alphabet Inc. - A Share - Options']
      assert.deepEqual(await names(page), found)
      const head = page.getByRole('columnheader', { name: 'Symbol' })
      for (const [direction, symbols] of [
        ['ascending', ['GOOG:xnas', 'GOOGL:xcbo', 'GOOGL:xnas']],
        ['descending', ['GOOGL:xnas', 'GOOGL:xcbo', 'GOOG:xnas']],
        ['none', ['GOOGL:xnas', 'GOOG:xnas', 'GOOGL:xcbo']],
      ] as const) {
        await head.getByRole('button').click()
        assert.equal(await head.getAttribute('aria-sort'), direction)
        assert.deepEqual(await page.locator('#results tbody td:first-child').allTextContents(), symbols)
      }

      await page.getByText('Asset types', { exact: true }).first().click()
      await page.getByLabel('Bond', { exact: true }).check()
      await showsResults(page, 'No results for “alphabet” in Bond.')
      await page.getByLabel('Exchange').selectOption('London Stock Exchange (LSE)')
      await showsResults(page, 'No results for “alphabet” in Bond on LSE.')
      await page.getByText('Asset types', { exact: true }).first().click()
      await page.getByRole('link', { name: 'Clear filters' }).click()
      await showsResults(page, '3 results for “alphabet”')
      await page.getByRole('link', { name: 'Alphabet Inc. - C Share' }).click()
      await page.getByRole('heading', { level: 1, name: 'Alphabet Inc. - C Share GOOG:xnas' }).waitFor()
      await page.goBack()
      await showsResults(page, '3 results for “alphabet”')
      assert.equal(await words(page).inputValue(), 'alphabet')
    },
    { next: search },
  )
})

test('search as you type handles rate limits and an ended session', async () => {
  await visit(
    async (page) => {
      await page.evaluate(() => {
        const { fetch } = window
        const tooMany = new Response('', { status: 429, headers: { 'retry-after': '1' } })
        window.fetch = (...given) => (given.length > 0 && !tooMany.bodyUsed ? refuse() : fetch(...given))
        const refuse = async () => {
          await tooMany.text()
          return tooMany
        }
      })
      await words(page).fill('apple')
      await page.getByText('Too many searches. The next one starts in 1 s.').first().waitFor()
      await showsResults(page, /results? for “apple”$/)
      await page.context().clearCookies()
      await words(page).fill('apples')
      await page.getByLabel('Password').waitFor()
    },
    { next: search },
  )
})

test('without script: the form, its filters, pages and links work', async () => {
  await visit(
    async (page) => {
      await words(page).fill('s&p 500')
      await page.getByText('Asset types', { exact: true }).first().click()
      await page.getByLabel('Future', { exact: true }).check()
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('link', { name: 'E-mini S&P 500 - Dec 2026' }).waitFor()
      assert.ok(
        page.url().endsWith('?Keywords=s%26p+500&AssetTypes=ContractFutures&ExchangeId=&Class=&IncludeNonTradable='),
      )
      assert.equal(await page.getByRole('link', { name: 'E-mini S&P 500 - Continuous' }).count(), 0)
      await page.getByText('More', { exact: true }).click()
      await page.getByLabel('Tradable').selectOption('All visible instruments')
      await page.getByRole('button', { name: 'Search' }).click()
      const curve = page.getByRole('link', { name: 'E-mini S&P 500 - Continuous', exact: true })
      assert.equal(await curve.getAttribute('href'), '/console/futures/5000')

      await page.goto(`${service.url}${search}?Keywords=options&Class=Complex&AssetTypes=StockOption`)
      const first = page.getByRole('link', { name: 'Apple Inc. - Options' })
      assert.equal(await first.getAttribute('href'), '/console/options/1')
      await page.getByText(/^Page 1: 1–25 of \d\d$/).waitFor()
      await page.getByRole('link', { name: 'Next page' }).click()
      await page.getByText(/^Page 2: 26–\d\d of \d\d$/).waitFor()
      assert.equal(await first.count(), 0)
      await page.getByRole('link', { name: 'First page' }).click()
      await first.waitFor()
      assert.equal(await page.getByLabel('Complexity').inputValue(), 'Complex')
      await page.getByRole('link', { name: 'Complex remove', exact: true }).click()
      await page.waitForURL(`${service.url}${search}?Keywords=options&AssetTypes=StockOption`)

      await page.goto(`${service.url}${search}?ExchangeId=nowhere`)
      await page.getByText('There is no exchange with the ID nowhere.').waitFor()
      assert.equal(await page.getByLabel('Exchange').inputValue(), 'nowhere')
      await page.goto(`${service.url}${search}?ExchangeId=nasdaq&$skip=9999`)
      await page.getByText('This page is past the last result.').waitFor()
      assert.equal(await page.getByLabel('Exchange').inputValue(), 'NASDAQ')
      await page.getByRole('link', { name: 'First page' }).click()
      const frame = page.getByRole('region', { name: 'Search results' })
      assert.ok(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'the table fits')
      await page.getByRole('link', { name: 'Hours and holidays of nasdaq' }).click()
      await page.waitForURL(`${service.url}/console/exchanges/nasdaq`)
      const there = page.getByRole('link', { name: 'Instruments on this exchange' })
      assert.equal(await there.getAttribute('href'), `${search}?ExchangeId=NASDAQ`)

      assert.equal((await page.goto(`${service.url}${search}?Class=odd`))?.status(), 400)
      await page.getByText('Class: Must be one of: Complex, NonComplex.').waitFor()
    },
    { next: search, javaScriptEnabled: false },
  )
})

test('a Uic finds its instrument alone, and a link leads to what has the number in its name or symbol', () =>
  visit(
    async (page) => {
      await words(page).fill('1000')
      await showsResults(page, '1 instrument has the Uic 1000')
      assert.deepEqual(await names(page), ['Apple Inc.'])
      await page.getByRole('link', { name: /^\d+ more with “1000” in name or symbol$/ }).click()
      await showsResults(page, /^\d+ results for “1000”$/)
      assert.ok((await names(page)).length > 1)
    },
    { next: search },
  ))

test('data begin within 160 px of the top on a laptop; on a phone results are cards with their Uic', () =>
  visit(
    async (page) => {
      const row = page.locator('#results tbody tr').first()
      const box = await row.boundingBox()
      assert.ok(box && box.y < 160, `the first row is at ${box?.y}`)
      await page.setViewportSize({ width: 390, height: 844 })
      await assertFits(page)
      const uic = await row.getByText('1000', { exact: true }).boundingBox()
      assert.ok(uic && uic.x > 0 && uic.x + uic.width <= 390, `the Uic is at ${JSON.stringify(uic)}`)
      for (const name of ['Asset types', 'More']) {
        await page.getByText(name, { exact: true }).first().click()
        await assertFits(page)
      }
      await page.keyboard.press('Escape')
      assert.equal(await page.locator('.pop[open]').count(), 0, 'opening one closes the other, and Escape closes it')
    },
    { next: search },
  ))
