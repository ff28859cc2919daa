import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { issueDemoToken } from '../../../src/auth/grants/demo-token.ts'
import { removeExpired } from '../../../src/auth/store/housekeeping.ts'
import { FixedClock } from '../../support/clock.ts'
import { holdGracePeriod, setSpentAgo } from '../../support/database/spent-tokens.ts'
import { demoApp } from '../../support/demo.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
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
import { signInTraveller, statusOf as statusAt, Traveller } from './support.ts'

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

test('a consent page from before a travel beyond the sign-in asks for the password again', async () => {
  const ada = await signedIn()
  const browser = new Browser()
  await obtainTokens(service.url, { browser })
  const ask = authorizeUrl(service.url, { ...codeRequest, prompt: 'consent' })
  const location = (await browser.fetch(ask)).headers.get('location') ?? ''
  const { action, formToken, html } = await readForm(await browser.fetch(`${service.url}${location}`))
  assert.doesNotMatch(html, /name="password"/)
  const submit = () =>
    browser.fetch(new URL(action, service.url).href, {
      method: 'POST',
      body: new URLSearchParams({ form_token: formToken, decision: 'allow' }),
    })
  await ada.travel({ AdvanceSeconds: 10 * day })
  const stale = await submit()
  assert.equal(stale.status, 400)
  assert.match(await stale.text(), /open for too long.*name="password"/s)
  await ada.home()
  assert.match((await submit()).headers.get('location') ?? '', /code=/)
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
  await holdGracePeriod(context.db)
  const tokens = await obtainTokens(service.url)
  const first = await refresh(service.url, tokens.refresh_token)
  assert.deepEqual((await refresh(service.url, tokens.refresh_token)).body, first.body)
  await setSpentAgo(context.db, 11)
  assert.equal((await refresh(service.url, tokens.refresh_token)).body.error, 'invalid_grant')
  assert.equal(await statusOf(first.body.access_token), 401)
  await ada.home()
})

test('time travel gives no refresh token and does not extend a session', async () => {
  const first = await issueDemoToken(context, demoApp.AppKey, 'ada')
  noteSecret('access token', first)
  const ada = new Traveller(service, first)
  real.advance(day - 1_000)
  for (const change of [{ AdvanceSeconds: 90 * day }, { AdvanceSeconds: 0 }, { AdvanceSeconds: -120 * day }]) {
    const { Session } = await ada.travel(change)
    assert.deepEqual(Session, { access_token: ada.token, token_type: 'Bearer', expires_in: 1_000 })
    assert.equal(sessionOf(ada.token), sessionOf(first))
  }
  real.advance(900)
  assert.equal((await ada.home()).Session.expires_in, 100)
  real.advance(100)
  assert.equal(await statusOf(ada.token), 401)
  const { rows } =
    await sql`select from refresh_token where session_id = ${sessionOf(first)} and spent_at is null`.execute(context.db)
  assert.equal(rows.length, 0)
})

test('the refresh token of a traveller keeps working at the new time, until the old end of the session', async () => {
  let { refresh_token, access_token } = await obtainTokens(service.url)
  const ada = new Traveller(service, access_token)
  const session = sessionOf(access_token)
  const refreshed = async () => {
    const { status, body } = await refresh(service.url, refresh_token)
    if (status === 200) ({ access_token: ada.token, refresh_token } = body)
    return status
  }
  for (const change of [
    { AdvanceSeconds: 300 * day },
    { AdvanceSeconds: -200 * day, Frozen: true },
    { Frozen: false },
  ]) {
    await ada.travel(change)
    assert.equal(await refreshed(), 200)
    assert.equal(sessionOf(ada.token), session)
  }
  await ada.home()
  const { expires_at } = await context.db
    .selectFrom('session')
    .select('expires_at')
    .where('session_id', '=', session)
    .executeTakeFirstOrThrow()
  const left = context.clock.now().until(expires_at).total('seconds')
  assert.equal(left, service.config.sessionSeconds)
  await sql`update session set expires_at = ${context.clock.now().add({ seconds: 600 }).toString()}
    where session_id = ${session}`.execute(context.db)
  const spent = refresh_token
  await ada.travel({ AdvanceSeconds: 10 * day })
  real.advance(601)
  assert.equal((await refresh(service.url, spent)).status, 400)
  await (await signedIn()).home()
})
