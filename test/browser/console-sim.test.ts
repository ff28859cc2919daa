import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFits, assertInView, assertNotCut, consoleForFile } from '../support/browser/console.ts'
import { liveSettings, startService } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const { service, visit } = await consoleForFile()
const next = '/console/sim'
const phone = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const banner = (page: Page) => page.locator('.travel')
const clockOf = (page: Page) => page.locator('.badge.clock')
const showsDone = (page: Page, sentence: string | RegExp) =>
  page.locator('.notice.good, .toast').filter({ hasText: sentence }).waitFor()

async function expiriesOfApple(page: Page): Promise<string[]> {
  await page.goto(`${service.url}/console/options/1`)
  const links = await page.getByRole('navigation', { name: 'Expiries' }).getByRole('link').all()
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
}

test('time travel expires options, keeps the user signed in, shows on every page, and can be undone', async () => {
  const token = (await obtainTokens(service.url, { user: 'bo' })).access_token
  await visit(
    async (page) => {
      const before = await expiriesOfApple(page)
      assert.ok(before.length > 2)
      await page.goto(`${service.url}${next}`)
      assert.equal(await banner(page).count(), 0)
      await press(page, /^Past Apple's next option expiry/)
      await showsDone(page, 'The clock was changed')
      assert.deepEqual(await expiriesOfApple(page), before.slice(1))
      // Loading the large script of the API reader has its own test.
      await page.route('**/console/api/reader-*.js', (route) => route.fulfill({ contentType: 'text/javascript' }))
      for (const path of ['/', '/console/apps', '/console/api']) {
        await page.goto(`${service.url}${path}`)
        assert.match((await banner(page).textContent()) ?? '', /^Time travel: \+\d+ days$/)
      }
      // Tokens of other users have expired by then.
      assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', token)).status, 401)

      await banner(page).click()
      await press(page, 'Freeze the clock')
      await showsDone(page, 'The clock is frozen')
      await assertAccessible(page, 'a frozen clock')
      await press(page, 'Back to real time')
      await showsDone(page, 'back at real time')
      assert.equal(await banner(page).count(), 0)
      assert.deepEqual(await expiriesOfApple(page), before)
      assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', token)).status, 200)
    },
    { next },
  )
})

test('30 days ahead and what changed are three clicks from the start page; targets are on an axis', async () => {
  await visit(async (page) => {
    await page.getByRole('link', { name: 'Clock', exact: true }).click()
    await press(page, '30 days')
    const changed = page.getByRole('region', { name: 'What changed' })
    assert.match((await changed.textContent()) ?? '', /Rights Issue, Orsted A\/SDecide by \d+ Nov/)
    assert.match((await changed.textContent()) ?? '', /Apple's options of .*ListedExpired/)
    await assertAccessible(page, 'what changed')
    await page.setViewportSize({ width: 390, height: 844 })
    await assertNotCut(changed)
    await page.setViewportSize({ width: 1280, height: 800 })
    await press(page, 'Back to real time')
    await showsDone(page, 'back at real time')
    const targets = page.getByRole('region', { name: 'Targets' })
    await assertNotCut(targets)
    await targets.getByRole('button', { name: /^Travel to Deadline of Rights Issue, Orsted/ }).click()
    await showsDone(page, 'The clock was changed')
    assert.match((await changed.locator('tbody tr').first().textContent()) ?? '', /^Rights Issue, Orsted A\/S/)
    await press(page, 'Back to real time')
    await showsDone(page, 'back at real time')
  })
})

test('without script: sets a time, steps forward and back, rejects invalid input, and shows on sign-in pages', async () => {
  await visit(
    async (page) => {
      await page.context().addCookies([{ name: 'refdesk_zone', value: 'UTC', url: service.url }])
      const at = page.getByLabel('Set the time (UTC)')
      await at.fill('2027-03-01T08:30')
      await page.getByLabel('From then on, the clock').selectOption('is frozen')
      await press(page, 'Set time')
      await clockOf(page).getByText('1 Mar 2027, 08:30:00').waitFor()
      await press(page, '1 month')
      await press(page, '1 hour')
      await press(page, 'Back 1 day')
      await clockOf(page).getByText('31 Mar 2027, 09:30:00').waitFor()
      await assertFits(page)
      const type = (moment: string) =>
        at.evaluate((input: HTMLInputElement, value) => {
          input.type = 'text'
          input.value = value
        }, moment)
      await type('soon')
      await press(page, 'Set time')
      await page.getByRole('alert').getByText('Enter a date and time').waitFor()
      await type('1980-01-01T00:00')
      await press(page, 'Set time')
      await page
        .getByRole('alert')
        .getByText(/^Now: Must lead to /)
        .waitFor()
      assert.equal(await at.inputValue(), '1980-01-01T00:00')
      // Unknown steps are rejected, including names of Object.prototype members.
      for (const word of ['constructor', 'never']) {
        await page.getByRole('button', { name: '1 hour' }).evaluate((button: HTMLButtonElement, value) => {
          button.value = value
        }, word)
        const [answer] = await Promise.all([page.waitForResponse(`${service.url}${next}/clock`), press(page, '1 hour')])
        assert.equal(answer.status(), 400, word)
        await page.getByRole('alert').getByText('Unknown step').waitFor()
      }
      assert.equal((await page.goto(`${service.url}${next}?done=constructor`))?.status(), 200)
      await page.goto(`${service.url}/logout`)
      await banner(page).getByText('31 Mar 2027').waitFor()
      await page.goto(`${service.url}${next}`)
      await press(page, 'Back to real time')
      await showsDone(page, 'back at real time')
    },
    { next, ...phone },
  )
})

test('without script: an injected fault affects only the calls of its app, until it is removed', async () => {
  const { access_token } = await obtainTokens(service.url)
  const call = () => getRest(service.baseUrl, '/port/v1/users/me', access_token)
  await visit(
    async (page) => {
      await page.getByText('No active faults').waitFor()
      await page.getByLabel('App', { exact: true }).selectOption('Pocket Charts')
      await page.getByRole('radio', { name: 'Unavailable' }).check()
      await page.getByLabel('Calls', { exact: true }).selectOption('Portfolio (port)')
      await press(page, 'Inject fault')
      await showsDone(page, 'The fault is active')
      await page.getByRole('link', { name: '1 active fault' }).waitFor()
      await page.getByRole('row', { name: /Pocket Charts Unavailable 100% of port calls 10 minutes/ }).waitFor()
      await page.getByText(/^To see the fault of Pocket Charts, call the API/).waitFor()
      const answer = await call()
      assert.deepEqual([answer.status, answer.headers.get('x-refdesk-fault')], [503, 'Unavailable'])

      await page.getByLabel('Share of calls (%)').evaluate((input: HTMLInputElement) => {
        input.max = ''
        input.value = '700'
      })
      await press(page, 'Inject fault')
      await page
        .getByRole('alert')
        .getByText(/^Percent: /)
        .waitFor()
      assert.equal(await page.getByLabel('Share of calls (%)').inputValue(), '700')

      // An app that no longer exists.
      const app = page.getByLabel('App', { exact: true })
      await app.evaluate((select: HTMLSelectElement) => select.add(new Option('Gone', '..', true, true)))
      await press(page, 'Inject fault')
      await page.locator('#faults').getByRole('alert').waitFor()

      await press(page, 'Remove the fault of Pocket Charts')
      await showsDone(page, 'The fault was removed')
      assert.equal(await page.locator('.badge.bad').count(), 0)
      assert.equal((await call()).status, 200)
    },
    { next: `${next}/faults`, ...phone },
  )
})

test('a reset needs confirmation, restores the demo data and keeps the user signed in', async () => {
  await visit(
    async (page) => {
      await page.goto(`${service.url}${next}`)
      await press(page, '1 week')
      const word = page.getByLabel('Type reset to confirm')
      await word.fill('yes')
      await press(page, 'Reset everything')
      const alert = page.getByRole('alert').getByText('Nothing was deleted')
      await alert.waitFor()
      await assertInView(alert)
      assert.equal(await banner(page).count(), 1)
      await word.fill('reset')
      await press(page, 'Reset everything')
      await showsDone(page, 'Reset complete')
      assert.equal(await banner(page).count(), 0)
      assert.ok((await expiriesOfApple(page)).length > 2)
    },
    { next, ...phone },
  )
})

test('without script: snapshots are saved, restored and deleted; a session that began later ends, with the reason', async () => {
  const openQuestion = async (page: Page, name: string) => {
    await page.goto(`${service.url}${next}/snapshots`)
    await page.getByRole('link', { name }).click()
  }
  await visit(
    async (page) => {
      await page.getByText('Menu', { exact: true }).click()
      await page.getByRole('link', { name: 'Snapshots' }).click()
      await page.getByText('No snapshots.').waitFor()
      await page.getByLabel('Name').fill('before')
      await press(page, 'Save snapshot')
      await showsDone(page, 'The snapshot was saved')
      await assertNotCut(page.getByRole('region', { name: 'Saved snapshots' }))
      await page.goto(`${service.url}${next}`)
      await press(page, '1 week')
      await openQuestion(page, 'Restore before')
      await assertFits(page)
      await press(page, 'Yes, restore before')
      await showsDone(page, 'You are still signed in')
    },
    { next, ...phone },
  )
  await visit(
    async (page) => {
      await openQuestion(page, 'Restore before')
      await press(page, 'Yes, restore before')
      await showsDone(page, 'You are signed out, because your session began')
    },
    { next, ...phone, user: 'bo' },
  )
  await visit(
    async (page) => {
      await openQuestion(page, 'Delete before')
      await press(page, 'Yes, delete before')
      await showsDone(page, 'The snapshot was deleted')
      await page.goto(`${service.url}${next}/snapshots?restore=before`)
      assert.equal(await page.getByRole('button', { name: /^Yes/ }).count(), 0)
    },
    { next, ...phone },
  )
})

test('live has no pages of sim', async () => {
  const live = await startService({ env: liveSettings })
  try {
    for (const url of [next, `${next}/faults`, `${next}/scenarios`, `${next}/snapshots`]) {
      const response = await live.node.server.inject({ url, headers: { accept: 'text/html' } })
      assert.equal(response.statusCode, 404)
      assert.match(response.body, /Page not found/)
      assert.doesNotMatch(response.body, /href="\/console\/sim"/)
    }
  } finally {
    await live.close()
  }
})
