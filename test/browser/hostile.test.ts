import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { putUsers } from '../../src/access/store/import.ts'
import { hashPassword } from '../../src/core/crypto/passwords.ts'
import { browserForFile, handedTo, registerApp, signInOnPage, startOf } from '../support/browser/page.ts'
import { callbackForFile } from '../support/browser/page-callback.ts'
import { demoKey, demoPassword } from '../support/demo.ts'

const { service, visit } = await browserForFile()
const app = await callbackForFile()
const RedirectUris = [app.redirectUri]
const known = await registerApp(service, { Flow: 'Code', RedirectUris })

const markup = `"'><img src=x onerror=alert(1)><script>alert(2)</script><b>&amp;`

/** Fails if input has become an element of the page. */
async function assertNoForeignElement(page: Page): Promise<void> {
  assert.equal(await page.locator('script, img, b, iframe, object, base, [onerror], [style]').count(), 0)
}

for (const javaScriptEnabled of [true, false]) {
  const settings = { javaScriptEnabled }
  const how = javaScriptEnabled ? '' : ', without scripts'

  test(`an unknown app or a foreign redirect URI gets an error page without links or forms${how}`, async () => {
    const foreign = [`${app.origin}/other`, 'https://attacker.example/', 'javascript:alert(1)', markup]
    await visit(
      [],
      async (page) => {
        for (const [more, title] of [
          [{ client_id: 'f'.repeat(32) }, 'Unknown app'],
          [{ client_id: markup }, 'Unknown app'],
          ...foreign.map(
            (redirect_uri) => [{ redirect_uri }, 'The return address does not belong to this app'] as const,
          ),
        ] as const) {
          const start = startOf(service, known, more)
          const response = await page.goto(start)
          assert.equal(response?.status(), 400)
          assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), title)
          assert.equal(page.url(), start)
          assert.equal(await page.locator('a, form, button, meta[http-equiv]').count(), 0, 'something to click')
          await assertNoForeignElement(page)
        }
      },
      settings,
    )
  })
}

test('escapes HTML in the names of apps and users', async () => {
  const name = `ada ${markup}`
  const facts = { UserKey: demoKey('user markup'), Name: name, ClientKey: demoKey('client ada') }
  const PasswordHash = await hashPassword(demoPassword)
  const { db, clock } = service.node.context
  await db.transaction().execute((trx) => putUsers(trx, [{ ...facts, PasswordHash }], clock.now()))
  const [hostile, other] = [
    await registerApp(service, { Flow: 'Code', RedirectUris, Name: markup }),
    await registerApp(service, { Flow: 'Code', RedirectUris, Name: markup }),
  ]
  await visit([app.origin], async (page) => {
    page.on('dialog', () => assert.fail('a script ran'))
    await page.goto(startOf(service, hostile))
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), `Sign in to continue to ${markup}`)
    assert.ok((await page.title()).includes(markup))
    await signInOnPage(page, name, 'not the password')
    assert.equal(await page.getByLabel('User').inputValue(), name)
    await assertNoForeignElement(page)
    await signInOnPage(page, name)
    await handedTo(page, app.redirectUri)

    await page.goto(startOf(service, other))
    await page.getByRole('button', { name: `Continue as ${name}`, exact: true }).waitFor()
    await assertNoForeignElement(page)
    await page.goto(`${service.url}/logout`)
    await page.getByText(`You are signed in as ${name}.`).waitFor()
    await assertNoForeignElement(page)
  })
})

test('a state with HTML is inert on our pages and reaches the app unchanged', async () => {
  const state = `${markup}\r\nset-cookie: a=b # ? % + ü`
  const [byQuery, byFragment] = [
    await registerApp(service, { Flow: 'Code', RedirectUris }),
    await registerApp(service, { Flow: 'Implicit', RedirectUris }),
  ]
  await visit([app.origin], async (page, context) => {
    await page.goto(startOf(service, byQuery, { state, lang: markup, prompt: markup }))
    await assertNoForeignElement(page)
    await signInOnPage(page)
    assert.equal((await handedTo(page, app.redirectUri)).query.state, state)
    await page.goto(startOf(service, byFragment, { state, lang: markup, prompt: markup }))
    await assertNoForeignElement(page)
    await page.getByRole('button', { name: 'Continue as ada' }).click()
    assert.equal((await handedTo(page, app.redirectUri)).fragment.state, state)
    assert.ok(!(await context.cookies()).some(({ name }) => name === 'a'))
  })
})

test('a page of another site cannot frame the sign-in page', async () => {
  const framing = await callbackForFile({
    '/frame': `<iframe src="${startOf(service, known).replaceAll('&', '&amp;')}">`,
  })
  await assert.rejects(
    visit([framing.origin], async (page) => {
      await page.goto(`${framing.origin}/frame`)
      await page.waitForLoadState('networkidle')
      assert.equal(await page.frameLocator('iframe').locator('form').count(), 0)
    }),
    /frame-ancestors|Refused to display|Framing/i,
  )
})
