import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { consoleForFile } from '../support/browser/console.ts'
import { consoleCookie } from '../support/browser/console-cookie.ts'
import { demoApp } from '../support/demo.ts'

const { service, visit } = await consoleForFile()
const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const optionsOf = (page: Page) => palette(page).getByRole('option')

type Found = { groups: { title: string; items: { name: string; note?: string; href?: string; post?: string }[] }[] }

async function find(query: string, user = 'ada'): Promise<Found['groups']> {
  const { cookie } = await consoleCookie(service, user)
  const url = `${service.url}/console/find?${new URLSearchParams({ q: query })}`
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
  assert.equal(response.status, 200)
  return ((await response.json()) as Found).groups
}

const itemsOf = async (query: string, title: string, user?: string) =>
  (await find(query, user)).find((group) => group.title === title)?.items ?? []

test('finds instruments by name, symbol, ISIN and Uic, and events and apps by name and key', async () => {
  const apple = '/console/instruments/1000/Stock'
  for (const query of ['apple', 'AAPL:xnas', 'US0378331005', '1000']) {
    const hrefs = (await itemsOf(query, 'Instruments')).map(({ href }) => href)
    assert.ok(hrefs.includes(apple), `${query}: ${hrefs}`)
    assert.ok(hrefs.length <= 5)
  }
  assert.match((await itemsOf('apple', 'Corporate actions'))[0]?.href ?? '', /^\/console\/events\/CA/)
  for (const query of ['pocket', demoApp.AppKey])
    assert.equal((await itemsOf(query, 'Apps'))[0]?.href, `/console/apps/${demoApp.AppKey}`)
  assert.deepEqual(await itemsOf('x'.repeat(600), 'Instruments'), [])
})

test('finds a chain by name and kind, an event by its id, a section of the docs, and days to travel', async () => {
  assert.equal((await itemsOf('aapl opt', 'Instruments'))[0]?.href, '/console/options/1')
  const id = 'CA7109655-1811'
  assert.deepEqual((await itemsOf(id, 'Corporate actions'))[0]?.href, `/console/events/${id}`)
  assert.deepEqual(await itemsOf(id, 'Corporate actions', 'cy'), [])
  assert.match((await itemsOf('rate limits', 'Docs'))[0]?.href ?? '', /^\/console\/docs\//)
  assert.equal((await find('travel 30'))[0]?.items[0]?.name, 'Travel 30 days ahead')
})

test('finds exchanges by name and MIC, and lists a chain once', async () => {
  for (const query of ['tokyo stock', 'xtks'])
    assert.match((await itemsOf(query, 'Exchanges'))[0]?.name ?? '', /^Tokyo Stock Exchange/, query)
  assert.ok((await itemsOf('nasdaq', 'Exchanges')).length > 0)
  const hrefs = (await itemsOf('apple options', 'Instruments')).map(({ href }) => href)
  assert.deepEqual(hrefs, [...new Set(hrefs)])
  assert.ok(hrefs.includes('/console/options/1'))
})

test('an exact symbol or Uic comes first, and a short query never has an action first that changes something', async () => {
  for (const [query, note] of [
    ['T', /^T:x/],
    ['mo', /^MO:xnys/],
    ['t:xnys', /^T:xnys/],
    ['1134', /^T:xnys .* Uic 1134$/],
  ] as const)
    assert.match((await find(query))[0]?.items[0]?.note ?? '', note, query)
  for (const query of ['S', 'tr', 'get', ' ']) assert.equal((await find(query))[0]?.items[0]?.post, undefined, query)
  assert.equal((await find('travel month'))[0]?.items[0]?.name, 'Travel 1 month ahead')
})

test('a user finds only what that user may see', async () => {
  assert.deepEqual(await itemsOf('pocket', 'Apps', 'cy'), [])
  assert.ok((await itemsOf('AAPL', 'Instruments')).some(({ href }) => href?.startsWith('/console/options/')))
  assert.ok(!(await itemsOf('AAPL', 'Instruments', 'bo')).some(({ href }) => href?.startsWith('/console/options/')))
  const signedOut = await fetch(`${service.url}/console/find?q=apple`, { redirect: 'manual' })
  assert.equal(signedOut.status, 303)
})

test('the palette opens by key and by the search field, and keys choose in it', async () => {
  await visit(
    async (page) => {
      await page.keyboard.press('Control+k')
      await optionsOf(page).filter({ hasText: 'Get a token' }).waitFor()
      await assertAccessible(page, 'the command palette')
      await page.keyboard.type('1000')
      const selected = palette(page).locator('[aria-selected]')
      await selected.filter({ hasText: 'Apple Inc.AAPL:xnas · Stock · Uic 1000' }).waitFor()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${service.url}/console/instruments/1000/Stock`)

      await page.keyboard.press('/')
      await optionsOf(page).first().waitFor()
      await page.keyboard.press('Escape')
      await palette(page).waitFor({ state: 'hidden' })
      const field = page.getByRole('searchbox', { name: 'Search', exact: true })
      await field.pressSequentially('snap')
      await optionsOf(page).filter({ hasText: 'Snapshots' }).first().click()
      await page.waitForURL(`${service.url}/console/sim/snapshots`)
      await page.getByLabel('Name').fill('a/b?jck')
      assert.equal(await palette(page).count(), 0, 'a key that is typed into a field is text')

      await page.keyboard.press('Control+k')
      // Enter waits for the results of what was typed.
      await page.keyboard.type('get a tok')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${service.url}/console/token`)
    },
    { next: '/' },
  )
})

test('an action travels to an hour before the next deadline, if Enter is pressed after it is shown', async () => {
  await visit(
    async (page) => {
      const isHeld = Promise.withResolvers<void>()
      await page.route('**/console/find?q=next+deadline', async (route) => {
        await isHeld.promise
        await route.continue().catch(() => undefined)
      })
      const action = page.getByRole('option', { name: 'Travel to the next deadline' })
      const travelled = page.locator('.travel')
      await page.keyboard.press('/')
      await action.waitFor()
      await page.keyboard.type('next deadline')
      await page.keyboard.press('Enter')
      isHeld.resolve()
      const shown = palette(page).locator('[role=listbox]').filter({ has: action, hasNotText: 'Exchanges' })
      await shown.or(travelled).first().waitFor()
      assert.equal(await travelled.count(), 0)
      await page.keyboard.press('Enter')
      await travelled.waitFor()
      await page.goto(service.url)
      await page
        .locator('.home-strip')
        .getByText(/^in \d+ minutes$/)
        .waitFor()
      await page.goto(`${service.url}/console/sim`)
      await page.getByRole('button', { name: 'Back to real time' }).click()
      await page.locator('.travel').waitFor({ state: 'detached' })
    },
    { next: '/console/apps' },
  )
})

test('keys move through the rows of a table, open one and copy its id; ? lists the keys', async () => {
  await visit(
    async (page) => {
      const current = page.locator('tr:focus')
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keys' })
      await help.getByText('Copy the Uic or id of the row').waitFor()
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'hidden' })
      await page.keyboard.press('ArrowDown')
      const first = await current.innerText()
      await page.keyboard.press('j')
      assert.notEqual(await current.innerText(), first)
      await page.keyboard.press('k')
      assert.equal(await current.innerText(), first)
      const key = await current.locator('.copy-value').first().innerText()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.keyboard.press('c')
      await page.getByText(`Copied ${key}`).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`${service.url}/console/apps/${key}`)
    },
    { next: '/console/apps', isFresh: true },
  )
})

test('g and a letter go to a page of the menu; a letter alone, in a field, or after leaving the page does not', async () => {
  await visit(
    async (page) => {
      for (const leave of ['blur', 'pointerdown']) {
        await page.keyboard.press('g')
        await page.evaluate((type) => dispatchEvent(new Event(type)), leave)
        await page.keyboard.press('i')
      }
      await page.keyboard.press('g')
      await page.keyboard.press('e')
      await page.waitForURL(`${service.url}/console/exchanges`)
      await page.keyboard.press('i')
      await page.keyboard.press('g')
      await page.keyboard.press('c')
      await page.waitForURL(`${service.url}/console/events`)
      await page.getByPlaceholder('Name, symbol or ISIN').pressSequentially('ge')
      assert.equal(page.url(), `${service.url}/console/events`)
    },
    { next: '/console/apps' },
  )
})

test('c copies the Uic of an instrument and of a call, p that of a put; the row is not under a sticky bar', async () => {
  await visit(
    async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const row = page.locator('tr:focus')
      const copied = async (key: string, value: string) => {
        await page.keyboard.press(key)
        await page.getByText(`Copied ${value}`, { exact: true }).first().waitFor()
      }
      await page.evaluate(() => scrollTo(0, 200))
      assert.ok((await page.evaluate(() => scrollY)) > 0)
      await page.keyboard.press('j')
      const bar = await page.locator('.top').boundingBox()
      assert.ok(((await row.boundingBox())?.y ?? 0) >= (bar?.height ?? 0) - 1)
      await copied('c', await row.locator('[data-what=Uic]').innerText())

      await page.goto(`${service.url}/console/options/1`)
      await page.waitForLoadState('networkidle')
      await page.keyboard.press('j')
      assert.match(await row.innerText(), /at the money/)
      await copied('c', await row.locator('td.c .copy-value').innerText())
      const put = await row.locator('td.p .copy-value').innerText()
      await copied('p', put)

      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/console/options/1?*', (route) => released.then(() => route.continue()))
      await page.locator('.expiries a:not([aria-current])').last().click()
      await page.locator('#chain[aria-busy=true]').waitFor()
      await page.keyboard.press('j')
      assert.equal(await row.count(), 0, 'the chain of the expiry before has no rows to choose')
      release()
      await page.locator('#chain:not([aria-busy])').waitFor()
      await page.waitForLoadState('networkidle')
      await page.keyboard.press('j')
      const other = await row.locator('td.p .copy-value').innerText()
      assert.notEqual(other, put)
      await copied('p', other)
    },
    { next: '/console/instruments?Keywords=a&AssetTypes=Stock', viewport: { width: 1280, height: 500 } },
  )
})

test('a row is clickable as a whole, except while its text is selected', async () => {
  await visit(
    async (page) => {
      const row = page.locator('main tbody tr').first()
      const cell = row.locator('td').first()
      await cell.selectText()
      await cell.dispatchEvent('click')
      assert.equal(page.url(), `${service.url}/console/apps`)
      await page.evaluate(() => getSelection()?.removeAllRanges())
      await cell.click()
      await page.waitForURL(`${service.url}/console/apps/*`)
    },
    { next: '/console/apps' },
  )
})
