import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserForFile, handedTo, registerApp, signInOnPage, startOf, wrongSentence } from '../support/browser/page.ts'
import { callbackForFile } from '../support/browser/page-callback.ts'
import { demoApps, demoPassword } from '../support/demo.ts'

const { service, visit } = await browserForFile()
const app = await callbackForFile()
const RedirectUris = [app.redirectUri]
const [, mobile] = demoApps
assert.ok(mobile)

const members = {
  Code: ['code', 'iss', 'state'],
  PKCE: ['code', 'iss', 'state'],
  Implicit: ['access_token', 'expires_in', 'state', 'token_type'],
}

/** The same tests run without scripts, which the pages must not need. */
for (const javaScriptEnabled of [true, false]) {
  const settings = { javaScriptEnabled }
  const how = javaScriptEnabled ? '' : ', without scripts'

  for (const Flow of ['Code', 'PKCE', 'Implicit'] as const)
    test(`${Flow}: Cancel returns access_denied to the app, signing in returns a grant, both with the state${how}`, async () => {
      const asking = Flow === 'PKCE' ? { ...mobile, RedirectUris } : await registerApp(service, { Flow, RedirectUris })
      const [used, unused] = Flow === 'Implicit' ? (['fragment', 'query'] as const) : (['query', 'fragment'] as const)
      await visit(
        [app.origin],
        async (page) => {
          await page.goto(startOf(service, asking, { prompt: 'login' }))
          const heading = page.getByRole('heading', { level: 1 })
          assert.equal(await heading.textContent(), `Sign in to continue to ${asking.Name}`)
          await page.getByRole('button', { name: 'Cancel' }).click()
          const cancelled = await handedTo(page, app.redirectUri)
          assert.equal(cancelled[used].error, 'access_denied')
          assert.equal(cancelled[used].state, 'a state & more')
          assert.deepEqual(cancelled[unused], {})

          await page.goto(startOf(service, asking))
          await signInOnPage(page)
          const granted = await handedTo(page, app.redirectUri)
          assert.deepEqual(Object.keys(granted[used]).sort(), members[Flow])
          assert.equal(granted[used].state, 'a state & more')
          assert.deepEqual(granted[unused], {})
        },
        settings,
      )
    })

  test(`a wrong password shows an error, keeps the user name and focuses the password field${how}`, async () => {
    const code = await registerApp(service, { Flow: 'Code', RedirectUris })
    await visit(
      [app.origin],
      async (page) => {
        await page.goto(startOf(service, code))
        await page.locator('#user:focus').waitFor()
        await signInOnPage(page, 'ada', 'not her password')
        assert.equal(await page.getByRole('alert').textContent(), wrongSentence)
        assert.match(await page.title(), /^Error: /)
        assert.equal(await page.getByLabel('User').inputValue(), 'ada')
        assert.equal(await page.getByLabel('Password').inputValue(), '')
        await page.locator('#password:focus').waitFor()
        await page.keyboard.type(demoPassword)
        await page.keyboard.press('Enter')
        assert.ok((await handedTo(page, app.redirectUri)).query.code)
      },
      settings,
    )
  })
}

test('the app gets nothing of the sign-in form: the browser follows the redirect with GET, without a body or a referrer', async () => {
  const code = await registerApp(service, { Flow: 'Code', RedirectUris })
  await visit([app.origin], async (page) => {
    await page.goto(startOf(service, code))
    const returned = page.waitForRequest((request) => request.url().startsWith(app.redirectUri))
    await signInOnPage(page)
    const request = await returned
    await handedTo(page, app.redirectUri)
    assert.deepEqual([request.method(), request.postData()], ['GET', null])
    assert.equal((await request.allHeaders()).referer, undefined)
  })
})

test('the keyboard alone signs in and reaches every button in page order; empty fields are not sent', async () => {
  const code = await registerApp(service, { Flow: 'Code', RedirectUris })
  await visit([app.origin], async (page) => {
    await page.goto(startOf(service, code))
    await page.locator('#user:focus').waitFor()
    const order = ['user']
    for (let step = 0; step < 3; step++) {
      await page.keyboard.press('Tab')
      order.push(await page.evaluate(() => document.activeElement?.textContent || String(document.activeElement?.id)))
    }
    assert.deepEqual(order, ['user', 'password', 'Sign in and continue to Kite Notes', 'Cancel'])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.locator('#user:focus:invalid').waitFor()
    await page.keyboard.type('ada')
    await page.keyboard.press('Tab')
    await page.keyboard.type(demoPassword)
    await page.keyboard.press('Enter')
    assert.ok((await handedTo(page, app.redirectUri)).query.code)
  })
})

test('the page is in German if the app requests it, also after a wrong password', async () => {
  const code = await registerApp(service, { Flow: 'Code', RedirectUris })
  await visit([app.origin], async (page) => {
    await page.goto(startOf(service, code, { lang: 'de' }))
    for (const password of ['falsch', demoPassword]) {
      assert.equal(await page.locator('html').getAttribute('lang'), 'de')
      assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Für Kite Notes anmelden')
      await page.locator('#user').fill('ada')
      await page.locator('#password').fill(password)
      await page.locator('button[value=allow]').click()
    }
    assert.ok((await handedTo(page, app.redirectUri)).query.code)
  })
})
