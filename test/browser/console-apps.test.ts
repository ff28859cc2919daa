import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import type { Page } from 'playwright-core'
import { accessibilityErrors, type ColorScheme } from '../support/browser/accessibility.ts'
import { connectBrowser } from '../support/browser/browser.ts'
import { assertFits, editIn, signInToConsole } from '../support/browser/console.ts'
import { handedTo, visitsOf } from '../support/browser/page.ts'
import { callbackForFile } from '../support/browser/page-callback.ts'
import { assertOpens } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'

const service = await serviceForFile()
const browser = await connectBrowser()
const visit = visitsOf(service, browser)
const callback = await callbackForFile()

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** Opens a confirmation and accepts it. */
async function confirm(page: Page, question: string, yes: string): Promise<void> {
  await page.locator('summary', { hasText: question }).click()
  await press(page, yes)
}

async function fillNewApp(page: Page, name: string, redirectUri: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Description').fill('An app of a <script>test</script>.')
  await page.getByLabel('Redirect URI').fill(redirectUri)
}

/** The app object on the page. */
async function copiedObject(page: Page): Promise<Record<string, string>> {
  const object = JSON.parse((await page.locator('.app-object pre').textContent()) ?? '')
  if (object.AppSecret) noteSecret('secret', object.AppSecret)
  return object
}

/** Signs ada in with a client library that knows only the app object. */
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
  // She consents only the first time.
  if (page.url().startsWith(service.url)) await press(page, 'Continue as ada')
  await handedTo(page, redirect_uri)
  const tokens = await client.authorizationCodeGrant(config, new URL(page.url()), { expectedState })
  await assertOpens(service, tokens.access_token)
}

test('creates an app, signs in with a client library, and rotates its secret with an overlap', async () => {
  await visit([callback.origin], async (page) => {
    await signInToConsole(service, page, 'ada', '/console/apps')
    await page.getByRole('link', { name: 'Create an app' }).click()
    await fillNewApp(page, 'Kite <b>Notes</b>', 'http://app.example/cb#top')
    await page.getByText('Not accepted.').waitFor()
    assert.equal(await page.getByLabel('Redirect URI').getAttribute('aria-invalid'), 'true')
    assert.match((await page.locator('.app-uri-result').textContent()) ?? '', /fragment.*Uses http to another machine/s)
    await page.getByLabel('Redirect URI').fill('http://localhost/cb')
    await page.getByText('needs administrator rights').waitFor()
    await page.getByLabel('PKCE, without a secret').check()
    await page.getByText('Accepted. Users are redirected to http://localhost/cb.').waitFor()

    await page.getByLabel('Code with a secret').check()
    await page.getByLabel('Redirect URI').fill(callback.redirectUri)
    await page.getByLabel('Name').press('Enter')
    const name = page.getByRole('textbox', { name: 'Name', description: /^Must be 1 to 100 letters/ })
    assert.equal(await name.inputValue(), 'Kite <b>Notes</b>')
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    await page.getByLabel('Name').fill('Kite Notes')
    await press(page, 'Create app')

    assert.equal(await heading(page).textContent(), 'Kite Notes is ready')
    const object = await copiedObject(page)
    const { AppKey = '', AppSecret = '' } = object
    assert.equal(await page.locator('.secret-value code').textContent(), AppSecret)
    // A reload submits the form again, but it is not repeated.
    await page.reload()
    assert.equal(await heading(page).textContent(), 'Already done')
    await page.getByRole('link', { name: 'Back to your apps' }).click()
    assert.equal(await page.getByRole('link', { name: 'Kite Notes' }).count(), 1)
    assert.deepEqual(object.RedirectUrls, [callback.redirectUri])
    assert.equal(object.OpenApiBaseUrl, `${service.baseUrl}/`)
    await signInWith(page, object, AppSecret)

    await page.goto(`${service.url}/console/apps/${AppKey}`)
    assert.match((await page.locator('.app-facts').textContent()) ?? '', /An app of a <script>test<\/script>\./)
    assert.equal((await page.content()).includes(AppSecret), false, 'the secret was not requested')
    await press(page, 'Rotate with 7-day overlap')
    await page.getByText(/^Secret \d+ \(….{4}\) stays valid until .* Update your app/).waitFor()
    const rotated = (await page.locator('.secret-value code').textContent()) ?? ''
    noteSecret('secret', rotated)
    assert.notEqual(rotated, AppSecret)
    await page.reload()
    assert.equal(await heading(page).textContent(), 'Already done')
    assert.equal((await page.content()).includes(rotated), false)
    await signInWith(page, object, rotated)
    await signInWith(page, object, AppSecret)

    await page.goto(`${service.url}/console/apps/${AppKey}`)
    const [older, newer] = await page.getByRole('row', { name: /valid/ }).allTextContents()
    assert.match(older ?? '', /valid, expires soon/)
    assert.match(newer ?? '', /valid/)
    assert.match(
      (await page.getByRole('img').getAttribute('aria-label')) ?? '',
      new RegExp(
        `^Secret \\d+ \\(…${AppSecret.slice(-4)}\\): valid from .*valid now.* Secret \\d+ \\(…${rotated.slice(-4)}\\): `,
      ),
    )
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByRole('link', { name: 'Show with secret' }).click()
    assert.equal((await copiedObject(page)).AppSecret, rotated, 'the secret that expires last')
    // The log is written asynchronously. Only the last request showed a secret.
    let shown = 0
    for (let turn = 0; shown === 0 && turn < 100; turn++) {
      await page.goto(`${service.url}/console/apps/${AppKey}/audit`)
      shown = await page.getByText('Secret shown').count()
    }
    assert.equal(shown, 1)
  })
})

test('without script: checks, adds, changes and removes a redirect URI, and deactivates and activates an app', async () => {
  const pkce = `${service.url}/console/apps/123456789abcdef0123456789abcdef0`
  await visit(
    [],
    async (page) => {
      await signInToConsole(service, page, 'ada', '/console/apps')
      await page.getByRole('link', { name: 'Pocket Charts Mobile' }).click()
      await page.getByText('This app has no secrets and needs none.').waitFor()
      await page.getByRole('link', { name: 'Redirect URIs 2' }).click()
      await page.locator('summary', { hasText: 'Add a redirect URI' }).click()
      await page.getByLabel('URI', { exact: true }).fill('https://user@app.example/cb')
      await page.getByLabel('Label').fill('<img src=x onerror=alert(1)>')
      await press(page, 'Check the URI')
      assert.match((await page.locator('.app-uri-result').textContent()) ?? '', /Not accepted\..*user info/s)
      await page.getByLabel('Label').press('Enter')
      await page.getByRole('textbox', { name: 'URI', description: /Not accepted\. ?Has user info/ }).waitFor()
      await page.getByLabel('URI', { exact: true }).fill('https://app.example/cb')
      await press(page, 'Add')
      await page.getByText('Redirect URI added.').waitFor()
      await page.getByText('<img src=x onerror=alert(1)>').waitFor()
      const row = page.getByRole('row', { name: 'https://app.example/cb' })
      await editIn(row)
      await page.getByLabel('Label').fill('Production')
      await press(page, 'Save')
      await page.getByRole('cell', { name: 'Production' }).waitFor()
      await row.locator('.row-menu summary').click()
      await row.getByRole('button', { name: 'Remove the URI' }).click()
      await page.locator('main').getByText('Redirect URI removed.').waitFor()
      assert.equal(new URL(page.url()).hash, '')
      assert.equal(await page.locator('#redirect-uris').getByText('https://app.example/cb').count(), 0)

      await page.getByRole('link', { name: 'Overview' }).click()
      await confirm(page, 'Deactivate the app', 'Yes, deactivate')
      await page.getByText('This app is inactive.').waitFor()
      // The app is activated below, so this form becomes outdated.
      const [form_token, tag] = await Promise.all(
        ['form_token', 'tag'].map((name) => page.locator(`form[action$="/activate"] [name=${name}]`).inputValue()),
      )
      await press(page, 'Activate')
      await page.getByText('The app is active again.').waitFor()
      const form = { form_token: form_token ?? '', tag: tag ?? '' }
      const late = await page.request.post(`${pkce}/deactivate`, { form })
      assert.equal(late.status(), 412)
      assert.match(
        await late.text(),
        /The app was changed in the meantime.*Nothing was changed.*Show the current version/s,
      )
    },
    { javaScriptEnabled: false },
  )
})

test('adds a secret in the time zone of the reader, changes, regenerates and deletes it; all pages fit a phone', async () => {
  await visit(
    [],
    async (page) => {
      await signInToConsole(service, page, 'ada', '/console/apps')
      await page.getByRole('row', { name: /^Pocket Charts demo app/ }).waitFor()
      await page.getByRole('link', { name: 'Pocket Charts', exact: true }).click()
      const app = page.url()
      const check = async (colorScheme: ColorScheme) => {
        await assertFits(page)
        assert.deepEqual(await accessibilityErrors(page, colorScheme), [], `${page.url()} ${colorScheme}`)
      }
      await page.getByRole('link', { name: 'Add a secret' }).click()
      const year = Number((await page.getByLabel('Valid from').inputValue()).slice(0, 4)) + 1
      await page.getByLabel('Valid until').fill('2020-01-01T00:00')
      await press(page, 'Add secret')
      await page.locator('#e-until').getByText('Must be in the future').waitFor()
      await assertFits(page)
      await page.getByLabel('Valid until').fill(`${year}-01-15T12:00`)
      await press(page, 'Add secret')
      noteSecret('secret', (await page.locator('.secret-value code').textContent()) ?? '')
      await check('dark')
      await page.getByRole('link', { name: 'Go to the app' }).click()
      const row = page.getByRole('row', { name: `until 15 Jan ${year}, 12:00` })
      await page.getByText('Times in America/New_York.').waitFor()
      await check('light')
      await row.locator('.row-menu summary').click()
      const edit = row.getByRole('link', { name: /^Edit/ })
      const box = await edit.boundingBox()
      assert.ok(box && box.x + box.width <= 390, 'the action is in view')
      await edit.click()
      await page.getByLabel('Valid until').fill(`${year}-01-16T12:00`)
      await assertFits(page)
      await press(page, 'Save')
      await editIn(page.getByRole('row', { name: `until 16 Jan ${year}, 12:00` }))
      const secret = page.url()
      const colorOf = (text: string) =>
        page.locator('.button.plain', { hasText: text }).evaluate((element) => getComputedStyle(element).color)
      assert.notEqual(await colorOf('Delete'), await colorOf('Cancel'), 'what destroys looks different')
      await check('dark')
      await confirm(page, 'Regenerate', 'Yes, regenerate')
      noteSecret('secret', (await page.locator('.secret-value code').textContent()) ?? '')
      await page.goto(secret)
      await confirm(page, 'Delete', 'Delete the secret')
      const toast = page.getByRole('status').getByText(/^Secret \d+ \(…[0-9a-f]{4}\) deleted\.$/)
      await toast.waitFor()
      const seen = await toast.boundingBox()
      assert.ok(seen && seen.y >= 0 && seen.y + seen.height <= 844, 'the confirmation is in view')
      assert.equal(await page.evaluate(() => scrollY), 0, 'the page does not jump')
      assert.equal(page.url(), app, 'a reload does not repeat the confirmation')
      assert.equal(await page.locator('#secrets').getByText(`16 Jan ${year}`).count(), 0)
      await page.goto(`${app}/edit`)
      await page.getByLabel('Write access').uncheck()
      await assertFits(page)
      await press(page, 'Save')
      await page.getByText('read only').waitFor()
      await page.goto(`${service.url}/console/apps/unknown`)
      await page.getByRole('link', { name: 'Back to your apps' }).click()
      await heading(page).getByText('Apps', { exact: true }).waitFor()
      await assertFits(page)
    },
    { timezoneId: 'America/New_York', viewport: { width: 390, height: 844 } },
  )
})
