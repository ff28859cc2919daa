import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type App, makeApp, callerWith as manageWith, readOnlyCaller } from '../../support/apps.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoApp } from '../../support/demo.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile, startService } from '../../support/service/service.ts'
import { authorizeUrl, Browser, basic, codeRequest, obtainTokens, postToken, refresh } from '../../support/sign-in.ts'
import { auditLog, type Clock, callWith, signInTraveller, statusOf, Traveller } from './support.ts'

const day = 86_400
const real = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock: real })
const other = await serviceForFile({ besides: service })
const { context } = service.node

const signedIn = () => signInTraveller(service)

test('the clock is set, stopped, moved, started and reset to real time', async () => {
  const ada = await signedIn()
  const { body: before } = await ada.call<Clock>('GET', '/x/v1/clock')
  assert.deepEqual(before, {
    Now: '2026-11-16T12:00:00.000000Z',
    RealNow: '2026-11-16T12:00:00.000000Z',
    Frozen: false,
    OffsetSeconds: 0,
    IsTravelled: false,
    MayControl: true,
  })
  const first = ada.token
  const { Session, ...frozen } = await ada.travel({ Now: '2027-01-01T09:30:00+01:00', Frozen: true })
  assert.deepEqual([frozen.Now, frozen.Frozen, frozen.IsTravelled], ['2027-01-01T08:30:00.000000Z', true, true])
  assert.deepEqual(Session, { access_token: ada.token, token_type: 'Bearer', expires_in: 1200 })
  assert.equal(await statusOf(service, first), 401, 'expired by then')
  real.advance(100)
  assert.equal((await ada.call<Clock>('GET', '/x/v1/clock')).body.Now, frozen.Now)
  assert.equal((await ada.travel({ AdvanceSeconds: -30.5 })).Now, '2027-01-01T08:29:29.500000Z')
  await ada.travel({ Frozen: false })
  real.advance(10)
  const { body: running } = await ada.call<Clock>('GET', '/x/v1/clock')
  assert.deepEqual([running.Now, running.Frozen], ['2027-01-01T08:29:39.500000Z', false])
  const home = await ada.home()
  assert.deepEqual([home.Now, home.IsTravelled, home.OffsetSeconds], [home.RealNow, false, 0])
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
  const tokens = await obtainTokens(service.url)
  const ada = new Traveller(service, tokens.access_token)
  const { Now, Session } = await ada.travel({ AdvanceSeconds: 300 * day, Frozen: true })
  assert.equal(
    await statusOf(other, Session.access_token),
    200,
    'a node that has not received the change checks the database',
  )
  const later = await startService({ besides: service })
  try {
    for (const node of [other, later])
      assert.equal((await callWith(node, ada.token)<Clock>('GET', '/x/v1/clock')).body.Now, Now)
    const { status, body } = await refresh(later.url, tokens.refresh_token)
    assert.equal(status, 200)
    await ada.home()
    assert.equal((await refresh(other.url, body.refresh_token)).status, 200)
  } finally {
    await later.close()
  }
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
