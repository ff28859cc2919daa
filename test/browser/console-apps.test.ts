import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as client from 'openid-client'
import type { Page } from 'playwright-core'
import { connectBrowser } from '../support/browser/browser.ts'
import { accessFaults, assertFits, signInToConsole } from '../support/browser/console.ts'
import { handedTo, visitsOf } from '../support/browser/page.ts'
import { callbackForFile } from '../support/browser/page-callback.ts'
import { assertOpens } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'

const service = await serviceForFile()
const browser = await connectBrowser()
after(() => browser.close())
const visit = visitsOf(service, browser)
const callback = await callbackForFile()

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** Opens a question and answers it with yes. */
async function confirm(page: Page, question: string, yes: string): Promise<void> {
  await page.locator('summary', { hasText: question }).click()
  await press(page, yes)
}

async function fillNewApp(page: Page, name: string, redirectUri: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Description').fill('An app of a <script>test</script>.')
  await page.getByLabel('Redirect URI').fill(redirectUri)
}

/** The settings that the page offers to copy. */
async function copiedObject(page: Page): Promise<Record<string, string>> {
  const object = JSON.parse((await page.locator('.app-object pre').textContent()) ?? '')
  if (object.AppSecret) noteSecret('secret', object.AppSecret)
  return object
}

/** A sign-in by a client library that was given the app object and nothing else; ada says yes in the browser. */
async function signInWith(page: Page, object: Record<string, string>, AppSecret: string): Promise<void> {
  const server = {
    issuer: service.url,
    authorization_endpoint: object.AuthorizationEndpoint ?? '',
    token_endpoint: object.TokenEndpoint ?? '',
  }
  const config = new client.Configuration(server, object.AppKey ?? '', AppSecret)
  client.allowInsecureRequests(config)
  const expectedState = client.randomState()
  const redirect_uri = object.RedirectUrls?.[0] ?? ''
  await page.goto(client.buildAuthorizationUrl(config, { redirect_uri, state: expectedState }).href)
  // Asked once: the next time she has allowed it already.
  if (page.url().startsWith(service.url)) await press(page, 'Continue as ada')
  await handedTo(page, redirect_uri)
  const tokens = await client.authorizationCodeGrant(config, new URL(page.url()), { expectedState })
  await assertOpens(service, tokens.access_token)
}

test('an app is made, signs people in by a library, and its secret is rotated while the old one goes on', async () => {
  await visit([callback.origin], async (page) => {
    await signInToConsole(service, page, 'ada', '/console/apps')
    await page.getByRole('link', { name: 'Create an app' }).click()
    await fillNewApp(page, 'Kite <b>Notes</b>', 'http://app.example/cb#top')
    await page.getByText('Not accepted.').waitFor()
    assert.equal(await page.getByLabel('Redirect URI').getAttribute('aria-invalid'), 'true')
    assert.match((await page.locator('.app-told').textContent()) ?? '', /fragment.*Uses http to another machine/s)
    await page.getByLabel('Redirect URI').fill('http://localhost/cb')
    await page.getByText('Has no port').waitFor()
    await page.getByLabel('PKCE, without a secret').check()
    await page.getByText('Accepted. People are sent to http://localhost.').waitFor()

    await page.getByLabel('Code with a secret').check()
    await page.getByLabel('Redirect URI').fill(callback.redirectUri)
    await press(page, 'Create the app')
    const name = page.getByRole('textbox', { name: 'Name', description: /^Must be 1 to 100 letters/ })
    assert.equal(await name.inputValue(), 'Kite <b>Notes</b>')
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    await page.getByLabel('Name').fill('Kite Notes')
    await press(page, 'Create the app')

    assert.equal(await heading(page).textContent(), 'Kite Notes is ready')
    const made = await copiedObject(page)
    const { AppKey = '', AppSecret = '' } = made
    assert.equal(await page.locator('.secret-value code').textContent(), AppSecret)
    // Loading the answer again sends the form again: nothing is done twice.
    await page.reload()
    assert.equal(await heading(page).textContent(), 'This was done already')
    await page.getByRole('link', { name: 'To your apps' }).click()
    assert.equal(await page.getByRole('link', { name: 'Kite Notes' }).count(), 1)
    assert.deepEqual(made.RedirectUrls, [callback.redirectUri])
    assert.equal(made.OpenApiBaseUrl, `${service.baseUrl}/`)
    await signInWith(page, made, AppSecret)

    await page.goto(`${service.url}/console/apps/${AppKey}`)
    assert.match((await page.locator('.app-facts').textContent()) ?? '', /An app of a <script>test<\/script>\./)
    assert.equal((await page.content()).includes(AppSecret), false, 'nobody asked to see the secret')
    await press(page, 'Rotate with 7 days overlap')
    assert.match((await page.locator('main li').textContent()) ?? '', /^Secret 1 works until .*: change your app/)
    const rotated = (await page.locator('.secret-value code').textContent()) ?? ''
    noteSecret('secret', rotated)
    assert.notEqual(rotated, AppSecret)
    await page.reload()
    assert.equal(await heading(page).textContent(), 'This was done already')
    assert.equal((await page.content()).includes(rotated), false)
    await signInWith(page, made, rotated)
    await signInWith(page, made, AppSecret)

    await page.goto(`${service.url}/console/apps/${AppKey}`)
    const [older, newer] = await page.getByRole('row', { name: /valid/ }).allTextContents()
    assert.match(older ?? '', /valid, ends soon/)
    assert.match(newer ?? '', /valid now/)
    assert.match(
      (await page.getByRole('img').getAttribute('aria-label')) ?? '',
      /^Secret 1: valid from .*now valid.* Secret 2: /,
    )
    await page.getByRole('link', { name: 'Show it with the secret' }).click()
    assert.equal((await copiedObject(page)).AppSecret, rotated, 'the one that lives longest')
    // The log is written a moment later; of all these looks only the last told a secret.
    let told = 0
    for (let turn = 0; told === 0 && turn < 100; turn++) {
      await page.goto(`${service.url}/console/apps/${AppKey}/audit`)
      told = await page.getByText('Secret shown').count()
    }
    assert.equal(told, 1)
  })
})

test('without script: an address is explained, added, changed and removed; the app is made inactive and active again', async () => {
  const pkce = `${service.url}/console/apps/123456789abcdef0123456789abcdef0`
  await visit(
    [],
    async (page) => {
      await signInToConsole(service, page, 'ada', '/console/apps')
      await page.getByRole('link', { name: 'Pocket Charts Mobile' }).click()
      await page.getByText('This app has no secrets, and needs none.').waitFor()
      await page.locator('summary', { hasText: 'Add a redirect URI' }).click()
      await page.getByLabel('Address').fill('https://user@app.example/cb')
      await page.getByLabel('Label').fill('<img src=x onerror=alert(1)>')
      await press(page, 'Check')
      assert.match((await page.locator('.app-told').textContent()) ?? '', /Not accepted\..*user info/s)
      await press(page, 'Add')
      await page.getByRole('textbox', { name: 'Address', description: /Not accepted\. ?Has user info/ }).waitFor()
      await page.getByLabel('Address').fill('https://app.example/cb')
      await press(page, 'Add')
      await page.getByText('The redirect URI is added.').waitFor()
      await page.getByText('<img src=x onerror=alert(1)>').waitFor()
      await page.getByRole('link', { name: 'Change https://app.example/cb' }).click()
      await page.getByLabel('Label').fill('Production')
      await press(page, 'Save')
      await page.getByRole('cell', { name: 'Production' }).waitFor()
      await page.getByRole('link', { name: 'Change https://app.example/cb' }).click()
      await confirm(page, 'Remove it', 'Yes, remove it')
      await page.getByText('The redirect URI is removed.').waitFor()
      assert.equal(await page.locator('#redirect-uris').getByText('https://app.example/cb').count(), 0)

      await confirm(page, 'Deactivate the app', 'Yes, deactivate it')
      await page.getByText('This app is inactive.').waitFor()
      // Something else was quicker: this page is older than what it asks to change.
      const [form_token, tag] = await Promise.all(
        ['form_token', 'tag'].map((name) => page.locator(`form[action$="/activate"] [name=${name}]`).inputValue()),
      )
      await press(page, 'Activate')
      await page.getByText('The app is active again.').waitFor()
      const form = { form_token: form_token ?? '', tag: tag ?? '' }
      const late = await page.request.post(`${pkce}/deactivate`, { form })
      assert.equal(late.status(), 412)
      assert.match(await late.text(), /The app has changed meanwhile.*Nothing was changed now.*See it as it is now/s)
    },
    { javaScriptEnabled: false },
  )
})

test('a secret is added in the zone of the reader, changed, made anew and deleted; and its pages fit a phone', async () => {
  await visit(
    [],
    async (page) => {
      await signInToConsole(service, page, 'ada', '/console/apps')
      await page.getByRole('row', { name: /^Pocket Charts demo app/ }).waitFor()
      await page.getByRole('link', { name: 'Pocket Charts', exact: true }).click()
      const app = page.url()
      const check = async (colorScheme: 'light' | 'dark') => {
        await page.emulateMedia({ colorScheme })
        await assertFits(page)
        assert.deepEqual(await accessFaults(page), [], `${page.url()} ${colorScheme}`)
      }
      await page.getByRole('link', { name: 'Add a secret' }).click()
      const year = Number((await page.getByLabel('Valid from').inputValue()).slice(0, 4)) + 1
      await page.getByLabel('Valid until').fill('2020-01-01T00:00')
      await press(page, 'Add the secret')
      await page.locator('#e-until').getByText('Must be in the future').waitFor()
      await assertFits(page)
      await page.getByLabel('Valid until').fill(`${year}-01-15T12:00`)
      await press(page, 'Add the secret')
      noteSecret('secret', (await page.locator('.secret-value code').textContent()) ?? '')
      await check('dark')
      await page.getByRole('link', { name: 'Go to the app' }).click()
      const row = page.getByRole('row', { name: `until 15 Jan ${year}, 12:00` })
      await page.getByText('Times in America/New_York.').waitFor()
      await check('light')
      const change = row.getByRole('link', { name: 'Change' })
      const box = await change.boundingBox()
      assert.ok(box && box.x + box.width <= 390, 'what can be done is in view')
      await change.click()
      await page.getByLabel('Valid until').fill(`${year}-01-16T12:00`)
      await assertFits(page)
      await press(page, 'Save')
      await page
        .getByRole('row', { name: `until 16 Jan ${year}, 12:00` })
        .getByRole('link', { name: 'Change' })
        .click()
      const secret = page.url()
      await confirm(page, 'Make it anew', 'Yes, make it anew')
      noteSecret('secret', (await page.locator('.secret-value code').textContent()) ?? '')
      await page.goto(secret)
      await confirm(page, 'Delete it', 'Yes, delete it')
      await page.getByText('The secret is deleted.').waitFor()
      assert.equal(await page.locator('#secrets').getByText(`16 Jan ${year}`).count(), 0)
      await page.goto(`${app}/edit`)
      await page.getByLabel('The app may write too').uncheck()
      await assertFits(page)
      await press(page, 'Save')
      await page.getByText('read only').waitFor()
      await page.goto(`${service.url}/console/apps/unknown`)
      await page.getByRole('link', { name: 'To your apps' }).click()
      await heading(page).getByText('Apps', { exact: true }).waitFor()
      await assertFits(page)
    },
    { timezoneId: 'America/New_York', viewport: { width: 390, height: 844 } },
  )
})
