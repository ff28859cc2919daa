import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { account, ada, bo, eventDatabase } from '../support/events/event-import.ts'
import {
  event,
  exportText,
  importGenerated,
  importTexts,
  lines,
  optionRoot,
  position,
} from '../support/service/import.ts'

const { connection, db, importLines } = await eventDatabase()
await importLines(
  event('DIV-1', 1, { Ex: { Date: '2026-11-30' } }),
  position(ada, 1, 0.1),
  position(bo, 1, -3),
  position(ada, 71, 2, { AssetType: 'StockOption', From: '2026-01-01' }),
)

const unknown = randomEntityKey()
const rejected: [name: string, records: object[], ...errors: RegExp[]][] = [
  [
    'account',
    [position(unknown, 1, 1)],
    /^f:1 position .{24} 1 Stock, field AccountKey: .{24} is not an account\. Import it/,
  ],
  [
    'instrument',
    [position(ada, 99, 1, { From: '2026-01-01' })],
    /^f:1 position .{24} 99 Stock 2026-01-01, field Uic: There is no instrument 99 of type Stock\. Import it/,
  ],
  ['asset type', [event('X', 1, { AssetType: 'Bond' })], /^f:1 event X, .* It is offered as Stock, CfdOnStock\.$/],
  ['contract', [position(ada, 71, 1)], /no instrument 71 of type Stock\. It is offered as StockOption\.$/],
  [
    'elections',
    [event('X', 1, { Holdings: [{ AccountKey: ada }, { AccountKey: unknown }] })],
    /Holdings\[1\]\.AccountKey/,
  ],
  [
    'elections of an event that is not electable',
    [event('X', 1, { ...elected('1'), Options: [{ OptionId: '1' }] })],
    /Holdings\[0\]\.Options: The event is NotElectable/,
  ],
  [
    'an unknown option',
    [event('X', 1, { ...elected('3'), Options: [{ OptionId: '1' }, { OptionId: '2' }] })],
    /Holdings\[0\]\.Options\[0\]\.OptionId: The event has no option 3\.$/,
  ],
  ['an EventId that is a path', [event('LookupData', 1)], /field EventId: Must not be lookupdata/],
  [
    'a code',
    [event('X', 1, { EventType: { Code: 'DVCB' } })],
    /field EventType\.Code: Must be one of: .* and \d+ more/,
  ],
  ['no day', [event('X', 1, { Ex: {} })], /field Ex: Must have either Date or Status\.$/],
  [
    'an invalid day',
    [position(ada, 1, 1, { From: '2026-02-30' }), { ...position(ada, 1, 1, { From: '0000-01-01' }), delete: true }],
    /^f:1 .* field From: Must be/,
    /^f:2 .* field From: Must be/,
  ],
  [
    'invalid instants and the year 0',
    [
      event('X', 1, { UpdatedDateTime: '2026-11-20T18:00:00.1234567Z' }),
      event('Y', 1, { UpdatedDateTime: '2026-11-20 18:00:00Z' }),
      event('Z', 1, { AnnouncedDate: '0000-01-01' }),
    ],
    /^f:1 .* field UpdatedDateTime: Must be/,
    /^f:2 .* field UpdatedDateTime: Must be/,
    /^f:3 .* field AnnouncedDate: Must be/,
  ],
  [
    'duplicate keys',
    [position(ada, 1, 1), position(ada, 1, 2, { From: '2026-01-01' }), { ...position(ada, 1, 3), delete: true }],
    /^f:3 position .{24} 1 Stock: Is a duplicate of f:1; send each key once\.$/,
  ],
  [
    'a deleted instrument in use',
    [{ kind: 'instrument', Uic: 1, delete: true }],
    /^f:1 instrument 1: Instrument 1 as Stock still has 3 positions or events, such as event DIV-1\. Delete/,
  ],
  [
    'contracts of another type',
    [optionRoot(7, [71, 72], { AssetType: 'StockIndexOption' })],
    /^f:1 optionRoot 7, field AssetType: Instrument 71 as StockOption still has 1 positions or events, such as the pos/,
  ],
  [
    'a removed contract that is held again',
    [optionRoot(7, [72]), position(ada, 71, 3, { AssetType: 'StockOption', From: '2026-02-01' })],
    /^f:2 position .{24} 71 StockOption 2026-02-01, field Uic: There is no instrument 71 of type StockOption\. Import it/,
  ],
  ['a deleted account', [{ ...account(ada, '1-1'), delete: true }, position(ada, 2, 1)], /^f:2 .* is not an account/],
  ['a rejected account, once', [{ ...account(unknown, 'x'), Currency: 1 }, position(unknown, 1, 1)], /^f:1 account/],
]

function elected(OptionId: string) {
  return { Holdings: [{ AccountKey: ada, Options: [{ OptionId, ElectedAmount: 1 }] }] }
}

for (const [name, records, ...errors] of rejected)
  test(`rejects with line, field and reason: ${name}`, async () => {
    const before = await exportText(connection, ['position', 'event'])
    const said = (await importTexts(connection, { f: lines(...records) })).errors
    assert.equal(said.length, errors.length, said.join('\n'))
    for (const [index, error] of errors.entries()) assert.match(said[index] ?? '', error)
    assert.equal(await exportText(connection, ['position', 'event']), before)
  })

test('imports generated records within a transaction, and rejects invalid ones', async () => {
  const own = event('OWN', 1, { Holdings: [{ AccountKey: ada }] })
  const held = position(ada, 2, 4)
  const importOwn = (...records: ({ kind: string } & Record<string, unknown>)[]) =>
    db.transaction().execute((trx) => importGenerated(trx, records))
  const counts = await importOwn(held, own)
  assert.deepEqual(
    counts.filter(({ added }) => added > 0).map(({ kind, added }) => [kind, added]),
    [
      ['position', 1],
      ['event', 1],
    ],
  )
  assert.ok((await exportText(connection, ['event'])).includes('"OWN"'))
  await assert.rejects(importOwn({ ...own, Uic: 99 }), /Record 1 \(event OWN\), field Uic: There is no instrument 99/)
  await assert.rejects(importOwn(own, own), /Record 2 \(event OWN\), field : Is a duplicate/)
  await assert.rejects(importOwn({ ...own, EventState: 'Over' }), /Record 1 \(event\), field \/EventState/)
  await assert.rejects(importOwn({ ...held, AccountKey: randomEntityKey() }), /is not an account/)
})
