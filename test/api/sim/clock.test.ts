import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeExpired } from '../../../src/auth/store/housekeeping.ts'
import { type App, makeApp, callerWith as manageWith, readOnlyCaller, signInTo } from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoApp } from '../../support/demo.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { liveSettings, serviceForFile, startService } from '../../support/service/service.ts'
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
import { auditLog, type Clock, callWith, Traveller } from './support.ts'

const day = 86_400
const real = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock: real })
const other = await serviceForFile({ besides: service })
const { context } = service.node

const signedIn = async () => new Traveller(service, (await obtainTokens(service.url)).access_token)
const statusAt = async (node: { baseUrl: string }, token: string) =>
  (await callWith(node, token)('GET', '/port/v1/users/me')).status
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

test('the clock is set, stopped, moved, started and reset to real time', async () => {
  const ada = await signedIn()
  const { body: before } = await ada.call<Clock>('GET', '/x/v1/clock')
  assert.deepEqual(before, {
    Now: '2026-11-16T12:00:00.000000Z',
    RealNow: '2026-11-16T12:00:00.000000Z',
    Frozen: false,
    OffsetSeconds: 0,
    IsTravelled: false,
  })
  const { Session, ...frozen } = await ada.travel({ Now: '2027-01-01T09:30:00+01:00', Frozen: true })
  assert.deepEqual([frozen.Now, frozen.Frozen, frozen.IsTravelled], ['2027-01-01T08:30:00.000000Z', true, true])
  assert.deepEqual([Session.token_type, Session.expires_in, Session.refresh_token_expires_in], ['Bearer', 1200, 3600])
  real.advance(100)
  assert.equal((await ada.call<Clock>('GET', '/x/v1/clock')).body.Now, frozen.Now)
  assert.equal((await ada.travel({ AdvanceSeconds: -30.5 })).Now, '2027-01-01T08:29:29.500000Z')
  const old = ada.token
  await ada.travel({ Frozen: false })
  assert.equal(await statusOf(old), 401, 'a change ends the session even at the same time')
  real.advance(10)
  const { body: running } = await ada.call<Clock>('GET', '/x/v1/clock')
  assert.deepEqual([running.Now, running.Frozen], ['2027-01-01T08:29:39.500000Z', false])
  const home = await ada.home()
  assert.deepEqual([home.Now, home.IsTravelled, home.OffsetSeconds], [home.RealNow, false, 0])
  assert.equal((await refresh(service.url, home.Session.refresh_token)).status, 200)
})

test('rejects invalid changes and read-only tokens, and leaves the clock unchanged', async () => {
  const ada = await signedIn()
  const invalid: [object, string][] = [
    [{}, 'Body'],
    [{ Now: '2027-01-01T00:00:00Z', AdvanceSeconds: 1 }, 'AdvanceSeconds'],
    [{ Now: '1989-12-31T23:59:59Z' }, 'Now'],
    [{ Now: 'tomorrow' }, 'Now'],
    [{ AdvanceSeconds: 3_900_000_000 }, 'AdvanceSeconds'],
    [{ Frozen: true, Speed: 2 }, 'Speed'],
  ]
  for (const [change, field] of invalid) {
    const { status, body } = await ada.call<{ ModelState: object }>('PUT', '/x/v1/clock', change)
    assert.deepEqual([status, Object.keys(body.ModelState)], [400, [field]], JSON.stringify(change))
  }
  const reader = await readOnlyCaller(service, manageWith(service, ada.token))
  const writes: ['POST' | 'DELETE', string][] = [
    ['DELETE', 'clock'],
    ['POST', 'daytoken'],
    ['POST', 'reset'],
    ['DELETE', `faults/${demoApp.AppKey}`],
  ]
  for (const [method, path] of writes) {
    const body = path === 'reset' ? { Confirm: 'reset' } : undefined
    assert.equal((await reader(method, `${service.baseUrl}/x/v1/${path}`, body)).status, 403, path)
  }
  assert.equal(context.clock.shift.offsetMicroseconds, 0)
  assert.equal((await reader('GET', `${service.baseUrl}/x/v1/clock`)).status, 200)
})

test('every node follows the clock, also one that starts later, and accepts the new session immediately', async () => {
  const ada = await signedIn()
  const { Now, Session } = await ada.travel({ AdvanceSeconds: 300 * day, Frozen: true })
  assert.equal(
    await statusAt(other, Session.access_token),
    200,
    'a node that has not received the change checks the database',
  )
  const later = await startService({ besides: service })
  try {
    for (const node of [other, later])
      assert.equal((await callWith(node, ada.token)<Clock>('GET', '/x/v1/clock')).body.Now, Now)
    assert.equal((await refresh(later.url, Session.refresh_token)).status, 200)
  } finally {
    await later.close()
  }
  const home = await ada.home()
  assert.equal((await refresh(other.url, home.Session.refresh_token)).status, 200)
})

test('options expire, secrets become valid and sign-ins end with the clock, and come back with it', async () => {
  const browser = new Browser()
  const ada = new Traveller(service, (await obtainTokens(service.url, { browser })).access_token)
  const roots = await ada.call<{ Data: { Identifier: number; Symbol: string }[] }>(
    'GET',
    '/ref/v1/instruments?Keywords=AAPL&AssetTypes=StockOption',
  )
  const space = `/ref/v1/instruments/contractoptionspaces/${roots.body.Data[0]?.Identifier}?OptionSpaceSegment=AllDates`
  const expiries = async () => {
    const { body, headers } = await ada.call<{ OptionSpace: { Expiry: string }[] }>('GET', space)
    return { first: body.OptionSpace[0]?.Expiry ?? '', etag: headers.get('etag') ?? '' }
  }
  const soon = Temporal.Instant.from(demoLoadedAt).add({ hours: 24 * 40 })
  const app = await makeApp(manageWith(service, ada.token))
  const secrets = `/developer/apps/${app.AppKey}/secrets`
  const validity = { ValidFrom: soon.toString(), ValidUntil: soon.add({ hours: 48 }).toString() }
  const { body: made } = await ada.call<NonNullable<App['Secrets']>[number]>('POST', secrets, validity)
  const proves = async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'unknown' }
    return (await postToken(service.url, form, basic(app.AppKey, made.Secret))).body.error !== 'invalid_client'
  }
  const isSignedIn = async () => {
    const { headers } = await browser.fetch(authorizeUrl(service.url, { ...codeRequest, prompt: 'none' }))
    return headers.get('location')?.includes('code=') === true
  }
  const before = await expiries()
  assert.deepEqual([await proves(), await isSignedIn()], [false, true])

  await ada.travel({ Now: soon.add({ hours: 1 }).toString() })
  const then = await expiries()
  assert.ok(before.first < '2026-12-26' && then.first >= '2026-12-26', `${before.first}, then ${then.first}`)
  assert.notEqual(then.etag, before.etag)
  assert.deepEqual([await proves(), await isSignedIn()], [true, false])

  await ada.home()
  assert.equal((await ada.call('GET', space, undefined, { 'if-none-match': before.etag })).status, 304)
  assert.deepEqual([await proves(), await isSignedIn()], [false, true])
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

test('the audit log has every clock change with both times, and events at the changed time', async () => {
  const ada = await signedIn()
  await ada.travel({ Now: '2027-05-05T05:05:05Z', Frozen: true })
  await obtainTokens(service.url)
  await ada.home()
  const log = await auditLog(context.db)
  const travels = log.filter(({ kind }) => kind === 'ClockChanged').slice(-2)
  assert.deepEqual(
    travels.map(({ at, detail }) => [at.slice(0, 4), detail]),
    [
      [
        '2026',
        {
          from: context.clock.now().toString({ smallestUnit: 'microsecond' }),
          to: '2027-05-05T05:05:05.000000Z',
          frozen: true,
        },
      ],
      [
        '2027',
        {
          from: '2027-05-05T05:05:05.000000Z',
          to: context.clock.now().toString({ smallestUnit: 'microsecond' }),
          frozen: false,
        },
      ],
    ],
  )
  const signIn = log.findLast(({ kind }) => kind === 'SignIn')
  assert.equal(signIn?.at, '2027-05-05T05:05:05.000Z')
  assert.match(signIn?.recordedAt ?? '', /^20[2-9]\d-/)
})

test('in live none of these operations exists', async () => {
  const live = await startService({ env: liveSettings })
  try {
    const responses = ['clock', 'faults', 'reset', 'daytoken', 'nothing'].map(async (path) => {
      const response = await fetch(`${live.baseUrl}/x/v1/${path}`)
      return [response.status, await response.text()].join(' ')
    })
    const [first, ...others] = new Set(await Promise.all(responses))
    assert.match(first ?? '', /^404 /)
    assert.deepEqual(others, [])
  } finally {
    await live.close()
  }
})
