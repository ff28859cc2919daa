import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setOperator } from '../../src/auth/commands/users.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFits, assertNotCut, consoleForFile } from '../support/browser/console.ts'

const { service, visit } = await consoleForFile()
await setOperator(service.node.context, 'ada', true, () => {})
const next = '/console/operators/users'
const wide = { width: 1440, height: 900 }
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
      assert.deepEqual(await page.getByRole('rowheader').allInnerTexts(), ['cy'])
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
      assert.deepEqual(await page.getByRole('rowheader').allInnerTexts(), ['bo'])
      await page.goto(`${service.url}${next}?Keywords=${encodeURIComponent('<b>nobody')}`)
      await page.getByText('Nothing matches “<b>nobody”.').waitFor()
      const broken = await page.goto(`${service.url}${next}?Keywords=${'a'.repeat(101)}`)
      assert.equal(broken?.status(), 400)
      await page.getByRole('alert').waitFor()
    },
    { next, viewport: narrow, javaScriptEnabled: false },
  )
})

test('users who are not operators have no entry in the menu, and the pages are 403', async () => {
  await visit(
    async (page) => {
      const menu = page.getByRole('navigation', { name: 'Main' })
      await menu.getByRole('link', { name: 'Apps' }).waitFor()
      assert.equal(await menu.getByText('Operate').count(), 0)
      for (const path of [next, '/console/operators/clients']) {
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
