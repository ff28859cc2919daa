import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoApps, demoPassword } from '../../src/sim/demo-records.ts'
import { browserForFile, handedTo, registerApp, signInOnPage, startOf, wrongSentence } from '../support/page.ts'
import { callbackForFile } from '../support/page-callback.ts'

const { service, visit } = await browserForFile()
const app = await callbackForFile()
const RedirectUris = [app.redirectUri]
const [, mobile] = demoApps
assert.ok(mobile)

/** Everything works without scripts too, and is held to that by the same tests. */
for (const javaScriptEnabled of [true, false]) {
  const settings = { javaScriptEnabled }
  const how = javaScriptEnabled ? '' : ', without scripts'

  test(`a person who signs in lands in the app with a code and the state${how}`, async () => {
    const code = await registerApp(service, { Flow: 'Code', RedirectUris })
    for (const flow of [code, { ...mobile, RedirectUris }]) {
      await visit(
        [app.origin],
        async (page) => {
          await page.goto(startOf(service, flow))
          assert.equal(
            await page.getByRole('heading', { level: 1 }).textContent(),
            `Sign in to continue to ${flow.Name}`,
          )
          await signInOnPage(page)
          const { query, fragment } = await handedTo(page, app.redirectUri)
          assert.deepEqual(Object.keys(query).sort(), ['code', 'iss', 'state'])
          assert.equal(query.state, 'a state & more')
          assert.deepEqual(fragment, {})
        },
        settings,
      )
    }
  })

  test(`Cancel lands in the app with access_denied and the state, whatever the fields hold${how}`, async () => {
    const code = await registerApp(service, { Flow: 'Code', RedirectUris })
    await visit(
      [app.origin],
      async (page) => {
        await page.goto(startOf(service, code))
        await page.getByRole('button', { name: 'Cancel' }).click()
        const { query } = await handedTo(page, app.redirectUri)
        assert.deepEqual([query.error, query.state, query.code], ['access_denied', 'a state & more', undefined])
      },
      settings,
    )
  })

  test(`the implicit flow has its token, or its refusal, in the fragment alone${how}`, async () => {
    const implicit = await registerApp(service, { Flow: 'Implicit', RedirectUris })
    await visit(
      [app.origin],
      async (page) => {
        await page.goto(startOf(service, implicit))
        await page.getByRole('button', { name: 'Cancel' }).click()
        const refused = await handedTo(page, app.redirectUri)
        assert.deepEqual(refused.query, {})
        assert.deepEqual([refused.fragment.error, refused.fragment.state], ['access_denied', 'a state & more'])

        await page.goto(startOf(service, implicit))
        await signInOnPage(page)
        const granted = await handedTo(page, app.redirectUri)
        assert.deepEqual(granted.query, {})
        assert.deepEqual(Object.keys(granted.fragment).sort(), ['access_token', 'expires_in', 'state', 'token_type'])
        assert.equal(granted.fragment.state, 'a state & more')
      },
      settings,
    )
  })

  test(`a wrong password is told, the user stays, the password has the focus, and the right one works${how}`, async () => {
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

  test(`the keyboard alone signs in, and reaches every button in the order of the page${how}`, async () => {
    const code = await registerApp(service, { Flow: 'Code', RedirectUris })
    await visit(
      [app.origin],
      async (page) => {
        await page.goto(startOf(service, code))
        const focused = () => page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id)
        await page.locator('#user:focus').waitFor()
        const order = ['user']
        for (let step = 0; step < 3; step++) {
          await page.keyboard.press('Tab')
          order.push(String(await focused()))
        }
        assert.deepEqual(order, ['user', 'password', 'Sign in and continue to Kite Notes', 'Cancel'])
        for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+Tab')
        await page.keyboard.type('ada')
        await page.keyboard.press('Tab')
        await page.keyboard.type(demoPassword)
        await page.keyboard.press('Enter')
        assert.ok((await handedTo(page, app.redirectUri)).query.code, 'Enter in a field allows')
      },
      settings,
    )
  })
}

test('empty fields are not sent: the browser asks for them', async () => {
  const code = await registerApp(service, { Flow: 'Code', RedirectUris })
  await visit([app.origin], async (page) => {
    await page.goto(startOf(service, code))
    await page.getByRole('button', { name: /^Sign in/ }).click()
    assert.equal(await page.locator('#user:invalid').count(), 1)
    assert.equal(await page.getByRole('alert').count(), 0)
  })
})

test('the page speaks German where the app asks for it, also after a wrong password', async () => {
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
