import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { setOperator } from '../../../src/auth/commands/users.ts'
import { shippedScenarios } from '../../../src/sim/scenarios/shipped.ts'
import { demoKey } from '../../support/demo.ts'
import { eventually } from '../../support/eventually.ts'
import { exportText, importTexts, instrument, lines } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'
import { type Details, type ErrorBody, head, holdEverything, type Scenario, scenarioPath } from './scenario-support.ts'
import { auditLog, type Call, callWith } from './support.ts'

const service = await serviceForFile({ reference: true })
const other = await serviceForFile({ besides: service })
const { connection } = service.database
const { db } = service.node.context
const signIn = async (user: string) => callWith(service, (await obtainTokens(service.url, { user })).access_token)
const ada = await signIn('ada')
const path = scenarioPath
const adasAccount = demoKey('account 9226397')

const post = <Body = Details>(records: object[], call: Call = ada) =>
  call<Body>('POST', path, { Text: lines(...records) })
const load = async (...records: object[]) => {
  const { status, body } = await post(records)
  assert.equal(status, 201, JSON.stringify(body))
}
const unload = async (name: string) => assert.equal((await ada('DELETE', `${path}/${name}`)).status, 204)
const stock = { ...instrument(82_001), ExchangeId: 'NASDAQ' }

test('a scenario is listed, loaded on every node, shown with what it brought, and unloaded without a trace', async () => {
  const isUnchanged = await holdEverything(connection)
  const find = async () =>
    (await ada<{ Data: Scenario[] }>('GET', path)).body.Data.find(({ Name }) => Name === 'tender-offer')
  assert.deepEqual([(await find())?.IsShipped, (await find())?.IsLoaded], [true, false])
  assert.ok(!('Records' in (await ada<Details>('GET', `${path}/tender-offer`)).body))

  const { status, body } = await ada<Details>('PUT', `${path}/tender-offer`)
  assert.equal(status, 200)
  assert.deepEqual(
    body.Records?.map(({ Kind, Count, Keys }) => [Kind, Count, Keys[0]]),
    [
      ['instrument', 1, '81001'],
      ['position', 1, `${adasAccount} 81001 Stock`],
      ['event', 1, 'SC-TENDER-81001'],
    ],
  )
  assert.equal((await find())?.LoadedAt, body.LoadedAt)
  assert.equal((await ada('GET', '/ref/v1/instruments/details/81001/Stock')).status, 200)
  const there = callWith(other, (await obtainTokens(other.url)).access_token)
  await eventually(
    async () => (await there('GET', '/ref/v1/instruments/details/81001/Stock')).status === 200 || undefined,
  )
  const again = await ada<ErrorBody>('PUT', `${path}/tender-offer`)
  assert.deepEqual([again.status, again.body.ErrorCode], [409, 'ScenarioLoaded'])

  assert.equal((await there('DELETE', `${path}/tender-offer`)).status, 204, 'any node can unload it')
  await isUnchanged()
  await eventually(
    async () => (await ada('GET', '/ref/v1/instruments/details/81001/Stock')).status === 404 || undefined,
  )
  assert.equal((await ada('DELETE', `${path}/tender-offer`)).status, 404)
  const said = (await auditLog(db)).filter(({ kind }) => kind.startsWith('Scenario'))
  assert.deepEqual(
    said.map(({ kind, detail }) => [kind, detail]),
    [
      ['ScenarioLoaded', { name: 'tender-offer', title: 'A tender offer due tomorrow', records: 3 }],
      ['ScenarioUnloaded', { name: 'tender-offer', records: 3 }],
    ],
  )
})

test('every shipped scenario has the name of its file', async () => {
  for (const [name, { head, text }] of await shippedScenarios()) {
    assert.equal(head.Name, name)
    assert.ok(text.endsWith('}\n'))
  }
})

test('loads a text with one error for each line that has one, or nothing at all', async () => {
  const isUnchanged = await holdEverything(connection)
  const { status, body } = await post<ErrorBody>([
    head('mine'),
    { ...stock, Uic: 1000 },
    { kind: 'position', AccountKey: adasAccount, Uic: 82_001, AssetType: 'Stock', Amount: 'many' },
    { kind: 'event', EventId: 'SC-1', delete: true },
    { kind: 'event', EventId: 'SC-2', Repeat: 3 },
  ])
  assert.deepEqual([status, body.ErrorCode], [400, 'InvalidModelState'])
  const sentences = body.ModelState?.Text ?? []
  assert.match(sentences[0] ?? '', /^Text:2 instrument 1000: Exists already\.$/)
  assert.match(sentences[1] ?? '', /^Text:3 position .*82001 Stock, field Amount: Must be a decimal number/)
  assert.match(sentences[2] ?? '', /^Text:4 .*A scenario brings records/)
  assert.match(sentences[3] ?? '', /^Text:5 field Repeat: Must be \{"Count"/)
  await isUnchanged()
  assert.equal((await ada('GET', `${path}/mine`)).status, 404)

  const headless = await post<ErrorBody>([stock])
  assert.match(headless.body.ModelState?.Text?.[0] ?? '', /^Text:1: The first line must be/)
})

test('brings only new records: one that exists is named, whatever its kind', async () => {
  await setOperator(service.node.context, 'cy', true, () => {})
  const operator = await signIn('cy')
  const group = demoKey('account group 1')
  const client = { kind: 'client', ClientKey: 'AAAAAAAAAAAAAAAAAAAAAA==', ClientId: '77', Name: 'C' }
  const right = (await exportText(connection, ['accessRight'])).split('\n')[0] ?? ''
  const groupKey = /"AccountGroupKey":"([^"]+)"/.exec(await exportText(connection, ['client']))?.[1] ?? group
  for (const [record, expected] of [
    [{ ...stock, Uic: 1000 }, /instrument 1000: Exists already/],
    [JSON.parse(right), /accessRight .*: Exists already/],
    [{ ...client, AccountGroups: [{ AccountGroupKey: groupKey, Name: 'G' }] }, /Account group .* exists already/],
    [
      { kind: 'position', AccountKey: adasAccount, Uic: 1000, AssetType: 'Stock', Amount: 1 },
      /position .*: Exists already/,
    ],
  ] as const) {
    const { status, body } = await post<ErrorBody>([head('mine'), record], operator)
    assert.equal(status, 400)
    assert.match(body.ModelState?.Text?.[0] ?? '', expected)
  }
  // A shipped one that meets such a record says so too.
  await load(head('mine'), { ...stock, Uic: 81_001 })
  const { status, body } = await ada<ErrorBody>('PUT', `${path}/tender-offer`)
  assert.deepEqual([status, body.ErrorCode], [409, 'ScenarioConflict'])
  assert.match(body.Message, /^tender-offer:2 instrument 81001: Exists already\. Nothing was changed\.$/)
  await unload('mine')
})

test('unloading removes what users made of its records, and what cannot be without them', async () => {
  const isUnchanged = await holdEverything(connection)
  const event = { EventId: 'SC-TENDER-81001' }
  await ada('PUT', `${path}/tender-offer`)
  const chosen = { ...event, AccountKey: adasAccount, Options: [{ OptionId: '001', Amount: 100 }] }
  assert.equal((await ada('PUT', '/ca/v2/elections', chosen)).status, 202)
  const instruction = { AccountKey: adasAccount, AssetType: 'Stock', OptionType: 'SECU', Uic: 81_001 }
  assert.equal((await ada('POST', '/ca/v2/standinginstructions', { StandingInstructions: [instruction] })).status, 201)
  const record = {
    kind: 'position',
    AccountKey: demoKey('account 9226398'),
    Uic: 81_001,
    AssetType: 'Stock',
    Amount: 7,
  }
  await importTexts(connection, { 'a.ndjson': lines(record, { ...record, From: '2026-11-01', Amount: 9 }) })
  const own = { kind: 'event', EventId: 'SC-OWN', Uic: 81_001, AssetType: 'Stock', CorporateActionType: 'Mandatory' }
  const imported = { ...own, EventType: { Code: 'DVCA' }, EventState: 'Approved' }
  assert.deepEqual((await importTexts(connection, { 'b.ndjson': lines(imported) })).errors, [])

  await unload('tender-offer')

  await isUnchanged()
  const { rows } = await sql<{ left: number }>`select
    (select count(*) from standing_instruction where uic = 81001)
    + (select count(*) from event_holding where event_id like 'SC-%') as left`.execute(db)
  assert.equal(rows[0]?.left, 0)
})

test('unloading is rejected, and names it, while something else needs a record that cannot go with it', async () => {
  const exchange = {
    kind: 'exchange',
    ExchangeId: 'XSC',
    Name: 'X',
    CountryCode: 'US',
    TimeZone: 'America/New_York',
    Hours: [],
  }
  await load(head('mine'), exchange)
  await importTexts(connection, { 'a.ndjson': lines({ ...stock, Uic: 82_002, ExchangeId: 'XSC' }) })
  const { status, body } = await ada<ErrorBody>('DELETE', `${path}/mine`)
  assert.deepEqual([status, body.ErrorCode], [409, 'ScenarioConflict'])
  assert.match(
    body.Message,
    /^exchange XSC, field delete: Is still the exchange of 1 .* instrument 82002\. Nothing was/,
  )
  assert.equal((await ada<Details>('GET', `${path}/mine`)).body.IsLoaded, true)

  await importTexts(connection, { 'a.ndjson': lines({ kind: 'instrument', Uic: 82_002, delete: true }) })
  await unload('mine')
})

test('of several loads of one name at once one wins; their number and size are bounded', async () => {
  const isUnchanged = await holdEverything(connection)
  const loads = await Promise.all(
    [service, other, service, other].map(async (node) => {
      const call = callWith(node, (await obtainTokens(node.url)).access_token)
      return (await call('PUT', `${path}/tender-offer`)).status
    }),
  )
  assert.deepEqual(loads.sort(), [200, 409, 409, 409])
  await sql`insert into scenario select 'more-' || n, 'T', 'S', 'V', 'L', now(), 0, '[]' from generate_series(2, 50) n`.execute(
    db,
  )
  const full = await post<ErrorBody>([head('one-more')])
  assert.deepEqual([full.status, full.body.ErrorCode], [409, 'LimitReached'])
  assert.equal((await ada<{ Data: Scenario[] }>('GET', path)).body.Data.filter(({ IsLoaded }) => IsLoaded).length, 50)
  await sql`delete from scenario where name like 'more-%'`.execute(db)
  await unload('tender-offer')

  const event = { kind: 'event', EventId: 'SC-{n}', Uic: 1000, AssetType: 'Stock', CorporateActionType: 'Mandatory' }
  const many = { ...event, EventType: { Code: 'DVCA' }, EventState: 'Approved', Repeat: { Count: 10_000 } }
  const tooMany = await post<ErrorBody>([head('mine'), many, { ...many, EventId: 'SC-B-{n}' }])
  assert.match(tooMany.body.ModelState?.Text?.[0] ?? '', /^Text:3: A scenario has at most 10000 records/)
  await isUnchanged()
})
