import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { wireProfiles } from '../../../src/core/wire-profile.ts'
import { sortColumns } from '../../../src/events/api/enums.ts'
import { listEventPage, scopeOf } from '../../../src/events/api/list.ts'
import type { Event, EventFilters } from '../../../src/events/api/schema.ts'
import type { EventRecord, PositionRecord } from '../../../src/events/import/schema.ts'
import { searchedStates } from '../../../src/events/rules/listing.ts'
import { findEvent } from '../../../src/events/store/events.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoKey } from '../../support/demo.ts'
import {
  electionStatusOf,
  type Listed,
  naiveFind,
  naiveList,
  naiveStatus,
  type World,
} from '../../support/events/event-model.ts'
import {
  databaseForFile,
  exchange,
  importGenerated,
  importTexts,
  instrument,
  lines,
} from '../../support/service/import.ts'

const { db, connection } = await databaseForFile()
const clock = new FixedClock('2026-11-15T22:00:00Z')
const today = '2026-11-15'

/** An owner with two levels of sub-clients, an unrelated client and an unknown one. */
const [top, mid, low, other, unknown] = ['top', 'mid', 'low', 'other', 'unknown'].map(demoKey) as [
  string,
  string,
  string,
  string,
  string,
]
const group = (name: string) => [{ AccountGroupKey: demoKey(name), Name: name }]
const clients = [
  { ClientKey: top, ClientId: '1', Name: 'Top', AccountGroups: group('g1') },
  { ClientKey: mid, ClientId: '2', Name: 'Mid', OwnerClientKey: top },
  { ClientKey: low, ClientId: '3', Name: 'Low', OwnerClientKey: mid },
  { ClientKey: other, ClientId: '4', Name: 'Other', AccountGroups: group('g2') },
]
const account = (AccountId: string, ClientKey: string, more = {}) => ({
  AccountKey: demoKey(AccountId),
  AccountId,
  ClientKey,
  Currency: 'EUR',
  ...more,
})
const accounts = [
  account('t1', top, { AccountGroupKey: demoKey('g1') }),
  account('t2', top),
  account('m1', mid),
  account('l1', low),
  account('o1', other, { AccountGroupKey: demoKey('g2') }),
]
const stocks = [1, 2, 3].map((Uic) => ({
  ...instrument(Uic, { As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }] }),
  Description: ['Zeta plc', 'alpha AG', 'Mid Ltd'][Uic - 1] ?? '',
}))
const loaded = await importTexts(connection, {
  'world.ndjson': lines(
    exchange,
    ...stocks,
    ...clients.map((client) => ({ kind: 'client', ...client })),
    ...accounts.map((one) => ({ kind: 'account', ...one })),
  ),
})
assert.deepEqual(loaded.faults, [])
const names = new Map(stocks.map(({ Uic, Description, Symbol }) => [Uic, { Description, Symbol }]))

// Few values each, close to the limits, so that filters match and ties are frequent.
const some = <const T>(...values: T[]) => fc.constantFrom(...values)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const day = some(
  '2025-11-14',
  '2025-11-15',
  '2026-11-13',
  '2026-11-14',
  today,
  '2026-11-16',
  '2027-11-15',
  '2027-11-16',
)
const dated = maybe(fc.record({ Date: day }))
const moment = fc
  .tuple(day, some('00:00:00Z', '23:59:59.5-03:00', '12:00:00Z'))
  .map(([on, at]) => ({ Date: `${on}T${at}` }))
const keyed = { Uic: some(1, 2, 3), AssetType: some('Stock', 'Stock', 'CfdOnStock') } as const
const accountKey = some(...accounts.map(({ AccountKey }) => AccountKey))

const position = fc.record(
  { AccountKey: accountKey, ...keyed, From: day, Amount: some(0, 10, -5, 2.5) },
  { requiredKeys: ['AccountKey', 'Uic', 'AssetType', 'Amount'] },
)
const positions = fc.uniqueArray(position, {
  minLength: 10,
  maxLength: 25,
  size: 'max',
  selector: ({ AccountKey, Uic, AssetType, From }) => [AccountKey, Uic, AssetType, From].join(),
})

const option = fc.record(
  {
    Deadline: moment,
    Payment: fc.record({ Date: day }),
    ElectionPeriod: fc.record({ Start: fc.record({ Date: day }) }),
  },
  { requiredKeys: [] },
)
const elected = fc.uniqueArray(fc.record({ AccountKey: accountKey, ElectedAmount: some(0, 2.5, 10, -5) }), {
  maxLength: 3,
  selector: ({ AccountKey }) => AccountKey,
})
const eventType = some(
  { Code: 'DVCA', Name: 'Cash Dividend' },
  { Code: 'DVOP', Name: 'Dividend Option' },
  { Code: 'TEND', Name: 'Tender' },
)
const event = fc
  .record({
    ...keyed,
    CorporateActionType: some('Mandatory', 'Voluntary'),
    EventType: eventType,
    EventState: some('Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn'),
    EventStatus: maybe(some('Active', 'Past', 'Upcoming')),
    Electable: maybe(some('Electable', 'NotElectable')),
    AnnouncedDate: maybe(day),
    Ex: dated,
    Effective: dated,
    Record: dated,
    options: fc.array(option, { maxLength: 3 }),
    elected,
    UpdatedDateTime: some('2026-11-01T00:00:00Z', '2026-11-02T00:00:00.000001Z'),
    DisplayAndFormat: maybe(some({ Description: 'ALPHA rights' }, { Symbol: 'zz:x' })),
  })
  .map(({ options, elected: chosen, ...members }): Omit<EventRecord, 'EventId'> => {
    const Options = options.map((one, at) => ({ OptionId: String(at + 1), ...one }))
    const mayElect = members.Electable === 'Electable' || (members.Electable === undefined && Options.length > 1)
    const Holdings = chosen.map(({ AccountKey, ElectedAmount }) => ({
      AccountKey,
      Options: [{ OptionId: '1', ElectedAmount }],
    }))
    const given = Object.entries(members).filter(([, value]) => value !== undefined)
    return {
      ...(Object.fromEntries(given) as typeof members & object),
      ...(Options.length > 0 && { Options }),
      ...(mayElect && Options.length > 0 && Holdings.length > 0 && { Holdings }),
    } as Omit<EventRecord, 'EventId'>
  })
const events = fc
  .array(event, { minLength: 8, maxLength: 20, size: 'max' })
  .map((all) => all.map((one, at): EventRecord => ({ EventId: `E-${(at * 7) % 20}`, ...one })))

const list = <const T>(...values: T[]) => fc.uniqueArray(some(...values), { minLength: 1, maxLength: 2 })
/** Most filters are omitted, else the lists would be empty. */
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const days = seldom(fc.tuple(maybe(day), maybe(day)).filter(([from = '', to = '9']) => from <= to))
const filters = fc
  .record({
    ClientKey: seldom(some(top, mid, low, other, unknown)),
    AccountKey: seldom(accountKey),
    AccountGroupKey: seldom(some(demoKey('g1'), demoKey('g2'))),
    IncludeSubAccounts: fc.boolean(),
    IncludeLapsedEvents: fc.boolean(),
    AssetTypes: seldom(list('Stock', 'CfdOnStock')),
    CorporateActionTypes: seldom(list('Mandatory', 'Voluntary')),
    ElectionStatuses: seldom(list('Elected', 'NotElected', 'PartialElected')),
    EventStates: seldom(list('Approved', 'Cancelled', 'Complete', 'Confirmed')),
    EventStatus: seldom(some('Active', 'Past', 'Upcoming')),
    EventTypes: seldom(list('DVCA', 'DVOP', 'MRGR')),
    Keywords: seldom(some('ALPHA', 'plc zeta', 's2 alpha', 'zz', 'nothing', ' ')),
    Deadline: days,
    Ex: days,
    Pay: days,
    Record: days,
  })
  .map(({ Deadline, Ex, Pay, Record, ...members }): EventFilters => {
    const ranges = Object.entries({ Deadline, Ex, Pay, Record }).flatMap(([kind, range]) => [
      [`From${kind}Date`, range?.[0]],
      [`To${kind}Date`, range?.[1]],
    ])
    const given = [...Object.entries(members), ...ranges].filter(([, value]) => value !== undefined)
    return Object.fromEntries(given) as EventFilters
  })
const order = fc.record({ SortColumn: some(...sortColumns), SortType: some('Asc', 'Desc') })
const listCall = fc.record({ caller: some(top, top, mid, other), filters, order, rows: some(1, 3, 100, 100) })
type ListCall = typeof listCall extends fc.Arbitrary<infer One> ? One : never

async function load(world: { positions: PositionRecord[]; events: EventRecord[] }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`delete from position`.execute(trx)
    await sql`delete from event`.execute(trx)
    const records = [
      ...world.positions.map((record) => ({ ...record, kind: 'position' })),
      ...world.events.map((record) => ({ ...record, kind: 'event' })),
    ]
    await importGenerated(trx, records, clock.now())
  })
}

/** Reads all pages, as a client would. */
async function walk({ caller, filters, order: { SortColumn, SortType }, rows: top }: ListCall) {
  const deps = { db, clock, profile: wireProfiles.off }
  const found: Event[] = []
  let after: { value: string; eventId: string } | undefined
  for (;;) {
    const page = { top, skip: 0, order: { column: SortColumn, type: SortType }, after }
    const { rows, hasMore, total, toJson } = await listEventPage(deps, { ClientKey: caller }, filters, page)
    found.push(...rows.map((row) => JSON.parse(toJson(row)) as Event))
    const last = rows.at(-1)
    if (!hasMore || !last) return { events: found, total }
    after = { value: last.sort_value, eventId: last.event_id }
  }
}

const holdingsOf = ({ Holdings }: Event) =>
  Holdings?.map(({ AccountId, Amount, ElectedAmount }) => ({ AccountId, Amount, ElectedAmount }))

function shown(world: World, one: Listed, includesSubClients: boolean) {
  const record = world.events.find(({ EventId }) => EventId === one.EventId) as EventRecord
  return [
    one.EventId,
    naiveStatus(record, today),
    electionStatusOf(record, one),
    includesSubClients ? [one.holdings.length, one.eligible] : one.holdings,
  ]
}

test('for any data and filters, a list equals that of the naive model, in order (operation 7)', async () => {
  let compared = 0
  const property = fc.asyncProperty(
    positions,
    events,
    fc.array(listCall, { minLength: 15, maxLength: 15 }),
    async (held, generated, calls) => {
      const world: World = { today, clients, accounts, names, positions: held, events: generated }
      await load({ positions: held, events: generated })
      for (const one of calls) {
        const expected = naiveList(world, one.caller, { ...one.filters, ...one.order })
        if (!expected) {
          await assert.rejects(walk(one), { code: 'NoResultFound' })
          continue
        }
        const found = await walk(one)
        const subs = one.filters.IncludeSubAccounts
        const rows = found.events.map((event) => [
          event.EventId,
          event.EventStatus,
          event.ElectionStatus,
          subs ? [event.AffectedAccounts, event.EligibleHoldings] : holdingsOf(event),
        ])
        assert.deepEqual(
          rows,
          expected.map((listed) => shown(world, listed, subs)),
        )
        assert.equal(found.total, expected.length)
        compared += expected.length
      }
    },
  )
  await fc.assert(property, { numRuns: 25 })
  // Empty lists would prove nothing.
  assert.ok(compared > 300, `only ${compared} events were compared`)
})

test('for any data, an event is found with the holdings of the naive model (operation 8)', async () => {
  let found = 0
  const states = maybe(list('Approved', 'Cancelled', 'Complete', 'Confirmed'))
  const searched = fc.array(fc.record({ caller: some(top, top, mid, other), filters, states }), {
    minLength: 3,
    maxLength: 3,
  })
  const property = fc.asyncProperty(positions, events, searched, async (held, generated, searches) => {
    const world: World = { today, clients, accounts, names, positions: held, events: generated }
    await load({ positions: held, events: generated })
    for (const { caller, filters: scopeQuery, states: EventStates } of searches) {
      const { ClientKey, AccountKey, IncludeSubAccounts } = scopeQuery
      const query = { IncludeSubAccounts, ...(ClientKey && { ClientKey }), ...(AccountKey && { AccountKey }) }
      const scope = scopeOf({ ClientKey: caller }, query)
      for (const { EventId } of generated) {
        const { rows } = await findEvent(db, scope, today, EventId, searchedStates(EventStates))
        const expected = naiveFind(world, caller, EventId, { ...query, ...(EventStates && { EventStates }) })
        const facts = rows.map(({ affected, eligible }) => [affected, Number(eligible)])
        assert.deepEqual(facts, expected ? [[expected.holdings.length, expected.eligible]] : [])
        found += rows.length
      }
    }
  })
  await fc.assert(property, { numRuns: 10 })
  assert.ok(found > 5, `only ${found} events were found`)
})
