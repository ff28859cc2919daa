import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForFile, handedTo, registerApp, signInOnPage, startOf } from '../support/browser/page.ts'
import { callbackForFile } from '../support/browser/page-callback.ts'
import { Browser, codeRequest, signIn } from '../support/sign-in.ts'

const { service, visit } = await browserForFile()
const app = await callbackForFile()
const RedirectUris = [app.redirectUri]
const code = () => registerApp(service, { Flow: 'Code', RedirectUris })

/** A browser in which ada is signed in. One per test, because signing in again replaces the sign-in. */
async function signedIn() {
  const browser = new Browser()
  const { AppKey, RedirectUris: uris } = await code()
  await signIn(service.url, { ...codeRequest, client_id: AppKey, redirect_uri: uris[0] ?? '' }, { browser })
  const cookies = [...browser.cookies].map(([name, value]) => ({
    ...{ name, value, domain: 'localhost', path: '/', expires: -1 },
    ...{ httpOnly: true, secure: false, sameSite: 'Lax' as const },
  }))
  return { cookies, origins: [] }
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

for (const javaScriptEnabled of [true, false]) {
  const settings = async () => ({ javaScriptEnabled, storageState: await signedIn() })
  const how = javaScriptEnabled ? '' : ', without scripts'

  test(`a signed-in user who has consented is redirected immediately, except with prompt=login${how}`, async () => {
    const known = await code()
    await visit(
      [app.origin],
      async (page) => {
        await page.goto(startOf(service, known))
        await page.getByRole('button', { name: 'Continue as ada' }).click()
        const first = await handedTo(page, app.redirectUri)

        await page.goto(startOf(service, known, { state: 'second' }))
        const second = await handedTo(page, app.redirectUri)
        assert.equal(second.query.state, 'second')
        assert.ok(second.query.code && second.query.code !== first.query.code)

        await page.goto(startOf(service, known, { prompt: 'login' }))
        assert.equal(await heading(page), 'Sign in to continue to Kite Notes')
        assert.equal(await page.getByLabel('User').inputValue(), '')
        await signInOnPage(page, 'bo')
        assert.ok((await handedTo(page, app.redirectUri)).query.code)
      },
      await settings(),
    )
  })

  test(`for another app a signed-in user can continue, cancel or switch user without a password${how}`, async () => {
    const [first, second, third] = [await code(), await code(), await code()]
    await visit(
      [app.origin],
      async (page) => {
        await page.goto(startOf(service, first))
        assert.equal(await heading(page), 'Continue to Kite Notes?')
        assert.equal(await page.locator('input:not([type=hidden])').count(), 0)
        await page.getByRole('button', { name: 'Cancel' }).click()
        assert.equal((await handedTo(page, app.redirectUri)).query.error, 'access_denied')

        await page.goto(startOf(service, first))
        await page.getByRole('button', { name: 'Continue as ada' }).click()
        const { query } = await handedTo(page, app.redirectUri)
        assert.ok(query.code)
        assert.equal(query.state, 'a state & more')

        await page.goto(startOf(service, second))
        await page.getByRole('button', { name: 'Use another user' }).click()
        await page.locator('#user:focus').waitFor()
        await signInOnPage(page, 'bo')
        assert.ok((await handedTo(page, app.redirectUri)).query.code)
        await page.goto(startOf(service, third))
        await page.getByRole('button', { name: 'Continue as bo' }).waitFor()
      },
      await settings(),
    )
  })

  test(`signing out asks for confirmation and ends the sign-in: the next app asks for the password${how}`, async () => {
    const known = await code()
    await visit(
      [app.origin],
      async (page) => {
        await page.goto(startOf(service, known))
        await signInOnPage(page)
        await handedTo(page, app.redirectUri)

        await page.goto(`${service.url}/logout`)
        assert.equal(await heading(page), 'Sign out?')
        await page.getByText('You are signed in as ada.').waitFor()
        await page.getByRole('link', { name: 'Stay signed in' }).click()
        await page.waitForURL(`${service.url}/`)
        await page.goto(`${service.url}/logout`)
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('heading', { name: 'You are signed out' }).waitFor()

        await page.goto(startOf(service, known))
        assert.equal(await heading(page), 'Sign in to continue to Kite Notes')
      },
      { javaScriptEnabled },
    )
  })
}

test('the keyboard alone continues, cancels and switches user, in page order', async () => {
  const other = await code()
  const act = async (page: Page) => {
    await page.goto(startOf(service, other))
    const order: unknown[] = []
    for (let step = 0; step < 3; step++) {
      await page.keyboard.press('Tab')
      order.push(await page.evaluate(() => document.activeElement?.textContent))
    }
    assert.deepEqual(order, ['Use another user', 'Continue as ada', 'Cancel'])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    assert.ok((await handedTo(page, app.redirectUri)).query.code)
  }
  await visit([app.origin], act, { storageState: await signedIn() })
})

test('Back after signing in shows no stale form, and the new one works', async () => {
  const known = await code()
  await visit([app.origin], async (page) => {
    await page.goto(startOf(service, known))
    await signInOnPage(page)
    await handedTo(page, app.redirectUri)
    await page.goBack()
    await page.waitForURL(`${service.url}/login?**`)
    await page.locator('button[value=allow]').waitFor()
    assert.equal(await page.locator('input[type=password]').count(), 0, 'a stale form: no-store was ignored')
    await page.getByRole('button', { name: 'Continue as ada' }).click()
    assert.ok((await handedTo(page, app.redirectUri)).query.code)
  })
})
