import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../../src/database/open.ts'
import { type SortColumn, sortColumns } from '../../../src/events/api/enums.ts'
import { listAllEvents } from '../../../src/events/api/list.ts'
import {
  accountKeys,
  clientKeys,
  event,
  eventService,
  importRecords,
  position,
} from '../../support/events/event-service.ts'

const at = (Date: string) => ({ Date })
const voluntary = { CorporateActionType: 'Voluntary', EventType: { Code: 'TEND' } } as const

/** Events with a tie in every column, and a missing value where possible: a and b, or c and d. */
const { service, list, ids, rejects } = await eventService({
  positions: [
    position(accountKeys.ada, 1, 10),
    position(accountKeys.ada2, 1, 10),
    position(accountKeys.ada, 2, 100),
    position(accountKeys.treasury, 3, -3),
  ],
  events: [
    event('c', 1, {
      ...voluntary,
      AnnouncedDate: '2026-10-01',
      Ex: at('2026-12-01'),
      UpdatedDateTime: '2026-11-01T00:00:00Z',
    }),
    event('a', 1, {
      AnnouncedDate: '2026-10-02',
      Ex: at('2026-12-01'),
      UpdatedDateTime: '2026-11-01T00:00:00.000001Z',
    }),
    event('d', 2, { ...voluntary, Ex: at('2026-12-02'), UpdatedDateTime: '2026-11-01T00:00:00Z' }),
    event('B', 2, { AnnouncedDate: '2026-10-01', Ex: at('2026-11-30'), UpdatedDateTime: '2026-11-03T00:00:00Z' }),
    event('e', 3, { AnnouncedDate: '2026-10-03', Ex: at('2026-12-03'), UpdatedDateTime: '2026-11-02T00:00:00Z' }),
  ],
})

/** The ids in ascending order; ties are in brackets and keep their order in both directions. */
const orders: Record<SortColumn, string[][]> = {
  AffectedAccounts: [
    ['B', 'd', 'e'],
    ['a', 'c'],
  ],
  AnnouncedDate: [['d'], ['B', 'c'], ['a'], ['e']],
  CorporateActionType: [
    ['B', 'a', 'e'],
    ['c', 'd'],
  ],
  Date: [['B'], ['a', 'c'], ['d'], ['e']],
  EligibleHoldings: [['e'], ['a', 'c'], ['B', 'd']],
  EventId: [['B'], ['a'], ['c'], ['d'], ['e']],
  EventType: [
    ['B', 'a', 'e'],
    ['c', 'd'],
  ],
  // abrdn plc, Nestlé, Novo Nordisk B
  InstrumentDescription: [['e'], ['B', 'd'], ['a', 'c']],
  UpdatedDateTime: [['c', 'd'], ['a'], ['e'], ['B']],
}

for (const column of sortColumns) {
  test(`SortColumn=${column}: both directions, ties by EventId, the same over pages (operation 7)`, async () => {
    for (const [type, expected] of [
      ['Asc', orders[column].flat()],
      ['desc', orders[column].toReversed().flat()],
    ] as const) {
      const query = `SortColumn=${column.toLowerCase()}&SortType=${type}`
      assert.deepEqual([query, await ids(query)], [query, expected])
      const walked: string[] = []
      for (let next: string | undefined = `$top=1&${query}`; next !== undefined; ) {
        const { Data, __next, __count } = await list(next)
        assert.deepEqual([Data.length, __count], [1, 5])
        walked.push(...Data.map(({ EventId }) => EventId))
        next = __next === undefined ? undefined : new URL(__next).search.slice(1)
      }
      assert.deepEqual(walked, expected)
    }
  })
}

test('by default the latest date comes first (operation 7)', async () => {
  assert.deepEqual(await ids(), orders.Date.toReversed().flat())
  assert.deepEqual(await ids('SortType=Asc'), orders.Date.flat())
  assert.deepEqual(await ids('SortColumn=EventId'), orders.EventId.toReversed().flat())
  await rejects('?SortColumn=Colour', 'SortColumn')
  await rejects('?SortType=Ascending', 'SortType')
  await rejects('?SortColumn=Date&SortColumn=EventId', 'SortColumn')
})

test('paging returns every unchanged event once, while others are added, moved and deleted (operation 7)', async () => {
  const many = Array.from({ length: 40 }, (_, n) => event(`walk-${100 + n}`, 1, { Ex: at(`2026-12-${10 + (n % 5)}`) }))
  await importRecords(
    service,
    many.map((one) => ({ kind: 'event', ...one })),
  )
  const before = await ids()
  const seen: string[] = []
  let next: string | undefined = '$top=7'
  for (let page = 0; next !== undefined; page++) {
    const { Data, __next } = await list(next)
    seen.push(...Data.map(({ EventId }) => EventId))
    next = __next && new URL(__next).search.slice(1)
    // One is added before the cursor and one after it, one moves across it, and the last one seen is deleted.
    const lastSeen = seen.at(-1) ?? ''
    await importRecords(service, [
      { kind: 'event', ...event(`new-${page}-early`, 1, { Ex: at('2026-12-31') }) },
      { kind: 'event', ...event(`new-${page}-late`, 1, { Ex: at('2026-11-17') }) },
      { kind: 'event', ...event(`walk-${100 + page}`, 1, { Ex: at(page % 2 ? '2026-12-30' : '2026-11-18') }) },
      ...(lastSeen.startsWith('walk-') ? [{ kind: 'event', EventId: lastSeen, delete: true }] : []),
    ])
  }
  const moved = new Set(Array.from({ length: 10 }, (_, page) => `walk-${100 + page}`))
  const seenOnce = (id: string) => seen.filter((one) => one === id).length
  const stayed = before.filter((id) => !moved.has(id))
  assert.ok(stayed.length > 30)
  assert.deepEqual(
    stayed.filter((id) => seenOnce(id) !== 1),
    [],
  )
})

test('a cursor may hold a very long text or a very small number (operation 7)', async () => {
  const Description = '株'.repeat(1_500)
  await importRecords(service, [
    { kind: 'event', ...event('long-1', 1, { DisplayAndFormat: { Description } }) },
    { kind: 'event', ...event('long-2', 1, { DisplayAndFormat: { Description } }) },
    { kind: 'position', ...position(accountKeys.bo, 2, 1e-45) },
    { kind: 'position', ...position(accountKeys.bo, 3, 2e-45) },
  ])
  for (const [column, user] of [
    ['InstrumentDescription', 'ada'],
    ['EligibleHoldings', 'bo'],
  ] as const) {
    const { __next = '' } = await list(`$top=1&SortColumn=${column}`, user)
    assert.equal((await list(new URL(__next).search.slice(1), user)).Data.length, 1)
  }
})

test('a page with very many accounts ends early, and paging continues (operation 7)', async () => {
  const { db, close } = openDatabase(service.database.connection, 1)
  after(close)
  // In the format of keys.
  const keyOfMany = sql`'many-' || lpad(n::text, 16, '0') || 'A=='`
  await sql`insert into account (account_key, account_id, client_key, currency)
    select ${keyOfMany}, 'many-' || n, ${clientKeys.cy}, 'EUR' from generate_series(1, 11000) n`.execute(db)
  await sql`insert into position (account_key, uic, asset_type, amount)
    select ${keyOfMany}, 3, 'Stock', n from generate_series(1, 11000) n`.execute(db)
  await importRecords(
    service,
    ['m1', 'm2', 'm3'].map((id) => ({ kind: 'event', ...event(id, 3) })),
  )
  const first = await list('SortColumn=EventId&SortType=Asc', 'cy')
  assert.deepEqual([first.Data.map(({ EventId }) => EventId), first.__count], [['e', 'm1'], 4])
  assert.deepEqual(
    first.Data.map(({ Holdings }) => Holdings?.length),
    [11_000, 11_000],
  )
  const second = await list(new URL(first.__next ?? '').search.slice(1), 'cy')
  assert.deepEqual(
    second.Data.map(({ EventId }) => EventId),
    ['m2', 'm3'],
  )
  assert.equal(second.__next, undefined)
  const counted = await list('IncludeSubAccounts=true', 'cy')
  assert.deepEqual(
    counted.Data.map(({ AffectedAccounts }) => AffectedAccounts),
    [11_000, 11_000, 11_000, 11_000],
  )
})

test('a calendar lists the first accounts of an event, and their number (operation 7)', async () => {
  const { db, close } = openDatabase(service.database.connection, 1)
  after(close)
  const parts = { db, catalogue: service.node.events, clock: service.clock }
  const filters = { IncludeSubAccounts: false, IncludeLapsedEvents: false }
  const all = await listAllEvents(parts, { ClientKey: clientKeys.cy }, filters, 3)
  assert.deepEqual(
    all.map(({ EventId, AffectedAccounts, Holdings }) => [EventId, AffectedAccounts, Holdings?.length]),
    ['m1', 'm2', 'm3', 'e'].map((id) => [id, 11_000, 20]),
  )
  assert.equal(all[0]?.EligibleHoldings, (11_000 * 11_001) / 2)
})
