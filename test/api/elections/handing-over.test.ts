import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readConfig } from '../../../src/config.ts'
import type { Event } from '../../../src/events/api/schema.ts'
import type { EventOptionRecord } from '../../../src/events/import/schema.ts'
import type { FixedClock } from '../../support/clock.ts'
import { demoApp } from '../../support/demo.ts'
import { type Choice, Holder, offer } from '../../support/events/electing.ts'
import { accountKeys, clientKeys, eventService, position } from '../../support/events/event-service.ts'
import { eventually } from '../../support/eventually.ts'
import { exportText } from '../../support/service/import.ts'
import { liveSettings, serviceForFile } from '../../support/service/service.ts'

const deadline = { Date: '2026-11-16T18:00:00Z' }
/** The last option has no deadline. */
const partlyOpen: EventOptionRecord[] = [
  { OptionId: '1', OptionType: { Code: 'CASH' }, Deadline: deadline },
  { OptionId: '2', OptionType: { Code: 'NOAC' }, IsDefault: true, Deadline: deadline },
  { OptionId: '3', OptionType: { Code: 'SECU' } },
]
const accounts = [accountKeys.ada, accountKeys.ada2, accountKeys.bo, accountKeys.cy]
const { service, find } = await eventService({
  env: { ACCESS_TOKEN_SECONDS: '86400' },
  positions: [...accounts.map((key) => position(key, 1, 101)), position(accountKeys.treasury, 1, -10)],
  events: [offer('offer', 1), offer('bulk', 1), offer('outage', 1), offer('partly', 1, { Options: partlyOpen })],
})
const other = await serviceForFile({ besides: service })
const ada = await Holder.signIn(service, 'ada')
const cy = await Holder.signIn(service, 'cy')

type Row = {
  Number: number
  AccountKey: string
  AppKey: string
  Options: { OptionId: string; ElectedAmount: number }[]
}
const after = async (holder: Holder, since: number, top = 1_000) =>
  (await holder.get<{ Data: Row[] }>(`/x/v1/elections?Since=${since}&$top=${top}`)).body.Data

test('a reader with a cursor gets each election once while others are made on two nodes', async () => {
  const nodes = [ada, new Holder(other.baseUrl, ada.token)]
  const keys = [accountKeys.ada, accountKeys.ada2, accountKeys.bo]
  const made = new Set<number>()
  const read: Row[] = []
  let isOver = false
  const reading = (async () => {
    for (let wasOver = false; !wasOver; ) {
      wasOver = isOver
      for (let rows = await after(ada, read.at(-1)?.Number ?? 0, 7); rows.length > 0; ) {
        read.push(...rows)
        rows = await after(ada, read.at(-1)?.Number ?? 0, 7)
      }
    }
  })()
  const elect = async (lane: number) => {
    for (let turn = 0; turn < 20; turn++) {
      const amount = lane * 20 + turn + 1
      const holder = nodes[turn % 2] ?? ada
      const choices: Choice[] = [['1', amount]]
      const { status } = await holder.elect('offer', keys[lane] ?? '', choices)
      assert.equal(status, 202)
      made.add(amount)
    }
  }
  await Promise.all(keys.map((_, lane) => elect(lane)))
  isOver = true
  await reading
  assert.deepEqual(
    read.map(({ Number }) => Number),
    read.map((_, index) => index + 1),
  )
  const amounts = read.map(({ Options }) => Options[0]?.ElectedAmount ?? 0)
  assert.deepEqual(amounts.toSorted(ascending), [...made].toSorted(ascending))
  assert.equal(read[0]?.AppKey, demoApp.AppKey)
})

const ascending = (a: number, b: number) => a - b

test('others see only their own, and an export has all after a number', async () => {
  const last = (await after(ada, 0)).at(-1)?.Number ?? 0
  assert.deepEqual(await after(cy, 0), [])
  assert.equal((await cy.elect('offer', accountKeys.cy, [['1', 1]])).status, 202)
  assert.deepEqual(
    (await after(cy, 0)).map(({ Number }) => Number),
    [last + 1],
  )
  assert.deepEqual(await after(ada, last), [])
  const exported = (await exportText(service.database.connection, ['election'], last)).trim().split('\n')
  assert.deepEqual(
    exported.map((line) => JSON.parse(line)).map(({ kind, Number, AccountKey }) => [kind, Number, AccountKey]),
    [['election', last + 1, accountKeys.cy]],
  )
  assert.ok(!(await exportText(service.database.connection)).includes('"kind":"election"'))
})

test('in bulk an account that fails does not stop the others; shares are of what each holds', async () => {
  const Accounts = [accountKeys.ada, accountKeys.cy, accountKeys.treasury].map((AccountKey) => ({ AccountKey }))
  const Options = [
    { OptionId: '1', AmountPct: 50 },
    { OptionId: '2', AmountPct: 50 },
  ]
  const { status, body } = await ada.call<{ Data: { Status: string; ErrorCode?: string }[] }>(
    'PUT',
    '/ca/v2/elections/bulk',
    { EventId: 'bulk', Accounts, Options },
  )
  assert.equal(status, 202)
  assert.deepEqual(
    body.Data.map(({ Status, ErrorCode }) => ErrorCode ?? Status),
    ['Accepted', 'NoResultFound', 'Accepted'],
  )
  const { Holdings = [] } = await find('bulk')
  const elected = Holdings.map(({ AccountKey, ElectedAmount }) => [AccountKey, ElectedAmount])
  assert.deepEqual(elected, [
    [accountKeys.ada, 100],
    [accountKeys.ada2, 0],
    [accountKeys.treasury, -10],
  ])
  const wrong = {
    EventId: 'bulk',
    Accounts: [{ AccountKey: accountKeys.ada }],
    Options: [{ OptionId: '9', AmountPct: 1 }],
  }
  const rejected = await ada.call<{ Data: object[] }>('PUT', '/ca/v2/elections/bulk', wrong)
  assert.match(JSON.stringify(rejected.body.Data), /"ErrorCode":"InvalidModelState".*"Options\[0\]\.OptionId"/)
})

test('a service that takes no elections says how it would: live by default', async () => {
  const rejecting = await serviceForFile({ besides: service, env: { ELECTIONS: 'reject' } })
  const holder = new Holder(rejecting.baseUrl, ada.token)
  const { status, body } = await holder.elect('offer', accountKeys.ada, [['1', 1]])
  assert.equal(status, 403)
  assert.match(body?.Message ?? '', /ELECTIONS=accept/)
  const instruction = { AccountKey: accountKeys.ada, AssetType: 'Stock', Uic: 1, OptionType: 'CASH' }
  const bulk = { EventId: 'bulk', Accounts: [{ AccountKey: accountKeys.ada }], Options: [] }
  const calls = [
    await holder.call('PUT', '/ca/v2/elections/bulk', bulk),
    await holder.call('POST', '/ca/v2/standinginstructions', { StandingInstructions: [instruction] }),
    await holder.call(
      'DELETE',
      `/ca/v2/standinginstructions?ClientKey=${encodeURIComponent(clientKeys.ada)}&StandingInstructionIds=1`,
    ),
  ]
  assert.deepEqual(
    calls.map((call) => call.status),
    [403, 403, 403],
  )
  assert.equal(readConfig({}, liveSettings).elections, 'reject')
  assert.equal(readConfig({}, {}).elections, 'accept')
})

type BulkRow = { AccountKey: string; Status: string; ErrorCode?: string }

/** Elects for two accounts, and ends the session of PostgreSQL that elects for the second of them, or for the first. */
async function electInOutage(hit: string) {
  const { db } = service.node.context
  const Accounts = [accountKeys.ada, accountKeys.ada2].map((AccountKey) => ({ AccountKey }))
  const bulk = { EventId: 'outage', Accounts, Options: [{ OptionId: '1', AmountPct: 100 }] }
  const { answer } = await db.transaction().execute(async (trx) => {
    await sql`select from account where account_key = ${hit} for update`.execute(trx)
    const answer = ada.call<{ Data: BulkRow[]; ErrorCode?: string }>('PUT', '/ca/v2/elections/bulk', bulk)
    await eventually(async () => {
      const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and query ilike '%from "account"%' and datname = current_database()`.execute(db)
      return rows.length > 0 || undefined
    })
    return { answer }
  })
  const { Holdings = [] } = await find('outage')
  return { ...(await answer), elected: Holdings.slice(0, 2).map(({ ElectedAmount }) => ElectedAmount) }
}

test('in an outage the rows of a bulk election say what was elected; if nothing was, it is 503', async () => {
  const nothing = await electInOutage(accountKeys.ada)
  assert.deepEqual([nothing.status, nothing.body.ErrorCode, nothing.elected], [503, 'ServiceUnavailable', [0, 0]])
  const { status, body, elected } = await electInOutage(accountKeys.ada2)
  assert.equal(status, 202)
  assert.deepEqual(
    body.Data.map(({ ErrorCode, Status }) => ErrorCode ?? Status),
    ['Accepted', 'ServiceUnavailable'],
  )
  assert.deepEqual(elected, [101, 0])
})

test('pages of holdings are bounded, and only the only holding has a tag that an election takes', async () => {
  type Page = { __count: number; __next?: string; Data: { AccountKey: string }[] }
  const page = (query: string) => ada.get<Page>(`/ca/v2/holdings?EventId=outage&${query}`)
  const keys = [accountKeys.ada, accountKeys.ada2, accountKeys.treasury]
  const seen: string[] = []
  for (const skip of [0, 2]) {
    const { body } = await page(`$top=2&$skip=${skip}`)
    assert.deepEqual([body.__count, body.__next !== undefined], [3, skip === 0])
    seen.push(...body.Data.map(({ AccountKey }) => AccountKey))
  }
  assert.deepEqual(seen, keys)
  assert.deepEqual((await page('$top=0')).body.Data, [])
  assert.equal((await page('$top=1001')).status, 400)
  const one = await page('$top=1')
  const only = await page(`AccountKey=${encodeURIComponent(accountKeys.ada)}`)
  assert.equal((await ada.elect('outage', accountKeys.ada, [['1', 1]], one.etag ?? '')).status, 412)
  assert.equal((await ada.elect('outage', accountKeys.ada, [['1', 1]], only.etag ?? '')).status, 202)
})

test('once the default was applied nothing can be elected; where elections are made elsewhere it is not applied', async () => {
  const rejecting = await serviceForFile({ besides: service, env: { ELECTIONS: 'reject' } })
  const clock = service.clock as FixedClock
  clock.advance(6 * 3_600)
  assert.equal((await ada.elect('partly', accountKeys.ada, [['3', 1]])).status, 202)
  clock.advance(1)
  const { status, body } = await ada.elect('partly', accountKeys.ada, [['3', 2]])
  assert.deepEqual([status, body?.Message], [409, 'The last deadline of the event has passed.'])
  const ofAda = async (holder: Holder) => {
    const { Holdings = [] } = (await holder.get<Event>('/ca/v2/events/partly')).body
    return Holdings[0]?.Options?.map(({ OptionId, ElectedAmount }) => [OptionId, ElectedAmount])
  }
  const elected = ['3', 1]
  assert.deepEqual(await ofAda(ada), [elected, ['2', 100]])
  assert.deepEqual(await ofAda(new Holder(rejecting.baseUrl, ada.token)), [elected])
})
