import assert from 'node:assert/strict'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertInView, assertNotCut, consoleForFile } from '../support/browser/console.ts'
import { demoKey } from '../support/demo.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { event, importTexts, lines, position } from '../support/service/import.ts'

const { service, visit } = await consoleForFile()
const start = '/console/events'

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const rows = (page: Page) =>
  page.getByRole('region', { name: 'Corporate actions' }).locator('tbody tr:not(.group, .today-line)')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click()

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? '' : ', without scripts'

  test(`what needs a decision comes first, and its options are two clicks from the start page${how}`, async () => {
    await visit(
      async (page) => {
        await follow(page, 'Corporate actions')
        const due = rows(page).and(page.locator('.awaits'))
        const left = await due.locator('[data-name="Deadline"]').allTextContents()
        const days = left.map((cell) => Number(cell.match(/in (\d+) day/)?.[1] ?? 0))
        assert.ok(days.length > 10)
        assert.deepEqual(
          days,
          days.toSorted((a, b) => a - b),
        )
        const table = page.getByRole('region', { name: 'Corporate actions' })
        await assertNotCut(table)
        const text = (await table.textContent()) ?? ''
        assert.match(text, /Needs your decision \d+.*Under way \d+.*Today, \d+ \w+ 2026/s)
        const withdrawn = table.getByRole('row', { name: /^Court Meeting/ })
        const status = withdrawn.locator('.status')
        assert.equal(await status.locator('.tag').textContent(), 'Withdrawn')
        const hint = status.getByRole('tooltip', { includeHidden: true })
        assert.equal(await hint.isVisible(), false)
        await status.hover()
        assert.match((await hint.textContent()) ?? '', /^The event was withdrawn/)
        assert.ok(await hint.isVisible(), 'on hover')
        await page.mouse.move(0, 0)
        await withdrawn.getByRole('link').focus()
        await page.keyboard.press('Tab')
        assert.ok(await hint.isVisible(), 'on focus')
        await follow(page, 'Rights Issue')

        assert.equal(await heading(page), 'Rights Issue, Orsted A/S')
        const content = (await page.getByRole('main').textContent()) ?? ''
        assert.match(content, /Decide by \d+ Nov/)
        assert.match(content, /elected for 280 of 420 held\. Elect by \d+ Nov 2026, 12:00 UTC/)
        const chart = page.getByRole('img', { name: /^Timeline: announced .* response deadline .* payment/ })
        assert.equal(await chart.locator('.now-word').textContent(), 'today')
        const options = page.getByRole('region', { name: 'Options compared' })
        assert.match((await options.locator('.default').textContent()) ?? '', /4 Lapse Default.*0 of 420/s)
        assert.match((await options.locator('article').first().textContent()) ?? '', /15 new for 7 held.*66.60 DKK/s)
        assert.match(content, /280 for 1 Exercise Accepted/)
        await assertNotCut(page.getByRole('region', { name: 'Holdings and elections by account' }))
        await page.getByText('1 Exercise: details').click()
        await page.getByText('Subscription price').first().waitFor()
        const instrument = page.getByRole('link', { name: 'View the instrument' })
        assert.match((await instrument.getAttribute('href')) ?? '', /^\/console\/instruments\/\d+\/Stock$/)

        const [file] = await Promise.all([page.waitForEvent('download'), follow(page, 'Calendar (.ics)')])
        const calendar = await textOf(await file.createReadStream())
        assert.match(calendar, /^BEGIN:VCALENDAR/)
        assert.equal(new Set(calendar.match(/^UID:[^/]+/gm)).size, 1, 'one event only')
        await follow(page, 'Totals including sub-clients')
        await page.getByText('Total holdings').waitFor()
      },
      { javaScriptEnabled },
    )
  })

  test(`the URL holds the state: filters, chips, pages, month and files${how}`, async () => {
    await visit(
      async (page) => {
        await follow(page, 'Past')
        assert.equal(await page.locator('.today-line').count(), 0)
        await follow(page, 'All')
        assert.equal(await rows(page).count(), 25)
        await assertNotCut(page.getByRole('region', { name: 'Corporate actions' }))
        await follow(page, 'Next page')
        assert.match(page.url(), /skiptoken=/)
        await follow(page, 'First page')
        await page.getByRole('columnheader', { name: 'Instrument' }).getByRole('link').click()
        const names = await rows(page).locator('[data-name="Instrument"] .of > bdi').allTextContents()
        assert.deepEqual(
          names,
          names.toSorted((a, b) => a.localeCompare(b, 'en')),
        )
        await follow(page, 'Upcoming')

        await page.getByRole('link', { name: 'Voluntary' }).click()
        await page.locator('summary', { hasText: 'More' }).click()
        await page.getByLabel('Dividend Option').check()
        await page.getByLabel('Annual General Meeting').check()
        await page.getByLabel('Deadline from').fill('2026-11-01')
        await press(page, 'Apply')
        const types = await rows(page).locator('th').allTextContents()
        assert.ok(types.length > 1 && types.every((type) => /^(Dividend Option|Annual General Meeting)/.test(type)))
        await follow(page, 'Remove Event type: Annual General Meeting')
        const fewer = await rows(page).locator('th').allTextContents()
        assert.ok(fewer.length > 0 && fewer.length < types.length)

        await page.getByText('Export', { exact: true }).click()
        const [file] = await Promise.all([page.waitForEvent('download'), follow(page, 'Table (.csv)')])
        assert.equal(file.suggestedFilename(), 'events.csv')
        const csv = await textOf(await file.createReadStream())
        assert.equal(new Set(csv.match(/CA\d+-\d+/g)).size, fewer.length)

        await page.getByLabel('Keywords').fill('no such event')
        await page.getByLabel('Keywords').press('Enter')
        await page.getByText('No upcoming events match these filters.').waitFor()
        await page.goto(`${service.url}${start}?FromExDate=soon`)
        await page.getByText('FromExDate: Must be a calendar day written YYYY-MM-DD.').waitFor()
        assert.equal(await page.getByLabel('Ex date from').inputValue(), 'soon')

        await page.goto(`${service.url}${start}/month?month=2026-11&CorporateActionTypes=Voluntary`)
        const month = page.getByRole('region', { name: 'November 2026' })
        assert.equal(await month.locator('td:not(.outside)').count(), 30)
        assert.equal(await month.locator('td.today').count(), 1)
        await month.getByRole('link', { name: 'Due Orsted A/S' }).click()
        assert.equal(await heading(page), 'Rights Issue, Orsted A/S')
        await page.goto(`${service.url}${start}/month?month=2026-11`)
        await page
          .getByRole('link', { name: /^\+\d+ more/ })
          .first()
          .click()
        assert.ok((await page.locator('#day tbody tr').count()) > 4)
        await follow(page, 'December 2026')
        assert.equal(await heading(page), 'Corporate actions in December 2026')
      },
      { javaScriptEnabled, next: start },
    )
  })
}

test('a private calendar URL is shown once, applies its filters, and can be revoked', async () => {
  await visit(
    async (page) => {
      await page.getByLabel('Calendar name').fill('My <b>choices</b>')
      await press(page, 'Create URL')
      const url = (await page.locator('.notice code').textContent()) ?? ''
      const webcal = await page.getByRole('link', { name: 'Open in your calendar program' }).getAttribute('href')
      assert.equal(webcal, url.replace('http:', 'webcal:'))
      await page.getByText('which cannot reach').waitFor()
      noteSecret('calendar', url.split('/').at(-1)?.replace('.ics', '') ?? '')
      const calendar = await fetch(url)
      assert.equal(calendar.status, 200)
      assert.doesNotMatch(await calendar.text(), /Cash Dividend/)
      await page.goto(`${service.url}${start}/subscribe`)
      assert.equal(await page.locator('.notice').count(), 0, 'the URL is shown once')
      const row = page.getByRole('row', { name: /^My <b>choices<\/b>/ })
      assert.match((await row.textContent()) ?? '', /Participation: Voluntary/)
      await row.getByRole('button', { name: /^Revoke/ }).click()
      await page.getByText('No calendar URLs.').waitFor()
      assert.equal((await fetch(url)).status, 404)
    },
    { next: `${start}/subscribe?CorporateActionTypes=Voluntary` },
  )
})

test('an election shows what it leads to while it is typed, and is confirmed where the user looks', async () => {
  await visit(
    async (page) => {
      const amount = page.getByLabel('Amount for 1 Exercise')
      const effect = page.locator('.elect-row', { has: amount }).locator('output')
      assert.equal(await effect.textContent(), 'For 280: −39,960 DKK, +600 Orsted A/S')
      await amount.fill('350')
      assert.equal(await effect.textContent(), 'For 350: −49,950 DKK, +750 Orsted A/S')
      await amount.fill('300')
      assert.equal(await effect.textContent(), '', 'not a multiple of 7')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Must be a multiple of 7 for this option.').waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
      assert.equal(await effect.textContent(), '')
      await amount.fill('350')
      await amount.fill('430')
      await press(page, 'Save changes')
      await assertInView(page.getByRole('alert').getByText('The amounts add up to 430; the account holds 420.'))
      await amount.fill('350')
      await press(page, 'Save changes')
      await page.locator('.toast', { hasText: 'Your election was saved.' }).waitFor()
      assert.doesNotMatch(page.url(), /#|done/)
      assert.equal(await effect.textContent(), 'For 350: −49,950 DKK, +750 Orsted A/S')
      assert.match((await page.getByRole('region', { name: 'Options compared' }).textContent()) ?? '', /350 of 420/)
    },
    { next: `${start}/CA7109655-1811` },
  )
})

test('sanitizes narratives and escapes HTML in names and keywords', async () => {
  const hostile = `"'><img src=https://other.example/x onerror=alert(1)><script>alert(2)</script>`
  const EventId = `E1 ${hostile}`.slice(0, 100)
  const { errors } = await importTexts(service.database.connection, {
    'hostile.ndjson': lines(
      position(demoKey('account 9226397'), 1000, 5),
      event(EventId, 1000, {
        DisplayAndFormat: { Description: hostile, Symbol: hostile },
        CorporateActionType: 'Voluntary',
        AnnouncedDate: '2026-11-02',
        Ex: { Date: '2026-11-16' },
        Narrative: `<p>Read <b>this</b></p>${hostile}<a href="javascript:alert(3)">one</a><a href="https://www.sec.gov/">two</a><form action="/logout"><button>out</button></form>`,
        EventIndicators: [{ Indicator: 'Offer', Values: [{ Code: 'PART', Name: hostile, Description: hostile }] }],
        Options: [
          { OptionId: hostile.slice(0, 20), OptionType: { Code: 'CASH' }, Narrative: hostile, IsDefault: true },
        ],
      }),
    ),
  })
  assert.deepEqual(errors, [])
  await visit(async (page) => {
    page.on('dialog', () => assert.fail('a script ran'))
    await page.goto(`${service.url}${start}?Keywords=${encodeURIComponent(hostile)}`)
    assert.equal(await page.getByLabel('Keywords').inputValue(), hostile)
    await page.getByRole('link', { name: `Remove Keywords: ${hostile}` }).waitFor()
    await assertClean(page)
    await page.goto(`${service.url}${start}/month?month=2026-11&day=2026-11-16`)
    await assertClean(page)
    await page.goto(`${service.url}${start}/${encodeURIComponent(EventId)}`)
    assert.ok((await heading(page))?.endsWith(hostile))
    const narrative = page
      .locator('section', { has: page.getByRole('heading', { name: 'Announcement' }) })
      .locator('.narrative')
    assert.equal(await narrative.locator('b').textContent(), 'this')
    assert.equal(await narrative.locator('a[href]').count(), 1)
    assert.equal(await narrative.locator('a[href]').getAttribute('rel'), 'noopener noreferrer nofollow')
    assert.equal(await narrative.locator('form, button').count(), 0)
    await assertClean(page)
  })
})

/** Our own scripts are in the head. */
async function assertClean(page: Page): Promise<void> {
  assert.equal(await page.locator('body script, img, iframe, object, [onerror], [style]').count(), 0, page.url())
}
