import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Locator } from 'playwright-core'
import { setOperator } from '../../src/auth/commands/users.ts'
import { beginRun } from '../../src/database/staging/history.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFits, assertNotCut, consoleForFile } from '../support/browser/console.ts'
import { operatorPages } from '../support/browser/console-pages.ts'
import { findExceeding, observeShifts } from '../support/browser/limits.ts'
import { lines } from '../support/service/import.ts'

const { service, visit } = await consoleForFile()
const { db } = service.node.context
await setOperator(service.node.context, 'ada', true, () => {})
const next = '/console/operators/users'
const importPage = '/console/operators/import'
const wide = { width: 1280, height: 900 }
const narrow = { width: 390, height: 844 }

test('the matrix says in words and marks what each user and client sees and trades', async () => {
  await visit(
    async (page) => {
      const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
      assert.match(await row('bo').innerText(), /● some/)
      assert.match((await row('bo').textContent()) ?? '', /trades: Stock/)
      assert.match((await row('ada').textContent()) ?? '', /trades: on some accounts/)
      await assertNotCut(page.getByRole('region', { name: 'Users by name' }))
      await assertAccessible(page, 'users and rights')

      await page.getByRole('link', { name: 'Clients', exact: true }).click()
      assert.match(await row('Dee Pension').innerText(), /9300201/)
      await assertNotCut(page.getByRole('region', { name: 'Clients by id' }))
      await row('Cy Capital').getByRole('link', { name: '1 of 20001' }).click()
      assert.deepEqual(await page.getByRole('rowheader').getByRole('link').allInnerTexts(), ['cy'])

      await page.getByRole('link', { name: 'cy', exact: true }).click()
      await page.getByRole('heading', { name: 'cy', exact: true }).waitFor()
      assert.match(await row('Stocks').innerText(), /sees and trades/)
      await page.getByText('No apps.').waitFor()
      const unknown = await page.goto(`${service.url}${next}/AAAAAAAAAAAAAAAAAAAAAA==`)
      assert.equal(unknown?.status(), 404)
    },
    { next, viewport: wide },
  )
})

test('without script and on a phone: filters by name, and says when nothing matches', async () => {
  await visit(
    async (page) => {
      await assertFits(page)
      const field = page.getByLabel('Name or client')
      await field.fill('berg')
      await field.press('Enter')
      await page.waitForURL(/Keywords=berg/)
      assert.deepEqual(await page.getByRole('rowheader').getByRole('link').allInnerTexts(), ['bo'])
      await page.goto(`${service.url}${next}?Keywords=${encodeURIComponent('<b>nobody')}`)
      await page.getByText('Nothing matches “<b>nobody”.').waitFor()
      const broken = await page.goto(`${service.url}${next}?Keywords=${'a'.repeat(101)}`)
      assert.equal(broken?.status(), 400)
      await page.getByRole('alert').waitFor()
    },
    { next, viewport: narrow, javaScriptEnabled: false },
  )
})

test('the pages of operators pass axe, fit a phone, take at most 30 KB, do not move, and work without script', async () => {
  await visit(
    async (page) => {
      await page.addInitScript(observeShifts)
      assert.deepEqual(await findExceeding(page, service.url, operatorPages), [])
      for (const path of Object.values(operatorPages)) {
        await page.setViewportSize(wide)
        await page.goto(`${service.url}${path}`)
        await assertAccessible(page, path)
        await page.setViewportSize(narrow)
        await assertFits(page)
      }
    },
    { viewport: wide },
  )
  await visit(
    async (page) => {
      for (const path of Object.values(operatorPages)) {
        const response = await page.goto(`${service.url}${path}`)
        assert.equal(response?.status(), 200, path)
        assert.equal(await page.locator('h1').count(), 1, path)
      }
    },
    { javaScriptEnabled: false },
  )
})

test('users who are not operators have no entry in the menu, and the pages are 403', async () => {
  await visit(
    async (page) => {
      const menu = page.getByRole('navigation', { name: 'Main' })
      await menu.getByRole('link', { name: 'Apps' }).waitFor()
      assert.equal(await menu.getByText('Operate').count(), 0)
      for (const path of [next, '/console/operators/clients', importPage]) {
        const response = await page.goto(`${service.url}${path}`)
        assert.equal(response?.status(), 403, path)
      }
      const found = await page.request.get(`${service.url}/console/find?q=users`)
      assert.doesNotMatch(await found.text(), /operators/)
    },
    { user: 'bo', viewport: wide },
  )
  await visit(
    async (page) => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users and rights' }).click()
      await page.getByRole('heading', { name: 'Users and rights' }).waitFor()
      const found = await page.request.get(`${service.url}/console/find?q=users`)
      assert.match(await found.text(), /console\/operators\/users/)
    },
    { viewport: wide },
  )
})

const exchange = (ExchangeId: string, more: object = {}) =>
  lines({ kind: 'exchange', ExchangeId, Name: ExchangeId, CountryCode: 'DK', TimeZone: 'Europe/Copenhagen', ...more })
const fileOf = (name: string, text: string) => ({ name, mimeType: 'application/x-ndjson', buffer: Buffer.from(text) })

const assertNotAnnounced = async (button: Locator) => {
  const region = 'xpath=ancestor::*[@aria-live or @role="status" or @role="alert"]'
  assert.deepEqual([await button.count(), await button.locator(region).count()], [1, 0])
}

test('dropped files show what would change, and are applied', async () => {
  await visit(
    async (page) => {
      await assertAccessible(page, 'import')
      await page.getByLabel(/drop them here/).setInputFiles(fileOf('more.ndjson', exchange('IMA', { Hours: [] })))
      await page.getByText('more.ndjson').waitFor()
      await page.getByRole('button', { name: 'Check files' }).click()
      const apply = page.getByRole('button', { name: 'Apply 1 change' })
      await apply.waitFor({ timeout: 120_000 })
      const kinds = page.getByRole('region', { name: 'What would change, by kind' })
      assert.match(await kinds.getByRole('row', { name: /^exchange/ }).innerText(), /1\s+0\s+0\s+0/)
      await page.getByRole('link', { name: '1 warning' }).waitFor()
      const record = page.getByRole('region', { name: 'Records that would change' }).locator('tbody tr').first()
      assert.ok(((await record.boundingBox())?.y ?? 999) <= 160, 'the first record is near the top')
      assert.match(await page.getByRole('row', { name: /more.ndjson:1/ }).innerText(), /Is empty: it never opens/)
      await assertAccessible(page, 'checked import')
      await assertNotAnnounced(apply)
      await page.getByRole('status').getByText('Nothing has been changed yet.').waitFor()
      await apply.click()
      await page.getByText('This node serves revision').waitFor({ timeout: 120_000 })
      await page.getByRole('link', { name: 'Exchanges' }).last().waitFor()

      await page.getByRole('link', { name: /^run \d+$/ }).click()
      assert.match(await page.getByRole('row', { name: /exchange IMA/ }).innerText(), /Added/)
      await assertAccessible(page, 'run')
      await assertNotAnnounced(page.getByRole('button', { name: 'Undo…' }))
      const status = page.getByRole('status').filter({ hasText: 'Nothing is changed.' })
      await db.transaction().execute(async (trx) => {
        // The check waits for this, so that the page shows it and then its result.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
        await beginRun(trx, 'another import')
        await page.getByRole('button', { name: 'Undo…' }).click()
        await status.waitFor()
        await status.evaluate((node) => node.setAttribute('data-first', ''))
      })
      const undo = page.getByRole('button', { name: /^Undo run \d+: 1 change$/ })
      await undo.waitFor({ timeout: 120_000 })
      await page.locator('[role=status][data-first]').getByText('Nothing has been changed yet.').waitFor()
      await assertNotAnnounced(undo)
      assert.match(await page.getByRole('row', { name: /exchange IMA/ }).innerText(), /Removed/)
      await assertAccessible(page, 'undo')
      await undo.click()
      await page.getByText(/Run \d+ was undone\./).waitFor({ timeout: 120_000 })
      await page.goto(`${service.url}${importPage}`)
      assert.match(
        await page
          .getByRole('row', { name: /more.ndjson/ })
          .first()
          .innerText(),
        /Undone by run \d+/,
      )
      await assertNotCut(page.getByRole('region', { name: /What has changed the data/ }))

      const found = await page.request.get(`${service.url}/console/find?q=import`)
      assert.match(await found.text(), /console\/operators\/import/)
    },
    { next: importPage, viewport: wide },
  )
})

test('without script and on a phone: pasted text is checked, with errors by line, and files can be deleted', async () => {
  await visit(
    async (page) => {
      await page.getByRole('button', { name: 'Check files' }).click()
      assert.match(await page.getByRole('alert').innerText(), /Choose at least one file/)
      await page.getByText('Paste text instead').click()
      await page.getByLabel('Records or messages').fill(exchange('IMB', { Name: 7, Hours: [] }))
      await page.getByRole('button', { name: 'Check files' }).click()
      // The browser loads the page again until the check has ended.
      const row = page.getByRole('row', { name: /exchange IMB, field Name/ })
      await row.waitFor({ timeout: 120_000 })
      assert.match(await row.innerText(), /pasted\.ndjson:1/)
      assert.equal(await page.getByRole('button', { name: /Apply/ }).count(), 0)
      await assertFits(page)
      await page.getByRole('button', { name: 'Delete files' }).click()
      await page.getByText('The files were deleted.').waitFor()
      await assertFits(page)
      const newest = page
        .getByRole('region', { name: /What has changed the data/ })
        .getByRole('rowheader')
        .first()
      await newest.getByRole('link').click()
      await page.getByRole('button', { name: 'Undo…' }).waitFor()
      await assertFits(page)
      const unknown = await page.goto(`${service.url}${importPage}/runs/999999`)
      assert.equal(unknown?.status(), 404)
    },
    { next: importPage, viewport: narrow, javaScriptEnabled: false },
  )
})

test('files are taken only with the form token, and a large body only from operators', async () => {
  const big = Buffer.alloc(100_000, 'a')
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  await visit(
    async (page) => {
      const response = await page.request.post(`${service.url}${importPage}`, { headers, data: big })
      assert.equal(response.status(), 403)
    },
    { user: 'bo' },
  )
  await visit(
    async (page) => {
      const multipart = { File: fileOf('a.ndjson', '') }
      const response = await page.request.post(`${service.url}${importPage}`, { multipart })
      assert.equal(response.status(), 400)
      assert.match(await response.text(), /The form has expired/)
    },
    { next: importPage },
  )
})
