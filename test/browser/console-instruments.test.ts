import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { readRevision } from '../../src/instruments/store.ts'
import { consoleForFile } from '../support/console.ts'
import { importTexts, instrument, lines } from '../support/import.ts'

const { service, visit } = await consoleForFile()

const markup = `"'><img src=x onerror=alert(1)><script>alert(2)</script><b>&amp;`
const name = `Zwicker ${markup}`
const hostile = instrument(90_000_001, {
  Symbol: '<img/src=x/onerror=alert(3)>:xlon',
  Description: name,
  PrimaryListing: 90_000_002,
  RelatedInstruments: [{ AssetType: 'Stock', Uic: 90_000_002 }],
})
const { faults } = await importTexts(service.database.connection, {
  'hostile.ndjson': lines(hostile, instrument(90_000_002, { Description: `Zwicker too ${markup}` })),
})
assert.deepEqual(faults, [])
await service.node.catalogue.reached(await readRevision(service.node.context.db))

const search = '/console/instruments'
const words = (page: Page) => page.getByLabel('Name, symbol or ISIN')
const names = (page: Page) => page.locator('#results tbody tr td:first-of-type a:first-of-type').allTextContents()

/** Waits until the page, or search as you type, tells this of its results. */
const told = (page: Page, name: string | RegExp) => page.locator('#results').getByRole('heading', { name }).waitFor()

test('results and the address follow what is typed and chosen, sort by a click, and lead to an instrument and back', async () => {
  await visit(
    async (page) => {
      await told(page, /^1,2\d\d instruments and option chains$/)
      await words(page).pressSequentially('alphabet')
      await told(page, '3 found for “alphabet”')
      assert.equal(page.url(), `${service.url}${search}?Keywords=alphabet`)
      await page.getByRole('status').filter({ hasText: '3 found for “alphabet”' }).waitFor({ state: 'attached' })
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
        assert.deepEqual(await page.locator('#results tbody th').allTextContents(), symbols)
      }

      await page.getByLabel('Bond', { exact: true }).check()
      await told(page, 'Nothing found for “alphabet” among Bond.')
      await page.getByLabel('Exchange').fill('nowhere')
      await page.getByText('There is no exchange with the id nowhere.').waitFor()
      await page.getByRole('link', { name: 'Drop the filters' }).click()
      await told(page, '3 found for “alphabet”')
      await page.getByRole('link', { name: 'Alphabet Inc. - C Share' }).click()
      await page.getByRole('heading', { level: 1, name: 'Alphabet Inc. - C Share GOOG:xnas' }).waitFor()
      await page.goBack()
      await told(page, '3 found for “alphabet”')
      assert.equal(await words(page).inputValue(), 'alphabet')
    },
    { next: search },
  )
})

test('too many searches and an ended session are told while typing', async () => {
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
      await page.getByText('Too many searches in a short time. The search goes on by itself in 1 s.').first().waitFor()
      await told(page, /found for “apple”$/)
      await page.context().clearCookies()
      await words(page).fill('apples')
      await page.getByLabel('Password').waitFor()
    },
    { next: search },
  )
})

test('without script, the form, its filters, the pages and the links do the same', async () => {
  await visit(
    async (page) => {
      await words(page).fill('s&p 500')
      await page.getByLabel('Future', { exact: true }).check()
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('link', { name: 'E-mini S&P 500 - Dec 2026' }).waitFor()
      assert.ok(
        page.url().endsWith('?Keywords=s%26p+500&AssetTypes=ContractFutures&ExchangeId=&Class=&IncludeNonTradable='),
      )
      assert.equal(await page.getByRole('link', { name: 'E-mini S&P 500 - Continuous' }).count(), 0)
      await page.getByLabel('Tradable').selectOption('All that I may see')
      await page.getByRole('button', { name: 'Search' }).click()
      const curve = page.getByRole('link', { name: 'E-mini S&P 500 - Continuous', exact: true })
      assert.equal(await curve.getAttribute('href'), '/console/futures/5000')

      await page.goto(`${service.url}${search}?Keywords=options&Class=Complex&AssetTypes=StockOption`)
      const first = page.getByRole('link', { name: 'Apple Inc. - Options' })
      assert.equal(await first.getAttribute('href'), '/console/options/1')
      await page.getByRole('link', { name: 'Next page' }).click()
      await page.getByRole('link', { name: 'First page' }).waitFor()
      assert.equal(await first.count(), 0)
      assert.equal(await page.getByLabel('Class').inputValue(), 'Complex')

      assert.equal((await page.goto(`${service.url}${search}?Class=odd`))?.status(), 400)
      await page.getByText('Class: Must be one of: Complex, NonComplex.').waitFor()
    },
    { next: search, javaScriptEnabled: false },
  )
})

test('an instrument is told by groups with their meaning, with the reason for each account and the way to others', async () => {
  await visit(
    async (page) => {
      const account = page.getByRole('row', { name: /^9226400/ })
      await account.getByText('Account 9226400 may only view Stock on NASDAQ').waitFor()
      await account.getByText('Show the right that decides').click()
      await account.getByText('View', { exact: true }).waitFor()
      await page.getByText('What do these mean?').first().click()
      await page.getByText('As what it is traded here.').waitFor()
      for (const [name, href] of [
        ['As CFD on stock', `${search}/1000/CfdOnStock`],
        ['Apple Inc. - Options', '/console/options/1'],
        ['The whole week', '/console/schedule/1000/Stock'],
        ['Events of AAPL:xnas', '/console/events?Keywords=AAPL%3Axnas'],
      ] as const)
        assert.equal(await page.getByRole('link', { name }).getAttribute('href'), href)
      await page.getByText('The API calls behind this page').click()
      await page.getByText('/x/v1/tradability/1000/Stock', { exact: true }).waitFor()

      await page.goto(`${service.url}${search}/5124/ContractFutures`)
      assert.equal(await page.getByRole('link', { name: 'All expiries' }).getAttribute('href'), '/console/futures/5000')
      for (const wrong of ['Bond', 'Nothing']) {
        assert.equal((await page.goto(`${service.url}${search}/1000/${wrong}`))?.status(), 404)
        await page.getByRole('link', { name: 'Open Apple Inc.' }).click()
        await page.getByRole('heading', { level: 1, name: 'Apple Inc. AAPL:xnas' }).waitFor()
      }
    },
    { next: `${search}/1000/Stock` },
  )
})

for (const javaScriptEnabled of [true, false])
  test(`markup in names, symbols and keywords shows as text${javaScriptEnabled ? '' : ', without script'}`, async () => {
    await visit(
      async (page) => {
        const assertNoForeignElement = async () =>
          assert.equal(await page.locator('main :is(script, img, b, iframe, [onerror], [style])').count(), 0)
        await words(page).fill(markup)
        await page.getByRole('button', { name: 'Search' }).click()
        await told(page, `2 found for “${markup}”`)
        await assertNoForeignElement()
        await page.getByRole('link', { name, exact: true }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        assert.ok((await page.title()).startsWith(name))
        await page
          .getByRole('link', { name: `Zwicker too ${markup}` })
          .first()
          .waitFor()
        await assertNoForeignElement()
      },
      { next: search, javaScriptEnabled },
    )
  })
