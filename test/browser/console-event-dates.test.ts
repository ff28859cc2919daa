import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNotCut, sharedConsole } from '../support/browser/console.ts'

const { visit } = await sharedConsole()
const start = '/console/events'

test('the timeline has a row per event with its dates, as a drawing and as text, and a line for today', async () => {
  await visit(
    async (page) => {
      const timeline = page.getByRole('region', { name: 'Timeline' })
      await assertNotCut(timeline)
      assert.equal(await timeline.locator('thead .now-word').textContent(), 'today')
      const row = timeline.locator('tbody tr').filter({ hasText: 'Rights Issue Orsted' })
      assert.match(
        (await row.textContent()) ?? '',
        /Announced .*, Ex date .*, Record date .*, Deadline \d+ Nov 2026, 12:00 UTC, Payment/,
      )
      assert.equal(await row.locator('line.now').count(), 1)
      assert.equal(await row.locator('.mark.due').count(), 1)
      await page.getByRole('link', { name: '30 days' }).last().click()
      assert.equal(await timeline.locator('line.now').count(), 0, 'today is before these 60 days')
      await page.getByRole('link', { name: 'Today', exact: true }).click()
      await row.getByRole('link').click()
      assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Rights Issue, Orsted A/S')
    },
    { next: `${start}/timeline`, javaScriptEnabled: false },
  )
})

test('a deadline without a time is shown as a day', async () => {
  await visit(
    async (page) => {
      const row = page.locator('.event-table tbody tr').filter({ hasText: 'Odd Lot' })
      assert.match((await row.locator('[data-name="Deadline"]').textContent()) ?? '', /^\d+ Dec UTC in \d+ days$/)
      await row.getByRole('link').first().click()
      const content = (await page.getByRole('main').textContent()) ?? ''
      assert.match(content, /Elect by \d+ Dec 2026, in \d+ days/)
      assert.match((await page.locator('.page-head .tag.warn').textContent()) ?? '', /^Decide by \d+ Dec$/)
      const deadlines = page.getByRole('region', { name: 'Options compared' }).getByText(/^\d+ Dec 2026$/)
      assert.ok((await deadlines.count()) >= 3)
      await page.getByRole('img', { name: /response deadline \d+ Dec 2026, market deadline \d+ Dec 2026/ }).waitFor()
      assert.doesNotMatch(content, /00:00/)
    },
    { next: start },
  )
})
