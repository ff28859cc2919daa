import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changePassword } from '../../src/auth/commands/users.ts'
import { assertFits, consoleForFile } from '../support/browser/console.ts'
import { wrongSentence } from '../support/browser/page.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { Browser, codeRequest, readForm } from '../support/sign-in.ts'

const { service, visit } = await consoleForFile()
const sessionsPage = '/console/sessions'

/** Presses a button of the user switcher and follows up to the first page. Returns what it shows. */
async function switchTo(browser: Browser, user: string, formToken?: string): Promise<Response> {
  const form_token = formToken ?? browser.cookies.get('refdesk_form') ?? ''
  const post = { method: 'POST', body: new URLSearchParams({ form_token, demo_user: user, next: sessionsPage }) }
  let answer = await browser.fetch(`${service.url}/console/switch`, post)
  const location = () => new URL(answer.headers.get('location') ?? '', service.url).href
  if (answer.status === 307) answer = await browser.fetch(location(), post)
  for (let step = 0; step < 5 && answer.status >= 300 && answer.status < 400; step++)
    answer = await browser.fetch(location())
  return answer
}

/** A browser with a form of the console. */
async function atHome(): Promise<Browser> {
  const browser = new Browser()
  await browser.fetch(service.url)
  return browser
}

const signedInAs = async (answer: Response) =>
  /Signed in as<\/span> <strong><bdi>(\w+)</.exec(await answer.text())?.[1] ?? 'no one'

test('another demo user is one click away and sees the same page; the user before is signed out', async () => {
  await visit(
    async (page) => {
      const before = await page.context().cookies()
      await page.getByRole('button', { name: 'bo', exact: true }).click()
      await page.waitForURL(`${service.url}${sessionsPage}`)
      await page.getByText('Signed in as bo').waitFor()
      assert.equal(await page.locator('.switch[aria-current]').textContent(), 'bo')
      const cookie = before.map(({ name, value }) => `${name}=${value}`).join('; ')
      const asAda = await fetch(`${service.url}${sessionsPage}`, { headers: { cookie }, redirect: 'manual' })
      assert.equal(asAda.status, 303, 'to the sign-in')
      await page.context().clearCookies()
    },
    { next: sessionsPage, javaScriptEnabled: false },
  )
})

test('the switcher signs in no one who could not sign in with the demo password', async () => {
  const browser = await atHome()
  assert.equal(await signedInAs(await switchTo(browser, 'cy')), 'cy')

  const stale = await switchTo(await atHome(), 'cy', 'f'.repeat(32))
  assert.equal(`${stale.status} ${await signedInAs(stale)}`, '400 no one')
  for (const user of ['zoe', '']) assert.match(await (await switchTo(await atHome(), user)).text(), /name="password"/)

  const password = 'a password of his own'
  noteSecret('password', password)
  await changePassword(
    service.node.context,
    'cy',
    async () => password,
    () => {},
  )
  const changed = await atHome()
  const refused = await switchTo(changed, 'cy')
  assert.equal(refused.status, 401)
  const text = await refused.text()
  assert.ok(text.includes(wrongSentence))
  assert.doesNotMatch(text, /Signed in as/)
  assert.equal(changed.cookies.has('refdesk_signin') || changed.cookies.has('refdesk_console'), false)
})

test('only the console switches users: the sign-in page of an app wants a password', async () => {
  const browser = new Browser()
  const { action, formToken } = await readForm(
    await browser.fetch(`${service.url}/login?${new URLSearchParams(codeRequest)}`),
  )
  const body = new URLSearchParams({ form_token: formToken, demo_user: 'ada', decision: 'allow' })
  const answer = await browser.fetch(new URL(action, service.url).href, { method: 'POST', body })
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /name="password"/)
  assert.equal(browser.cookies.has('refdesk_signin'), false)
})

test('the zone chosen in the header applies to every page until another is chosen', async () => {
  await visit(
    async (page) => {
      const clock = page.locator('.clock time')
      const zone = page.getByRole('combobox', { name: 'Time zone' })
      assert.equal(await zone.locator('option:checked').textContent(), 'Copenhagen (browser)')
      // The clock of the service is at 12:00 UTC, but runs in the browser.
      assert.match((await clock.textContent()) ?? '', /, 13:0/)
      await zone.selectOption('Tokyo')
      await page.getByText('Times are in Asia/Tokyo').waitFor()
      assert.match((await clock.textContent()) ?? '', /, 21:0/)
      await page.goto(`${service.url}/console/apps`)
      assert.equal(await zone.inputValue(), 'Asia/Tokyo')
      await page.goto(`${service.url}${sessionsPage}?zone=Europe/London`)
      await page.getByText('Times are in Europe/London').waitFor()
      await zone.selectOption('New York')
      await page.getByText('Times are in America/New_York').waitFor()
      await zone.selectOption('Browser’s zone')
      await page.getByText('Times are in Europe/Copenhagen').waitFor()
    },
    { next: sessionsPage },
  )
})

test('without script the zone is a form, and the page says which zone it is in', async () => {
  await visit(
    async (page) => {
      const zone = page.getByRole('combobox', { name: 'Time zone' })
      await page.context().clearCookies({ name: 'refdesk_zone' })
      await page.goto(`${service.url}${sessionsPage}`)
      assert.equal(await zone.locator('option:checked').textContent(), 'UTC')
      await zone.selectOption('Tokyo')
      await page.getByRole('button', { name: 'Set', exact: true }).click()
      await page.getByText('Times are in Asia/Tokyo').waitFor()
      await page.getByRole('searchbox', { name: 'Search' }).fill('apple')
      await page.getByRole('searchbox', { name: 'Search' }).press('Enter')
      await page.getByText('AAPL:xnas').first().waitFor()
      await page.setViewportSize({ width: 390, height: 844 })
      await assertFits(page)
    },
    { next: sessionsPage, javaScriptEnabled: false },
  )
})

test('on a phone the frame leaves the page its space; the menu opens over it, and its entries can be tapped', async () => {
  await visit(
    async (page) => {
      assert.ok(((await page.getByRole('main').boundingBox())?.y ?? 844) <= 110)
      await page.locator('header summary').click()
      for (const name of ['Instruments', 'Sessions', 'Snapshots']) {
        const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
        await entry.scrollIntoViewIfNeeded()
        const isOnTop = await entry.evaluate((link) => {
          const { left, top, width, height } = link.getBoundingClientRect()
          return link.contains(document.elementFromPoint(left + width / 2, top + height / 2))
        })
        assert.equal(isOnTop, true, name)
      }
    },
    { viewport: { width: 390, height: 844 } },
  )
})
