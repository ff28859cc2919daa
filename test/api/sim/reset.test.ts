import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { consoleApp, consoleCallback } from '../../../src/apps/store/console-app.ts'
import { lockAccount, lockEvent } from '../../../src/events/store/elections.ts'
import { resetCommand } from '../../../src/sim/commands.ts'
import { callerWith, makeApp, signInTo } from '../../support/apps.ts'
import { eventually } from '../../support/eventually.ts'
import { validBodies } from '../../support/openapi/operations.ts'
import { exchange, importTexts, instrument, lines } from '../../support/service/import.ts'
import { masterKey, serviceForFile } from '../../support/service/service.ts'
import { Browser, obtainTokens, readForm, refresh, type TokenBody } from '../../support/sign-in.ts'
import { auditLog, type Call, type Clock, callWith, Traveller } from './support.ts'

type Revision = { Revision: number; Instruments: number; OptionContracts: number }
type Reset = { Revision: number; Session?: TokenBody }
type ErrorBody = { ErrorCode: string; Message: string; ModelState?: object }

const service = await serviceForFile({ reference: true })
const other = await serviceForFile({ besides: service })
const { context } = service.node
const { db } = context
const confirmed = { Confirm: 'reset' }
const options = '/ref/v1/instruments?Keywords=AAPL&AssetTypes=StockOption'
const countOf = async (table: 'client' | 'signing_key' | 'app_fault' | 'calendar' | 'event' | 'instrument') =>
  (await db.selectFrom(table).select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count

const consoleRequest = {
  response_type: 'code',
  client_id: consoleApp.AppKey,
  redirect_uri: consoleCallback(service.config.publicUrl),
  code_challenge: 'a'.repeat(43),
  code_challenge_method: 'S256',
}

/** Waits until a node serves the revision. On a busy machine even the reset does not wait long enough for it. */
const servedFrom = (call: Call, revision: number): Promise<Revision> =>
  eventually(async () => {
    const { body } = await call<Revision>('GET', '/x/v1/revision')
    return body.Revision === revision ? body : undefined
  })

test('restores the demo data on every node and keeps the session of the caller', async () => {
  const tokens = await obtainTokens(service.url)
  const ada = new Traveller(service, tokens.access_token)
  const { body: first } = await ada.call<Revision>('GET', '/x/v1/revision')
  const counts = [await countOf('client'), await countOf('event'), await countOf('instrument')]
  const keys = await countOf('signing_key')
  const events = async (call = ada.call) =>
    (await call<{ __count: number }>('GET', '/ca/v2/events?$top=1')).body.__count
  const listed = await events()

  await ada.travel({ AdvanceSeconds: 20 * 86_400, Frozen: true })
  const app = await makeApp(callerWith(service, ada.token))
  await ada.call('PUT', `/x/v1/faults/${app.AppKey}`, { Kind: 'Dropped' })
  await ada.call('POST', '/x/v1/calendars', { Name: 'Mine' })
  await sql`insert into client (client_key, client_id, name) values ('extra', '77', 'Extra')`.execute(db)
  await sql`delete from event where event_id in (select event_id from event limit 5)`.execute(db)
  await sql`update access_right set level = 'View'`.execute(db)
  await sql`insert into instrument select 999999999, asset_types, exchange_ids, symbol, description, isin, continuous_uic,
    document, revision from instrument limit 1`.execute(db)
  const cy = await obtainTokens(service.url, { user: 'cy' })
  const old = ada.token

  const { status, headers, body } = await ada.call<Reset>('POST', '/x/v1/reset', confirmed)
  assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'], JSON.stringify(body))
  assert.ok(body.Session)
  ada.token = body.Session.access_token
  assert.deepEqual(await servedFrom(ada.call, body.Revision), { ...first, Revision: body.Revision })
  assert.ok(body.Revision > first.Revision)
  assert.deepEqual([await countOf('client'), await countOf('event'), await countOf('instrument')], counts)
  assert.deepEqual([await countOf('app_fault'), await countOf('calendar'), await countOf('signing_key')], [0, 0, keys])
  assert.equal(await events(), listed)
  const started = await fetch(`${service.url}/authorize?${new URLSearchParams(consoleRequest)}`, { redirect: 'manual' })
  assert.match(started.headers.get('location') ?? '', /^\/login\?/, 'the app of the console still exists')
  assert.equal((await ada.call<Clock>('GET', '/x/v1/clock')).body.IsTravelled, false)
  assert.equal((await ada.call('GET', `/developer/apps/${app.AppKey}`)).status, 404)
  for (const token of [old, cy.access_token])
    assert.equal((await callWith(service, token)('GET', '/x/v1/clock')).status, 401)
  assert.equal((await refresh(service.url, cy.refresh_token)).body.error, 'invalid_grant')
  assert.deepEqual(Object.keys(body.Session).sort(), ['access_token', 'expires_in', 'token_type'])
  assert.equal((await refresh(service.url, tokens.refresh_token)).status, 200, 'the refresh token stays the same')

  const there = callWith(other, ada.token)
  await servedFrom(there, body.Revision)
  assert.equal(await events(there), listed)
  const line = (await auditLog(db)).findLast(({ kind }) => kind === 'DataReset')
  assert.deepEqual([line?.at.slice(0, 10), line?.detail], ['2026-12-06', { revision: body.Revision }])
})

test('waits for an election that is under way', async () => {
  const ada = new Traveller(service, (await obtainTokens(service.url)).access_token)
  const { AccountKey, EventId } = validBodies.electOptions as { AccountKey: string; EventId: string }
  const resetting = await db.transaction().execute(async (trx) => {
    assert.ok(await lockAccount(trx, AccountKey))
    const resetting = ada.call<Reset>('POST', '/x/v1/reset', confirmed)
    await eventually(async () => {
      const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`.execute(db)
      return rows.length > 0 || undefined
    })
    // PostgreSQL would end one of the two if the reset had the event and waited for the account.
    assert.ok(await lockEvent(trx, EventId))
    return { answer: resetting }
  })
  assert.equal((await resetting.answer).status, 200)
})

test('removes elections, and does not give their numbers again', async () => {
  const ada = new Traveller(service, (await obtainTokens(service.url)).access_token)
  const elect = async () => (await ada.call('PUT', '/ca/v2/elections', validBodies.electOptions)).status
  const numbers = async () =>
    (await ada.call<{ Data: { Number: number }[] }>('GET', '/x/v1/elections')).body.Data.map(({ Number }) => Number)
  assert.equal(await elect(), 202)
  const [first = 0] = await numbers()

  const { body } = await ada.call<Reset>('POST', '/x/v1/reset', confirmed)
  ada.token = body.Session?.access_token ?? ''

  assert.deepEqual(await numbers(), [])
  assert.equal(await elect(), 202)
  assert.deepEqual(await numbers(), [first + 1])
})

test('the session of the caller keeps its sign-in, its consent and its end', async () => {
  const browser = new Browser()
  const tokens = await obtainTokens(service.url, { browser })
  const ada = new Traveller(service, tokens.access_token)
  await ada.travel({ AdvanceSeconds: 20 * 86_400, Frozen: true })
  const ends = async () =>
    (await ada.call<{ Data: { IsCurrent: boolean; ExpiresAt: string }[] }>('GET', '/x/v1/sessions')).body.Data.filter(
      ({ IsCurrent }) => IsCurrent,
    ).map(({ ExpiresAt }) => context.clock.now().until(ExpiresAt).total('seconds'))
  const before = await ends()

  const { body } = await ada.call<Reset>('POST', '/x/v1/reset', confirmed)
  ada.token = body.Session?.access_token ?? ''
  assert.deepEqual(await ends(), before)
  assert.deepEqual(before, [service.config.sessionSeconds])
  assert.equal((await ada.call<{ Data: object[] }>('GET', '/x/v1/consents')).body.Data.length, 1)

  const { formToken } = await readForm(await browser.fetch(`${service.url}/logout`))
  const form = new URLSearchParams({ form_token: formToken })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await browser.fetch(`${service.url}/logout`, { method: 'POST', body: form, headers })).status, 200)
  assert.equal((await ada.call('GET', '/x/v1/clock')).status, 401, 'signing out still ends it')
  assert.equal((await refresh(service.url, tokens.refresh_token)).body.error, 'invalid_grant')
})

test('readers see the old or the new data; concurrent resets do not mix; a removed app gets no session', async () => {
  const app = await makeApp(callerWith(service, (await obtainTokens(service.url)).access_token))
  const [first, second] = [await signInTo(service, app), await signInTo(service, app)]
  const reader = callWith(service, (await obtainTokens(service.url, { user: 'cy' })).access_token)
  const { body: before } = await reader<Revision>('GET', '/x/v1/revision')
  const resets = [first, second].map(({ access_token }) =>
    callWith(service, access_token)<Reset>('POST', '/x/v1/reset', confirmed),
  )
  let isDone = false
  const done = Promise.all(resets).finally(() => {
    isDone = true
  })
  const seen = new Map<number, number>()
  while (!isDone) {
    const { status, body } = await reader<Revision & { Data: object[] }>('GET', options)
    seen.set(status, (seen.get(status) ?? 0) + 1)
    if (status === 200) assert.ok(body.Data.length > 0)
    // The resets run on the same thread.
    await sleep(10)
  }
  const [won, lost] = (await done).sort((a, b) => a.status - b.status)
  assert.deepEqual([won?.status, Object.keys(won?.body ?? {})], [200, ['Revision']])
  assert.ok([401, 503].includes(lost?.status ?? 0), 'its session was ended by the other reset, or it timed out')
  assert.deepEqual(
    [...seen.keys()].filter((status) => status !== 200 && status !== 401),
    [],
  )
  assert.ok((seen.get(200) ?? 0) > 0)
  const ada = callWith(service, (await obtainTokens(service.url)).access_token)
  const { body: after } = await ada<Revision>('GET', '/x/v1/revision')
  assert.deepEqual(after, { ...before, Revision: after.Revision })
})

test('does not remove imported data, unless an operator says so on the command line', async () => {
  const mine = lines({ ...exchange, ExchangeId: 'MINE' }, instrument(900_001, { ExchangeId: 'MINE' }))
  const { errors } = await importTexts(service.database.connection, { 'mine.ndjson': mine })
  assert.deepEqual(errors, [])
  const count = await countOf('instrument')
  const ada = callWith(service, (await obtainTokens(service.url)).access_token)
  const { status, body } = await ada<ErrorBody>('POST', '/x/v1/reset', confirmed)
  assert.deepEqual([status, body.ErrorCode], [409, 'ImportedData'])
  assert.match(body.Message, /\(1 exchange record, 1 instrument record\).*refdesk reset --confirm reset --imported/)
  assert.equal(await countOf('instrument'), count)
  assert.equal((await ada('GET', '/x/v1/clock')).status, 200, 'no one is signed out')

  const command = { db, clock: context.clock, masterKey, environment: 'sim', isDemoOn: true }
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  await assert.rejects(resetCommand(command, {}, say), { code: 'ImportedData' })
  await assert.rejects(
    resetCommand({ ...command, environment: 'live' }, { imported: true }, say),
    /sim environment only/,
  )
  await resetCommand(command, { imported: true }, say)
  assert.deepEqual([said.length, await countOf('instrument')], [1, count - 1])

  const { access_token } = await eventually(() => obtainTokens(service.url).catch(() => undefined))
  const again = await callWith(service, access_token)<Reset>('POST', '/x/v1/reset', confirmed)
  assert.equal(again.status, 200, 'nothing is imported any more')
})

test('resets data of unknown origin, from an earlier version, only if an operator says so; the error explains how', async () => {
  const forget = () => sql`update service set demo_loaded_at = null`.execute(db)
  await forget()
  const ada = callWith(service, (await obtainTokens(service.url)).access_token)
  const { status, body } = await ada<ErrorBody>('POST', '/x/v1/reset', confirmed)
  assert.deepEqual([status, body.ErrorCode], [409, 'NoDemoData'])
  assert.match(body.Message, /^An earlier version filled this database.*refdesk reset --confirm reset --imported$/)
  const command = { db, clock: context.clock, masterKey, environment: 'sim', isDemoOn: true }
  await assert.rejects(
    resetCommand(command, {}, () => {}),
    { code: 'NoDemoData' },
  )
  await resetCommand(command, { imported: true }, () => {})
  const { access_token } = await eventually(() => obtainTokens(service.url).catch(() => undefined))
  assert.equal((await callWith(service, access_token)('POST', '/x/v1/reset', confirmed)).status, 200)
})
