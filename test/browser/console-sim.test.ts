import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { accessFaults, assertFits, consoleForFile } from '../support/browser/console.ts'
import { liveSettings, startService } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const { service, visit } = await consoleForFile()
const next = '/console/sim'
const phone = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const banner = (page: Page) => page.locator('.travel')
const told = (page: Page, sentence: string | RegExp) =>
  page.locator('.notice.good').filter({ hasText: sentence }).waitFor()

async function expiriesOfApple(page: Page): Promise<string[]> {
  await page.goto(`${service.url}/console/options/1`)
  const links = await page.getByRole('navigation', { name: 'Expiries' }).getByRole('link').all()
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
}

test('who travels sees an option expire, stays signed in, is told of it on every page, and comes back', async () => {
  const token = (await obtainTokens(service.url, { user: 'bo' })).access_token
  await visit(
    async (page) => {
      const before = await expiriesOfApple(page)
      assert.ok(before.length > 2)
      await page.goto(`${service.url}${next}`)
      assert.equal(await banner(page).count(), 0)
      await press(page, /^Past the next expiry of Apple's options/)
      await told(page, 'You have travelled')
      assert.deepEqual(await expiriesOfApple(page), before.slice(1))
      for (const path of ['/', '/console/apps', '/console/api']) {
        await page.goto(`${service.url}${path}`)
        assert.match((await banner(page).textContent()) ?? '', /Time travel\. Here it is/)
      }
      // What others hold has ended by then.
      assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', token)).status, 401)

      await banner(page).getByRole('link', { name: 'Change it' }).click()
      await press(page, 'Let time stand still')
      await told(page, 'Time stands still')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await accessFaults(page), [], colorScheme)
      }
      await press(page, 'Back to real time')
      await told(page, 'at real time again')
      assert.equal(await banner(page).count(), 0)
      assert.deepEqual(await expiriesOfApple(page), before)
      assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', token)).status, 200)
    },
    { next },
  )
})

test('without script: a moment, steps ahead and back; what cannot be is told above what was typed; the door tells it too', async () => {
  await visit(
    async (page) => {
      const at = page.getByLabel('Go to a moment, in UTC')
      await at.fill('2027-03-01T08:30')
      await page.getByLabel('and from there time').selectOption('stands still')
      await press(page, 'Go there')
      await banner(page).getByText('1 Mar 2027, 08:30 UTC').waitFor()
      await press(page, '1 month')
      await press(page, '1 hour')
      await press(page, 'Back 1 day')
      await banner(page).getByText('31 Mar 2027, 09:30 UTC').waitFor()
      await assertFits(page)
      const type = (moment: string) =>
        at.evaluate((input: HTMLInputElement, value) => {
          input.type = 'text'
          input.value = value
        }, moment)
      await type('soon')
      await press(page, 'Go there')
      await page.getByRole('alert').getByText('Give the moment as a date and a time').waitFor()
      await type('1980-01-01T00:00')
      await press(page, 'Go there')
      await page
        .getByRole('alert')
        .getByText(/^Now: Must lead to /)
        .waitFor()
      assert.equal(await at.inputValue(), '1980-01-01T00:00')
      // What no button of ours sends is told too, also where it is a word that every object knows.
      for (const word of ['constructor', 'never']) {
        await page.getByRole('button', { name: '1 hour' }).evaluate((button: HTMLButtonElement, value) => {
          button.value = value
        }, word)
        const [answer] = await Promise.all([page.waitForResponse(`${service.url}${next}/clock`), press(page, '1 hour')])
        assert.equal(answer.status(), 400, word)
        await page.getByRole('alert').getByText('There is no such step').waitFor()
      }
      assert.equal((await page.goto(`${service.url}${next}?done=constructor`))?.status(), 200)
      await page.goto(`${service.url}/logout`)
      await banner(page).getByText('31 Mar 2027').waitFor()
      await page.goto(`${service.url}${next}`)
      await press(page, 'Back to real time')
      await told(page, 'at real time again')
    },
    { next, ...phone },
  )
})

test('a fault for an app is met by its calls and by nobody else, until it is removed; without script', async () => {
  const { access_token } = await obtainTokens(service.url)
  const call = () => getRest(service.baseUrl, '/port/v1/users/me', access_token)
  await visit(
    async (page) => {
      await page.getByText('Nothing goes wrong now').waitFor()
      await page.getByLabel('For the app').selectOption('Pocket Charts')
      await page.getByRole('radio', { name: 'Unavailable' }).check()
      await page.getByLabel('Of its calls').selectOption('Portfolio (port)')
      await press(page, 'Let them go wrong')
      await told(page, 'the calls go wrong')
      await page.getByRole('row', { name: /Pocket Charts Unavailable 100 % of port 10 minutes/ }).waitFor()
      const answer = await call()
      assert.deepEqual([answer.status, answer.headers.get('x-refdesk-fault')], [503, 'Unavailable'])

      await page.getByLabel('Percent of the calls').evaluate((input: HTMLInputElement) => {
        input.max = ''
        input.value = '700'
      })
      await press(page, 'Let them go wrong')
      await page
        .getByRole('alert')
        .getByText(/^Percent: /)
        .waitFor()
      assert.equal(await page.getByLabel('Percent of the calls').inputValue(), '700')

      // An app that is gone by now.
      const app = page.getByLabel('For the app')
      await app.evaluate((select: HTMLSelectElement) => select.add(new Option('Gone', '..', true, true)))
      await press(page, 'Let them go wrong')
      await page.locator('#faults').getByRole('alert').waitFor()

      await press(page, 'Remove the fault of Pocket Charts')
      await told(page, 'answered as ever')
      assert.equal((await call()).status, 200)
    },
    { next, ...phone },
  )
})

test('a reset needs the word; then all is as it began, and who asked is still signed in', async () => {
  await visit(
    async (page) => {
      await page.goto(`${service.url}${next}`)
      await press(page, '1 week')
      const word = page.getByLabel('Type the word reset')
      await word.fill('yes')
      await press(page, 'Reset everything')
      await page.getByRole('alert').getByText('Nothing was removed').waitFor()
      assert.equal(await banner(page).count(), 1)
      await word.fill('reset')
      await press(page, 'Reset everything')
      await told(page, 'Everything is as it began')
      assert.equal(await banner(page).count(), 0)
      assert.ok((await expiriesOfApple(page)).length > 2)
    },
    { next, ...phone },
  )
})

test('in live there is no such place', async () => {
  const live = await startService({ env: liveSettings })
  try {
    const answer = await live.node.server.inject({ url: next, headers: { accept: 'text/html' } })
    assert.equal(answer.statusCode, 404)
    assert.match(answer.body, /This is not here/)
    assert.doesNotMatch(answer.body, /\/console\/sim"/)
  } finally {
    await live.close()
  }
})
