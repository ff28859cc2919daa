import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueCommandToken, issueDemoToken } from '../../../src/auth/grants/demo-token.ts'
import { makeApp, callerWith as manageWith, signInTo } from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoApp, demoApps, demoRedirectUri } from '../../support/demo.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { Browser, basic, obtainTokens, readForm, refresh, signIn } from '../../support/sign-in.ts'
import { callWith, signInTraveller, statusOf as statusAt, Traveller } from './support.ts'

const day = 86_400
const real = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ clock: real })
const { context } = service.node

const signedIn = () => signInTraveller(service)
const statusOf = (token: string) => statusAt(service, token)
const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

type DayToken = { AccessToken: string; TokenType: string; ExpiresIn: number; ExpiresAt: string; AppKey: string }

test('a 24-hour token is of the session of its caller and ends with it', async () => {
  const ada = await signedIn()
  const app = await makeApp(manageWith(service, ada.token))
  /** A user who signed in to the app in a browser of their own, and a 24-hour token. */
  const signInForDay = async () => {
    const browser = new Browser()
    const { access_token } = await signInTo(service, app, { browser })
    const call = callWith(service, access_token)
    const { status, headers, body } = await call<DayToken>('POST', '/x/v1/daytoken')
    assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store'])
    const { AccessToken, ...rest } = body
    const ExpiresAt = context.clock.now().add({ seconds: day }).toString({ smallestUnit: 'microsecond' })
    assert.deepEqual(rest, { TokenType: 'Bearer', ExpiresIn: day, ExpiresAt, AppKey: app.AppKey })
    assert.equal(sessionOf(AccessToken), sessionOf(access_token))
    assert.equal(await statusOf(AccessToken), 200)
    return { browser, call, token: AccessToken }
  }
  const signOut = async ({ browser }: { browser: Browser }) => {
    const { formToken } = await readForm(await browser.fetch(`${service.url}/logout`))
    const body = new URLSearchParams({ form_token: formToken })
    await browser.fetch(`${service.url}/logout`, { method: 'POST', body, headers: formHeaders })
  }
  type Signed = Awaited<ReturnType<typeof signInForDay>>
  const ends: [string, (signed: Signed) => Promise<unknown>][] = [
    ['sign-out', signOut],
    ['revocation', ({ token, call }) => call('DELETE', `/x/v1/sessions/${sessionOf(token)}`)],
    ['consent withdrawn', () => ada.call('DELETE', `/x/v1/consents/${app.AppKey}`)],
    ['app deactivated', () => ada.call('DELETE', `/developer/apps/${app.AppKey}`)],
  ]
  for (const [name, end] of ends) {
    const signed = await signInForDay()
    await end(signed)
    assert.equal(await statusOf(signed.token), 401, name)
  }
})

test('a 24-hour token of a 24-hour token ends with the first', async () => {
  const first = await issueDemoToken(context, demoApp.AppKey, 'ada')
  noteSecret('access token', first)
  real.advance(day - 100)
  const { body } = await callWith(service, first)<DayToken>('POST', '/x/v1/daytoken')
  assert.equal(body.ExpiresIn, 100)
  real.advance(99)
  assert.equal(await statusOf(body.AccessToken), 200)
  real.advance(1)
  assert.equal(await statusOf(body.AccessToken), 401)
})

test('a 24-hour token gives no later one, of any kind of app and after a time travel', async () => {
  const implicit = demoApps.find(({ Flow }) => Flow === 'Implicit')?.AppKey ?? ''
  const asked = { response_type: 'token', client_id: implicit, redirect_uri: demoRedirectUri }
  const ofImplicit = async () => {
    const token = new URLSearchParams((await signIn(service.url, asked)).hash.slice(1)).get('access_token') ?? ''
    noteSecret('access token', token)
    return token
  }
  const dayTokenWith = async (token: string) => {
    const { status, body } = await callWith(service, token)<DayToken>('POST', '/x/v1/daytoken')
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  for (const tokenOf of [ofImplicit, async () => (await obtainTokens(service.url)).access_token]) {
    const first = await dayTokenWith(await tokenOf())
    assert.equal(first.ExpiresIn, day)
    real.advance(day - 600)
    const second = await dayTokenWith(first.AccessToken)
    assert.deepEqual([second.ExpiresIn, second.ExpiresAt], [600, first.ExpiresAt])

    const traveller = new Traveller(service, second.AccessToken)
    await traveller.travel({ AdvanceSeconds: 10 * day })
    traveller.token = (await dayTokenWith(traveller.token)).AccessToken
    await traveller.home()
    assert.equal((await dayTokenWith(traveller.token)).ExpiresIn, 600)
    real.advance(600)
    for (const token of [first.AccessToken, second.AccessToken, traveller.token])
      assert.equal(await statusOf(token), 401)
  }
})

test('a 24-hour token is introspected as one, and every refresh allows another', async () => {
  const tokens = await obtainTokens(service.url)
  const { body } = await callWith(service, tokens.access_token)<DayToken>('POST', '/x/v1/daytoken')
  const introspected = async (token: string) => {
    const response = await fetch(`${service.url}/introspect`, {
      method: 'POST',
      headers: { authorization: basic() },
      body: new URLSearchParams({ token }),
    })
    return (await response.json()) as { active: boolean; day_token?: boolean }
  }
  const ofCommand = await issueDemoToken(context, demoApp.AppKey, 'ada')
  noteSecret('access token', ofCommand)
  for (const token of [body.AccessToken, ofCommand]) {
    const { active, day_token } = await introspected(token)
    assert.deepEqual([active, day_token], [true, true])
  }
  const other = await introspected(tokens.access_token)
  assert.deepEqual([other.active, 'day_token' in other], [true, false])

  real.advance(3_000)
  const { access_token } = (await refresh(service.url, tokens.refresh_token)).body
  const next = await callWith(service, access_token)<DayToken>('POST', '/x/v1/daytoken')
  assert.equal(next.body.ExpiresIn, day)
})

test('refdesk token works for every user of a database without the demo app', async () => {
  const unknownApp = 'f'.repeat(32)
  for (const [appKey, user] of [
    [demoApp.AppKey, 'ada'],
    [unknownApp, 'ada'],
    [unknownApp, 'cy'],
  ] as const) {
    const token = await issueCommandToken(context, appKey, user)
    noteSecret('access token', token)
    assert.equal(await statusOf(token), 200)
  }
  await assert.rejects(
    issueCommandToken(context, unknownApp, 'eve'),
    /^Error: There is no active user eve\. Active users: ada, bo, cy\.$/,
  )
})
