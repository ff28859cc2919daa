import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import type { EventOptionRecord, EventRecord } from '../../src/events/import/schema.ts'
import { account, ada, bo, client, cy, eventDatabase, offer } from '../support/events/event-import.ts'
import {
  databaseForFile,
  event,
  exportText,
  importTexts,
  instrument,
  lines,
  optionRoot,
  position,
} from '../support/service/import.ts'

const { connection, db, importLines } = await eventDatabase()
const copy = await databaseForFile()
const eventsExported = () => exportText(connection, ['event'])
const parsed = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('an export imported into an empty database exports identically; importing it again changes nothing', async () => {
  const dividend = event('DIV-1', 1, { Ex: { Date: '2026-11-30' } })
  const held = [position(bo, 1, -3), position(ada, 71, 2, { AssetType: 'StockOption', From: '2026-01-01' })]
  const { run: _, cursor: __, ...first } = await importLines(offer, position(ada, 1, 0.1), dividend, ...held)
  assert.deepEqual(first, { errors: [], notes: first.notes, counts: { position: { added: 3 }, event: { added: 2 } } })
  const exported = await exportText(connection)
  assert.match(exported, /"EventId":"DIV-1".*"UpdatedDateTime":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"/)
  assert.deepEqual((await importTexts(copy.connection, { 'all.ndjson': exported })).errors, [])
  assert.equal(await exportText(copy.connection), exported)
  const again = await importTexts(connection, { 'all.ndjson': exported })
  assert.deepEqual(again.counts.position, { unchanged: 3 })
  assert.deepEqual(again.counts.event, { unchanged: 2 })
  assert.deepEqual((await importLines(offer, dividend)).counts, { event: { unchanged: 2 } })
  assert.equal(await exportText(connection), exported)
})

test('exports named codes, UTC instants and Electable, and nothing empty', async () => {
  const [dividend, exported] = parsed(await eventsExported())
  assert.ok(dividend && exported)
  const { EventType, UpdatedDateTime } = dividend
  const given = event('DIV-1', 1, { Ex: { Date: '2026-11-30' } })
  assert.deepEqual(dividend, { ...given, EventType, Electable: 'NotElectable', UpdatedDateTime })
  assert.equal(nameOf(dividend), 'Cash Dividend')
  const options = exported.Options as EventOptionRecord[]
  assert.deepEqual(options[0]?.Deadline, { Date: '2026-11-20T16:00:00.000000Z' })
  assert.ok(!('SecurityMovements' in (options[0] ?? {})))
  assert.equal(options[1]?.OptionType?.Name, 'Do nothing')
  const { Holdings, Source } = offer as unknown as EventRecord
  assert.deepEqual({ Holdings, Source }, pick(exported, 'Holdings', 'Source'))
  assert.equal(exported.UpdatedDateTime, '2026-10-02T08:00:00.500000Z')
  const row = await db.selectFrom('event').selectAll().where('event_id', '=', 'OFFER-1').executeTakeFirstOrThrow()
  assert.deepEqual([row.key_date, row.event_type_name, row.is_electable], ['2026-11-02', nameOf(exported), true])
})

const pick = (record: Record<string, unknown> | undefined, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, record?.[name]]))
const nameOf = (record: Record<string, unknown>) => (record.EventType as { Name: string }).Name

test('an unchanged event keeps the time of its change; reordered elections are a change', async () => {
  const updatedAt = async () =>
    String(
      (await db.selectFrom('event').select('updated_at').where('event_id', '=', 'E1').executeTakeFirst())?.updated_at,
    )
  const elections = [
    { AccountKey: ada, Options: [{ OptionId: '1', ElectedAmount: 1 }] },
    { AccountKey: cy, Options: [] },
    { AccountKey: bo, Options: [{ OptionId: '2', ElectedAmount: 2 }] },
  ]
  const record = (Holdings: object[]) => event('E1', 1, { Options: [{ OptionId: '1' }, { OptionId: '2' }], Holdings })
  await importLines(record(elections))
  const before = await updatedAt()
  assert.deepEqual((await importLines(record(elections))).counts, { event: { unchanged: 1 } })
  assert.equal(await updatedAt(), before)
  assert.deepEqual((await importLines(record(elections.toReversed()))).counts, { event: { changed: 1 } })
  assert.notEqual(await updatedAt(), before)
  const dated = { ...record(elections.toReversed()), UpdatedDateTime: '2026-11-01T10:00:00+02:00' }
  assert.deepEqual((await importLines(dated)).counts, { event: { changed: 1 } })
  assert.deepEqual((await importLines(dated)).counts, { event: { unchanged: 1 } })
  assert.deepEqual((await importLines(record(elections.toReversed()))).counts, { event: { unchanged: 1 } })
  assert.equal(await updatedAt(), '2026-11-01T08:00:00Z')
  assert.deepEqual((await importLines({ kind: 'account', AccountKey: cy, delete: true })).counts, {
    account: { removed: 1 },
  })
  const left = elections.toReversed().filter(({ AccountKey }) => AccountKey !== cy)
  assert.deepEqual((await importLines(record(left))).counts, { event: { unchanged: 1 } })
  assert.deepEqual((await importLines(record([]))).counts, { event: { changed: 1 } })
  assert.ok((await updatedAt()) > before)
  assert.equal(parsed(await eventsExported()).find(({ EventId }) => EventId === 'E1')?.Holdings, undefined)
  await importLines({ kind: 'event', EventId: 'E1', delete: true }, account(cy, '1-3'))
})

/** An account's positions in instrument 2, each with its first day, end and amount. */
async function chainOf(accountKey: string): Promise<[string, string, number][]> {
  const rows = await db
    .selectFrom('position')
    .select(['held_from', 'held_until', 'amount'])
    .where('account_key', '=', accountKey)
    .where('uic', '=', 2)
    .orderBy('held_from')
    .execute()
  return rows.map((row) => [String(row.held_from), String(row.held_until), Number(row.amount)])
}

test('a position holds until the next one, in any order of import and deletion', async () => {
  await importLines(position(cy, 2, 5, { From: '2026-03-01' }), position(cy, 2, 1))
  await importLines(position(cy, 2, 3, { From: '2026-02-01' }), position(cy, 2, 9, { From: '2026-01-01' }))
  assert.deepEqual(await chainOf(cy), [
    ['-infinity', '2026-01-01', 1],
    ['2026-01-01', '2026-02-01', 9],
    ['2026-02-01', '2026-03-01', 3],
    ['2026-03-01', 'infinity', 5],
  ])
  const mixed = await importLines(
    { kind: 'position', AccountKey: cy, Uic: 2, AssetType: 'Stock', delete: true },
    { kind: 'position', AccountKey: cy, Uic: 2, AssetType: 'Stock', From: '2026-02-01', delete: true },
    { kind: 'position', AccountKey: cy, Uic: 2, AssetType: 'Stock', From: '2020-02-01', delete: true },
    position(cy, 2, 8, { From: '2026-01-01' }),
    position(cy, 2, 0, { From: '2026-04-01' }),
  )
  assert.deepEqual(mixed.counts, { position: { added: 1, changed: 1, removed: 2 } })
  assert.deepEqual(await chainOf(cy), [
    ['2026-01-01', '2026-03-01', 8],
    ['2026-03-01', '2026-04-01', 5],
    ['2026-04-01', 'infinity', 0],
  ])
})

test('reports an event that leaves Cancelled; deleting an event deletes its elections', async () => {
  const holding = { Holdings: [{ AccountKey: ada }] }
  await importLines(event('A', 1, { EventState: 'Cancelled', ...holding }), event('B', 1, { EventState: 'Complete' }))
  const { notes } = await importLines(event('A', 1, holding), event('B', 1, { EventState: 'Complete' }))
  assert.ok(notes.includes('Event A changed from Cancelled to Confirmed.'))
  assert.ok(!notes.some((note) => note.includes('Event B')))
  const gone = await importLines(
    { kind: 'event', EventId: 'A', delete: true },
    { kind: 'event', EventId: 'B', delete: true },
    { kind: 'event', EventId: 'never', delete: true },
  )
  assert.deepEqual(gone.counts, { event: { removed: 2 } })
  assert.deepEqual(await db.selectFrom('event_holding').select('event_id').where('event_id', '=', 'A').execute(), [])
})

const unknown = randomEntityKey()

test('accounts and instruments may be added or deleted in the same run as the records that refer to them', async () => {
  const added = await importLines(
    position(unknown, 3, 1),
    position(unknown, 3, 2, { From: '2026-01-01' }),
    event('N', 81, { AssetType: 'StockOption', Holdings: [{ AccountKey: unknown }] }),
    account(unknown, '1-4'),
    instrument(3),
    optionRoot(8, [81]),
  )
  assert.deepEqual(added.errors, [])
  const dry = await importTexts(connection, { 'f.ndjson': lines(event('M', 3)) }, { isDryRun: true })
  assert.deepEqual([dry.counts, dry.notes], [{ event: { added: 1 } }, []])
  assert.ok(!(await eventsExported()).includes('"M"'))
  const removed = await importLines(
    { kind: 'event', EventId: 'N', delete: true },
    { kind: 'event', EventId: 'NO-SUCH', delete: true },
    { ...position(unknown, 3, 1), delete: true },
    { kind: 'account', AccountKey: unknown, delete: true },
    { kind: 'instrument', Uic: 3, delete: true },
    { kind: 'optionRoot', OptionRootId: 8, delete: true },
  )
  assert.deepEqual(removed.errors, [])
  assert.deepEqual([removed.counts.position, removed.counts.event], [{ removed: 1 }, { removed: 1 }])
  assert.deepEqual(removed.notes.slice(1), [
    'Removed with the accounts: 2 positions and 1 election.',
    '1 record to delete was not found: event NO-SUCH.',
  ])
  assert.ok(!(await exportText(connection, ['position', 'event'])).includes(unknown))
})

test('removes positions and events of expired contracts, and reports how many', async () => {
  const option = { AssetType: 'StockOption' }
  const kept = [position(ada, 91, 1, option), event('O1', 91, option)]
  const holding = { Holdings: [{ AccountKey: ada }] }
  await importLines(
    ...[optionRoot(9, [91, 92, 93, 94]), ...kept],
    ...[
      position(ada, 92, 1, option),
      position(ada, 92, 2, { ...option, From: '2026-01-01' }),
      position(bo, 93, 1, option),
    ],
    ...[event('O2', 92, { ...option, ...holding }), event('O3', 93, option), event('O4', 94, option)],
  )
  // O3 moves to a contract that stays, and O4 is deleted by its own record.
  const others = [event('O3', 91, option), { kind: 'event', EventId: 'O4', delete: true }]
  const { errors, counts, notes } = await importLines(optionRoot(9, [91]), ...others)
  assert.deepEqual(errors, [])
  assert.deepEqual(counts, {
    optionRoot: { changed: 1 },
    position: { removed: 3 },
    event: { changed: 1, removed: 2 },
  })
  assert.deepEqual(notes.slice(1), ['Removed 3 positions and 1 event of 2 option contracts that no longer exist.'])
  const left = parsed(await exportText(connection, ['position', 'event'])).filter(({ Uic }) => Number(Uic) > 90)
  assert.deepEqual(
    left.map(({ EventId, Uic }) => [EventId, Uic]),
    [
      [undefined, 91],
      ['O1', 91],
      ['O3', 91],
    ],
  )
  const root = await importLines({ kind: 'optionRoot', OptionRootId: 9, delete: true })
  assert.deepEqual(root.notes.slice(1), ['Removed 1 position and 2 events of 1 option contract that no longer exists.'])
  assert.deepEqual(await db.selectFrom('position').select('uic').where('uic', '=', 91).execute(), [])
})

test('an aborted import changes nothing', async () => {
  const before = await exportText(connection)
  const signal = AbortSignal.abort(new Error('Interrupted.'))
  const text = lines(event('Z', 1), position(bo, 2, 1))
  await assert.rejects(importTexts(connection, { 'f.ndjson': text }, { signal }), /Interrupted/)
  assert.equal(await exportText(connection), before)
})

test('reports the positions and elections removed with a client', async () => {
  const held = (await db.selectFrom('position').select('uic').execute()).length
  const elected = (await db.selectFrom('event_holding').select('event_id').execute()).length
  assert.ok(held > 0 && elected > 0)
  const { notes } = await importLines({ kind: 'client', ClientKey: client, delete: true })
  const lost = `${held} positions and ${elected} elections`
  assert.equal(notes.at(-1), `Removed: client 1 with 3 accounts, ${lost}.`)
  assert.equal(await exportText(connection, ['position']), '')
})
