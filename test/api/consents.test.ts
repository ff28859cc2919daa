import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as apps from '../support/apps.ts'
import { serviceForFile } from '../support/service/service.ts'
import { authorizeUrl, Browser, basic, postToken, readForm, signIn, signInForCode } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url } = service
const ada = await apps.callerFor(service, 'ada')

const requestOf = ({ AppKey }: apps.App, more = {}) => ({
  response_type: 'code',
  client_id: AppKey,
  redirect_uri: apps.callback,
  ...more,
})
const secretOf = ({ AppKey, Secrets }: apps.App) => basic(AppKey, Secrets?.[0]?.Secret ?? '')

async function exchange(app: apps.App, code: string) {
  const form = { grant_type: 'authorization_code', code, redirect_uri: apps.callback }
  return postToken(url, form, secretOf(app))
}

/** The sign-in page of an app, as its user sees it. */
async function pageOf(app: apps.App, browser = new Browser()): Promise<string> {
  const start = await browser.fetch(authorizeUrl(url, requestOf(app)))
  const location = start.headers.get('location') ?? ''
  assert.match(location, /^\/login\?/, 'the page asks')
  return (await readForm(await browser.fetch(`${url}${location}`))).html
}

const makeApp = (IsTradingEnabled: boolean) => apps.makeApp(ada, { IsTradingEnabled })
const grantTrading = (app: apps.App) => apps.ok(ada('PATCH', `/${app.AppKey}`, { IsTradingEnabled: true }), 204)

test('the page says that an app may elect, exactly when its tokens may', async () => {
  for (const isTrading of [true, false]) {
    const app = await makeApp(isTrading)
    assert.equal(/elect for you/.test(await pageOf(app)), isTrading)
    const { body } = await exchange(app, await signInForCode(url, requestOf(app)))
    const { status } = await fetch(`${service.baseUrl}/ca/v2/elections`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ EventId: '1', AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==', Options: [] }),
    })
    assert.equal(status === 403, !isTrading, String(status))
  }
})

describe('a consent is for the permissions that the page listed', () => {
  test('so an app that may do more than was allowed asks again, and silent sign-ins are consent_required', async () => {
    const app = await makeApp(false)
    const browser = new Browser()
    await signIn(url, requestOf(app), { browser })
    const silent = async () =>
      (await signIn(url, requestOf(app, { prompt: 'none' }), { browser })).searchParams.get('error')
    assert.equal(await silent(), null)

    await grantTrading(app)

    assert.equal(await silent(), 'consent_required')
    assert.match(await pageOf(app, browser), /elect for you/)
    await signIn(url, requestOf(app), { browser })
    assert.equal(await silent(), null)
  })

  test('so a session of an app that could only read stays read-only after the app may trade', async () => {
    const app = await makeApp(false)
    const { body } = await exchange(app, await signInForCode(url, requestOf(app)))
    await grantTrading(app)
    const levelOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).oaa
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    const refreshed = await postToken(url, form, secretOf(app))
    assert.equal(levelOf(refreshed.body.access_token), '77700')
    const again = await exchange(app, await signInForCode(url, requestOf(app)))
    assert.equal(levelOf(again.body.access_token), '77770')
  })

  test('so a code that was issued before the app could trade is worthless afterwards', async () => {
    const app = await makeApp(false)
    const code = await signInForCode(url, requestOf(app))
    await grantTrading(app)
    assert.equal((await exchange(app, code)).body.error, 'invalid_grant')
  })

  test('and is asked for once after an upgrade, because earlier versions did not list them', async () => {
    const app = await makeApp(true)
    const browser = new Browser()
    await signIn(url, requestOf(app), { browser })
    await service.node.context.db
      .updateTable('consent')
      .set({ permissions: [] })
      .where('app_key', '=', app.AppKey)
      .execute()
    await pageOf(app, browser)
  })
})
