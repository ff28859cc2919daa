import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeExpired } from '../../../src/auth/store/housekeeping.ts'
import { makeApp, callerWith as manageWith, signInTo } from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoApp } from '../../support/demo.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import {
  authorizeUrl,
  Browser,
  basic,
  codeRequest,
  obtainTokens,
  postToken,
  readForm,
  refresh,
} from '../../support/sign-in.ts'
import { callWith, signInTraveller, statusOf as statusAt, Traveller } from './support.ts'

const day = 86_400
const real = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock: real })
const { context } = service.node

const signedIn = () => signInTraveller(service)
const statusOf = (token: string) => statusAt(service, token)
const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
const revoke = (token: string) =>
  fetch(`${service.url}/revoke`, {
    method: 'POST',
    headers: { authorization: basic() },
    body: new URLSearchParams({ token }),
  })

test('rejects tokens that are expired or not yet valid, without ending their sessions', async () => {
  const ada = await signedIn()
  const past = await obtainTokens(service.url)
  await ada.travel({ AdvanceSeconds: 10 * day })
  assert.equal(await statusOf(past.access_token), 401)
  assert.equal((await refresh(service.url, past.refresh_token)).body.error, 'invalid_grant')
  const browser = new Browser()
  const future = await obtainTokens(service.url, { browser })
  await ada.home()
  assert.deepEqual([await statusOf(future.access_token), await statusOf(past.access_token)], [401, 200])
  assert.equal((await refresh(service.url, future.refresh_token)).body.error, 'invalid_grant')
  const ask = authorizeUrl(service.url, { ...codeRequest, prompt: 'none' })
  assert.match((await browser.fetch(ask)).headers.get('location') ?? '', /login_required/)
  await ada.travel({ AdvanceSeconds: 10 * day })
  assert.equal(await statusOf(future.access_token), 200)
  assert.equal((await refresh(service.url, future.refresh_token)).status, 200)
  assert.match((await browser.fetch(ask)).headers.get('location') ?? '', /code=/)
  await ada.home()
})

test('revoked tokens stay revoked at any time, even after the revocation was cleaned up', async () => {
  const ada = await signedIn()
  const [known, revoked] = [await obtainTokens(service.url), await obtainTokens(service.url)]
  const then = context.clock.now()
  assert.equal(await statusOf(revoked.access_token), 200)
  await revoke(revoked.access_token)

  await ada.travel({ AdvanceSeconds: 90 * day })
  const future = await obtainTokens(service.url)
  real.advance(26 * 3_600)
  while (await removeExpired(context.db, context.clock.real.now(), context.clock.now())) {}
  context.ended.forgetOld()
  assert.ok(!context.ended.has(sessionOf(revoked.access_token)))

  const bo = await signedIn()
  await bo.travel({ Now: then.toString() })
  assert.deepEqual([await statusOf(revoked.access_token), await statusOf(known.access_token)], [401, 200])
  await revoke(future.refresh_token)
  await bo.travel({ AdvanceSeconds: 90 * day })
  assert.equal(await statusOf(future.access_token), 401, 'revoked before it was issued')
  const introspected = await fetch(`${service.url}/introspect`, {
    method: 'POST',
    headers: { authorization: basic() },
    body: new URLSearchParams({ token: future.access_token }),
  })
  assert.deepEqual(await introspected.json(), { active: false })
  await bo.home()
})

test('signing out ends the session even if the clock is past the end of the sign-in', async () => {
  const browser = new Browser()
  const ada = new Traveller(service, (await obtainTokens(service.url, { browser })).access_token)
  await ada.travel({ AdvanceSeconds: 2 * day })
  const { formToken } = await readForm(await browser.fetch(`${service.url}/logout`))
  const form = new URLSearchParams({ form_token: formToken })
  assert.equal(
    (await browser.fetch(`${service.url}/logout`, { method: 'POST', body: form, headers: formHeaders })).status,
    200,
  )
  assert.equal(await statusOf(ada.token), 401)
  await (await signedIn()).home()
})

test('signing keys, rate limits and sign-in attempts use real time', async () => {
  const ada = await signedIn()
  const keys = async () => (await (await fetch(`${service.url}/.well-known/jwks.json`)).text()).match(/"kid":"\w+"/g)
  const left = async () => {
    const { headers } = await ada.call('GET', '/port/v1/users/me', undefined, { 'x-forwarded-for': '192.0.2.7' })
    return Number(headers.get('x-ratelimit-appday-remaining'))
  }
  const wrong = () => postToken(service.url, { grant_type: 'refresh_token', refresh_token: 'x' }, basic(undefined, 'x'))
  const [before, room] = [await keys(), await left()]
  for (let tries = 0; tries < 10; tries++) await wrong()
  assert.equal((await wrong()).status, 429)
  for (const Now of ['2060-01-01T00:00:00Z', '1995-01-01T00:00:00Z']) {
    await ada.travel({ Now })
    await context.tokens.maintainKeys()
    await context.feed.poll()
    assert.deepEqual(await keys(), before)
    assert.equal((await wrong()).status, 429)
    assert.equal(await statusOf(ada.token), 200)
  }
  assert.equal(await left(), room - 1)
  await ada.home()
  real.advance(301)
})

test('with a stopped clock, a repeated refresh gets the same response for ten real seconds, then ends the session', async () => {
  const ada = await signedIn()
  await ada.travel({ AdvanceSeconds: 30 * day, Frozen: true })
  const tokens = await obtainTokens(service.url)
  const first = await refresh(service.url, tokens.refresh_token)
  assert.deepEqual((await refresh(service.url, tokens.refresh_token)).body, first.body)
  real.advance(11)
  assert.equal((await refresh(service.url, tokens.refresh_token)).body.error, 'invalid_grant')
  assert.equal(await statusOf(first.body.access_token), 401)
  await ada.home()
})

test('a 24-hour token is of the demo app, or of the calling app if that is inactive', async () => {
  const ada = await signedIn()
  type DayToken = { AccessToken: string; TokenType: string; ExpiresIn: number; ExpiresAt: string; AppKey: string }
  const { status, headers, body } = await ada.call<DayToken>('POST', '/x/v1/daytoken')
  const { AccessToken, ...rest } = body
  const ExpiresAt = `${context.clock.now().add({ seconds: day }).toString({ smallestUnit: 'microsecond' })}`
  assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store'])
  assert.deepEqual(rest, { TokenType: 'Bearer', ExpiresIn: day, ExpiresAt, AppKey: demoApp.AppKey })
  type Listed = { Data: { ExpiresAt: string; UserAgent: string }[] }
  const { Data } = (await ada.call<Listed>('GET', '/x/v1/sessions')).body
  const session = Data.find(({ UserAgent }) => UserAgent === '24-hour token, node')
  assert.equal(session?.ExpiresAt, ExpiresAt, 'listed as a session of its own that ends with the token')
  const manage = manageWith(service, ada.token)
  const app = await makeApp(manage)
  const own = callWith(service, (await signInTo(service, app)).access_token)
  assert.equal((await manage('DELETE', `/${demoApp.AppKey}`)).status, 204)
  assert.equal((await own<DayToken>('POST', '/x/v1/daytoken')).body.AppKey, app.AppKey)
  assert.equal((await own('PATCH', `/developer/apps/${demoApp.AppKey}`, { IsActive: true })).status, 204)
  assert.equal(await statusOf(AccessToken), 401, 'revoked with the app')

  const { AccessToken: another } = (await own<DayToken>('POST', '/x/v1/daytoken')).body
  real.advance(day - 1)
  assert.equal(await statusOf(another), 200)
  real.advance(1)
  assert.equal(await statusOf(another), 401)
})
