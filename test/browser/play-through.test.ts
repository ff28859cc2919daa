import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFits, consoleForFile } from '../support/browser/console.ts'

const { visit } = await consoleForFile()
const next = '/console/sim'
const tender = 'A tender offer due tomorrow'
const event = 'Tender Offer, Harbor Lights Inc.'

const follow = (page: Page, name: string, within = 'main') =>
  page.locator(within).getByRole('link', { name, exact: true }).click()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const showsDone = (page: Page, sentence: string) =>
  page.locator('.notice.good, .toast').filter({ hasText: sentence }).waitFor()

/** On a phone the menu is folded. */
async function openSim(page: Page, view: 'Clock' | 'Scenarios' | 'Snapshots'): Promise<void> {
  const menu = page.locator('header summary')
  if (await menu.isVisible()) await menu.click()
  await follow(page, view, 'header')
}

/** By the link of the scenario to what it brought. */
async function openEvent(page: Page): Promise<void> {
  await openSim(page, 'Scenarios')
  await follow(page, `What to look at in ${tender}`)
  await follow(page, event)
  await page.getByRole('heading', { level: 1, name: event }).waitFor()
}

async function unload(page: Page): Promise<void> {
  await openSim(page, 'Scenarios')
  await page.getByText('Unload', { exact: true }).click()
  await press(page, `Yes, unload ${tender}`)
  await showsDone(page, 'Everything that it added was removed')
}

const elected = (page: Page) => page.getByRole('region', { name: 'Holdings and elections by account' }).innerText()

async function playThrough(page: Page): Promise<void> {
  await openSim(page, 'Scenarios')
  await press(page, `Load ${tender}`)
  await showsDone(page, 'The scenario was loaded')
  await openSim(page, 'Snapshots')
  await page.getByLabel('Name').fill('open')
  await press(page, 'Save snapshot')
  await showsDone(page, 'The snapshot was saved')

  await openEvent(page)
  await page.getByText('0 elected, 500 not elected').waitFor()
  await page.getByLabel('Amount for 1 Cash').fill('200')
  await press(page, 'Elect')
  await showsDone(page, 'Your election was saved')
  await page.getByText('200 elected, 300 not elected').waitFor()

  await openSim(page, 'Clock')
  for (const shift of ['+1 day', '+2 days']) {
    await press(page, '1 day')
    await showsDone(page, 'The clock was changed')
    await page.getByRole('link', { name: `Time travel: ${shift}`, exact: true }).waitFor()
  }
  await openEvent(page)
  const applied = await elected(page)
  assert.match(applied, /200 for 1 Cash/)
  assert.match(applied, /300 for 2 .*applied as the default: nothing else was elected by the deadline/s)
  assert.equal(await page.getByRole('button', { name: 'Elect', exact: true }).count(), 0)

  await openSim(page, 'Snapshots')
  await follow(page, 'Restore open')
  await press(page, 'Yes, restore open')
  await showsDone(page, 'You are still signed in')
  await openEvent(page)
  await page.getByText('0 elected, 500 not elected').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Elect', exact: true }).count(), 1)

  await unload(page)
}

test('a user loads a scenario, elects, travels past the deadline, sees it applied, and restores the open event', async () => {
  await visit(playThrough, { next })
})

test('a user who sees only part of a scenario switches to the user that it names, and opens its event', async () => {
  await visit(
    async (page) => {
      await openSim(page, 'Scenarios')
      await press(page, `Load ${tender}`)
      await showsDone(page, 'The scenario was loaded')
      const card = page.getByRole('article').filter({ hasText: tender })
      await card.getByText('Sign in as ada').waitFor()
      await card.getByRole('link', { name: 'Harbor Lights Inc.', exact: true }).waitFor()
      assert.equal(await card.getByRole('link', { name: event }).count(), 0)

      await page.getByRole('form', { name: 'Switch user' }).getByRole('button', { name: 'ada' }).click()
      await follow(page, event)
      await page.getByText('0 elected, 500 not elected').waitFor()

      await unload(page)
    },
    { next, user: 'bo' },
  )
})

const size = { width: 390, height: 844 }

test('without script, by phone: a file with errors and a position are shown where they were typed', async () => {
  await visit(
    async (page) => {
      await openSim(page, 'Scenarios')
      await page.getByLabel('File').setInputFiles({ name: 'a.ndjson', mimeType: '', buffer: Buffer.from('{}') })
      await press(page, 'Load scenario')
      await page.getByRole('alert').getByText('Line 1: The first line must be').waitFor()
      assert.equal(await page.getByLabel('Or its text').inputValue(), '{}')
      await assertFits(page)
      await page.getByLabel('Symbol').fill('NOVO-B:xcse')
      await page.getByLabel('Amount').fill('5')
      await page.getByLabel('Asset type').fill('Stock')
      await press(page, 'Set position')
      await showsDone(page, 'The position was set. See corporate actions and Novo Nordisk')
      await assertFits(page)
    },
    { next, javaScriptEnabled: false, viewport: size },
  )
})

test('a loaded scenario and the errors of both forms pass axe', async () => {
  await visit(
    async (page) => {
      await openSim(page, 'Scenarios')
      await press(page, `Load ${tender}`)
      await showsDone(page, 'The scenario was loaded')
      await page.getByText('Unload', { exact: true }).click()
      await assertAccessible(page, 'a loaded scenario')
      await press(page, 'Load scenario')
      await page.getByRole('alert').getByText('Choose a file, or paste its text.').waitFor()
      await assertAccessible(page, 'errors of a text')
      await page.getByLabel('Symbol').fill('AAPL:nowhere')
      await page.getByLabel('Amount').fill('5')
      await press(page, 'Set position')
      await page.locator('#e-Symbol').getByText('No instrument that the user may see').waitFor()
      await assertAccessible(page, 'errors of a position')
      await assertFits(page)
      await unload(page)
    },
    { next, viewport: size },
  )
})
