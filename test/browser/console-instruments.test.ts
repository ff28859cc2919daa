import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { readRevision } from '../../src/instruments/store/reference.ts'
import { assertFits, consoleForFile } from '../support/browser/console.ts'
import { importTexts, instrument, lines, optionRoot } from '../support/service/import.ts'

const { service, visit } = await consoleForFile()

const markup = `"'><img src=x onerror=alert(1)><script>alert(2)</script><b>&amp;`
const name = `Zwicker ${markup}`
const hostile = instrument(90_000_001, {
  Symbol: '<img/src=x/onerror=alert(3)>:xlon',
  Description: name,
  PrimaryListing: 90_000_002,
  RelatedInstruments: [{ AssetType: 'Stock', Uic: 90_000_002 }],
})
// Estimated from its first expiry, this chain has more than 4,000 contracts, so it is drawn only on request.
const large = optionRoot(90_000_003, [], {
  Series: Array.from({ length: 11 }, (_, expiry) => ({
    Expiry: `${2027 + expiry}-01-15`,
    Options: Array.from({ length: expiry === 0 ? 400 : 1 }, (_, index) => ({
      Uic: 91_000_000 + expiry * 1000 + index,
      PutCall: 'Call',
      StrikePrice: 100 + index,
    })),
  })),
})
const { errors } = await importTexts(service.database.connection, {
  'hostile.ndjson': lines(hostile, instrument(90_000_002, { Description: `Zwicker too ${markup}` }), large),
})
assert.deepEqual(errors, [])
await service.node.catalogue.reached(await readRevision(service.node.context.db))

const search = '/console/instruments'
const words = (page: Page) => page.getByLabel('Name, symbol, ISIN or Uic')
/** Waits for the heading of the results. */
const showsResults = (page: Page, name: string | RegExp) =>
  page.locator('#results').getByRole('heading', { name }).waitFor()

test('an instrument page shows its fields, the tradability of each account and related instruments', async () => {
  await visit(
    async (page) => {
      const account = page.getByRole('row', { name: /^9226400/ })
      await account.getByText('Account 9226400 may only view Stock on NASDAQ').waitFor()
      await account.getByText('Show the access right').click()
      await account.getByText('View', { exact: true }).waitFor()
      await page.getByText('Reference price 268.5 USD').waitFor()
      await page.getByRole('link', { name: 'Field descriptions' }).click()
      await page.locator('#meanings div').filter({ hasText: 'AssetType' }).first().waitFor()
      const title = await page.getByText('Complex', { exact: true }).getAttribute('title')
      assert.match(title ?? '', /^IsComplex: /, 'a label has the name of the field')
      await page.getByText('NASDAQ', { exact: true }).first().waitFor()
      await page
        .getByText(/^Pre-market · opens 09:30/)
        .or(page.getByText('Pre-market · opens 09:30'))
        .first()
        .waitFor()
      const tabs = page.getByRole('navigation', { name: 'Pages of this instrument' })
      for (const [name, href] of [
        ['Overview', `${search}/1000/Stock`],
        ['Option chain', '/console/options/1'],
        ['Schedule', '/console/schedule/1000/Stock'],
        ['Events', '/console/events?Keywords=AAPL%3Axnas'],
        ['Related', `${search}/1000/Stock/related`],
        ['History', `${search}/1000/Stock/history`],
        ['JSON', `${search}/1000/Stock/json`],
      ] as const)
        assert.equal(await tabs.getByRole('link', { name }).getAttribute('href'), href)
      assert.equal(
        await page.getByRole('link', { name: 'As CFD on stock' }).getAttribute('href'),
        `${search}/1000/CfdOnStock`,
      )
      await page.getByText('API calls behind this page').click()
      await page.getByText('/x/v1/tradability/1000/Stock', { exact: true }).waitFor()
      await tabs.getByRole('link', { name: 'Related' }).click()
      const options = page.getByRole('link', { name: 'Apple Inc. - Options' })
      assert.equal(await options.getAttribute('href'), '/console/options/1')
      await tabs.getByRole('link', { name: 'JSON' }).click()
      await page.getByText('"AssetType": "Stock",').waitFor()
      await page.getByRole('button', { name: 'Copy the response' }).waitFor()

      await page.goto(`${service.url}${search}/3500/Bond`)
      await page.getByText('Reference price 86.7 %').waitFor()
      await page.goto(`${service.url}${search}/5124/ContractFutures`)
      assert.equal(await tabs.getByRole('link', { name: 'Futures' }).getAttribute('href'), '/console/futures/5000')
      await page.goto(`${service.url}${search}/5000/ContractFutures/related`)
      const monthEnd = page.getByRole('link', { name: 'E-mini S&P 500 End of Month - Options' })
      assert.equal(await monthEnd.getAttribute('href'), '/console/options/61')
      for (const wrong of ['Bond', 'Nothing']) {
        assert.equal((await page.goto(`${service.url}${search}/1000/${wrong}`))?.status(), 404)
        await page.getByRole('link', { name: 'Open Apple Inc.' }).click()
        await page.getByRole('heading', { level: 1, name: 'Apple Inc. AAPL:xnas' }).waitFor()
      }
    },
    { next: `${search}/1000/Stock` },
  )
})

test('long names and large chains fit a window of 320 px', async () => {
  await visit(
    async (page) => {
      for (const path of ['?AssetTypes=CertificateCapitalProtectionWithKnockOut', '/1400/Stock', '/4000/FxSpot']) {
        await page.goto(`${service.url}${search}${path}`)
        await assertFits(page)
      }
      await page.getByText('Open · closes Fri 17:00').waitFor()

      await page.goto(`${service.url}/console/options/90000003`)
      assert.equal(await page.locator('.strike-dots').count(), 0, 'a large chain is drawn only on request')
      await page.getByRole('link', { name: 'Draw the strikes of all 11 expiries' }).click()
      await page.waitForURL(/overview=all$/)
      assert.equal(await page.locator('svg.compact .strike-dots').count(), 11)
      await assertFits(page)
    },
    { viewport: { width: 320, height: 800 } },
  )
})

test('a large chain scrolls through all strikes with only the rows in view in the page; without script it has pages', async () => {
  const chain = `${service.url}/console/options/90000003?expiry=2027-01-15`
  await visit(async (page) => {
    await page.goto(chain)
    const rows = page.locator('.chain tbody tr:not(.spacer)')
    await page.locator('.chain .spacer').first().waitFor({ state: 'attached' })
    const ladder = page.locator('.ladder')
    assert.ok((await rows.count()) < 100)
    for (const [top, strike] of [
      [0, '100'],
      [1_000_000, '499'],
      [200 * 26, '300'],
    ] as const) {
      await ladder.evaluate((element, to) => element.scrollTo(0, to), top)
      await page.getByRole('rowheader', { name: strike, exact: true }).waitFor()
      assert.ok((await rows.count()) < 100, `${await rows.count()} rows at ${top}`)
    }
    await page
      .getByRole('row', { name: /^91000200/ })
      .getByRole('link', { name: 'Call 300' })
      .waitFor()
  })
  await visit(
    async (page) => {
      await page.goto(chain)
      await page.getByText('Strikes 186–216 of 400').waitFor()
      await page.getByRole('link', { name: 'Higher strikes' }).click()
      await page.getByText('Strikes 217–247 of 400').waitFor()
      assert.equal(await page.locator('.chain tbody tr').count(), 31)
    },
    { javaScriptEnabled: false },
  )
})

for (const javaScriptEnabled of [true, false])
  test(`escapes HTML in names, symbols and keywords${javaScriptEnabled ? '' : ', without script'}`, async () => {
    await visit(
      async (page) => {
        const assertNoForeignElement = async () =>
          assert.equal(await page.locator('main :is(script, img, b, iframe, [onerror], [style])').count(), 0)
        await words(page).fill(markup)
        await page.getByRole('button', { name: 'Search' }).click()
        await showsResults(page, `2 results for “${markup}”`)
        await assertNoForeignElement()
        await page.getByRole('link', { name, exact: true }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        assert.ok((await page.title()).startsWith(name))
        await page.getByRole('link', { name: 'Related' }).click()
        await page
          .getByRole('link', { name: `Zwicker too ${markup}` })
          .first()
          .waitFor()
        await assertNoForeignElement()
      },
      { next: search, javaScriptEnabled },
    )
  })
