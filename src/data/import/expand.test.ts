import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOrTime } from '../../core/validation/formats.ts'
import type { Shape } from '../../core/validation/shape.ts'
import type { Item } from '../sources/records.ts'
import { Expander } from './expand.ts'
import { expandItem, expandItems } from './expand-items.ts'

const day: Shape = { type: 'string', format: 'date' }
const time: Shape = { type: 'string', format: 'date-time' }
const schemas = new Map<string, Shape>([
  [
    'event',
    {
      properties: {
        Ex: { properties: { Date: day } },
        Options: { items: { properties: { Deadline: time, Last: { type: 'string', format: dayOrTime } } } },
        Narrative: { type: 'string' },
      },
    },
  ],
  ['position', { properties: { From: day } }],
  ['exchange', { properties: { Holidays: { items: { properties: { Date: day } } } } }],
])
const today = Temporal.PlainDate.from('2026-11-16')
const expander = () => new Expander({ schemas, today, closedDays: new Map([['NYSE', new Set<number>()]]) })

test('resolves relative days where the schema has a day or a time, and nowhere else', () => {
  const record = {
    kind: 'event',
    Ex: { Date: '@+2' },
    Options: [{ Deadline: '@+1bT12:00Z', Last: '@+3' }, { Deadline: '2026-12-01T12:00:00Z' }],
    Narrative: '@+2',
    Unknown: { Date: '@+2' },
    Record: null,
  }
  assert.deepEqual(expander().expand(record), {
    ...record,
    Ex: { Date: '2026-11-18' },
    Options: [{ Deadline: '2026-11-17T12:00:00Z', Last: '2026-11-19' }, { Deadline: '2026-12-01T12:00:00Z' }],
  })
})

test('leaves records of unknown kinds and malformed values to the check that follows', () => {
  for (const record of [{ kind: 'x', From: '@+1' }, { From: '@+1' }, { kind: 'event', Ex: '@+1', Options: ['@+1'] }])
    assert.deepEqual(expander().expand({ ...record }), record)
})

test('names that cannot be converted to text are malformed, not a crash', () => {
  const hostile = { toString: 1 }
  assert.deepEqual(expander().expand({ kind: hostile, From: '@+1' }), { kind: hostile, From: '@+1' })
  assert.throws(() => expander().expand({ kind: 'event', Terms: [hostile] }), { field: 'Terms' })
  const exchange = { kind: 'exchange', ExchangeId: 'X', CalendarId: hostile }
  assert.deepEqual(expander().expand(exchange), exchange)
})

test('names the field of a day that cannot be resolved', () => {
  const record = { kind: 'event', Options: [{}, { Deadline: '@XETRA+1bT12:00Z' }] }
  assert.throws(() => expander().expand(record), {
    field: 'Options[1].Deadline',
    message: /There is no exchange XETRA/,
  })
})

test('counts the trading days of exchanges that were read before', () => {
  const given = expander()
  given.expand({ kind: 'exchange', ExchangeId: 'XETRA', Holidays: [{ Date: '@+1' }, { Date: '2026-02-30' }, null] })
  given.expand({ kind: 'exchange', ExchangeId: 'CRYPTO' })
  given.expand({ kind: 'exchange', ExchangeId: 'ODD', Holidays: 'none' })
  given.expand({ kind: 'exchange', Holidays: [] })
  const from = (From: string) => given.expand({ kind: 'position', From })?.From
  assert.deepEqual(['@XETRA+1b', '@NYSE+1b', '@CRYPTO+1b'].map(from), ['2026-11-18', '2026-11-17', '2026-11-17'])
  assert.throws(() => from('@ODD+1b'), { field: 'From' })
})

test('adds the members of terms; those of the record win, then those of the first terms', () => {
  const given = expander()
  assert.equal(given.expand({ kind: 'terms', Name: 'a', LotSize: 1, Format: { Decimals: 2 } }), undefined)
  given.expand({ kind: 'terms', Name: 'b', Terms: ['a'], TickSize: 0.1, CurrencyCode: 'USD' })
  given.expand({ kind: 'terms', Name: 'c', TickSize: 0.2, Rank: 7 })
  assert.deepEqual(given.expand({ kind: 'instrument', Uic: 1, Terms: ['b', 'c'], CurrencyCode: 'EUR' }), {
    kind: 'instrument',
    Uic: 1,
    CurrencyCode: 'EUR',
    LotSize: 1,
    Format: { Decimals: 2 },
    TickSize: 0.1,
    Rank: 7,
  })
})

test('merges the entries of As by asset type', () => {
  const given = expander()
  given.expand({ kind: 'terms', Name: 'a', As: [{ AssetType: 'Stock', IsComplex: false, TickSize: 1 }] })
  given.expand({ kind: 'terms', Name: 'b', As: [{ AssetType: 'CfdOnStock', IsComplex: true }, { AssetType: 'Stock' }] })
  given.expand({ kind: 'terms', Name: 'bad', As: [null] })
  const As = [{ AssetType: 'Stock', TickSize: 2 }]
  assert.deepEqual(given.expand({ Terms: ['a', 'b'], As })?.As, [
    { AssetType: 'Stock', TickSize: 2, IsComplex: false },
    { AssetType: 'CfdOnStock', IsComplex: true },
  ])
  assert.deepEqual(given.expand({ Terms: ['a'] })?.As, [{ AssetType: 'Stock', IsComplex: false, TickSize: 1 }])
  assert.deepEqual(given.expand({ Terms: ['bad'], As })?.As, As)
})

test('rejects terms that are unknown, unnamed, given twice or not a list', () => {
  const given = expander()
  given.expand({ kind: 'terms', Name: 'a' })
  const wrong: [object, RegExp][] = [
    [{ kind: 'instrument', Terms: ['b'] }, /There are no terms b; give them before/],
    [{ kind: 'instrument', Terms: 'a' }, /Must be a list of names/],
    [{ kind: 'terms', Name: 'a' }, /The terms a were given already/],
    [{ kind: 'terms', Name: '' }, /Is required/],
    [{ kind: 'terms' }, /Is required/],
  ]
  for (const [record, message] of wrong)
    assert.throws(() => given.expand(record as Record<string, unknown>), { message }, JSON.stringify(record))
})

test('resolves times relative to the time of loading', () => {
  const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
  const expand = (more: object) =>
    new Expander({ schemas, today, ...more }).expand({ kind: 'event', Options: [{ Deadline: '@now+45min' }] })
  assert.deepEqual(expand({ now })?.Options, [{ Deadline: '2026-11-16T12:45:00Z' }])
  assert.deepEqual(expand({})?.Options, [{ Deadline: '2026-11-16T00:45:00Z' }])
})

test('a line with Repeat stands for many records, in batches of bounded size', async () => {
  async function* batches() {
    yield [
      { line: 1, text: '{"kind":"event","Repeat":{"Count":2500,"From":7},"EventId":"E-{n}","Ex":{"Date":"@+{n}"}}' },
      { line: 2, text: '{"kind":"event","EventId":"{n}"}' },
    ]
  }
  const [items, sizes]: [Item[], number[]] = [[], []]
  for await (const batch of expandItems(batches(), expander())) {
    items.push(...batch)
    sizes.push(batch.length)
  }
  assert.deepEqual(sizes, [1_000, 1_000, 501])
  assert.deepEqual(items[1], { line: 1, value: { kind: 'event', EventId: 'E-8', Ex: { Date: '2026-11-24' } } })
  assert.deepEqual(items.at(-1), { line: 2, text: '{"kind":"event","EventId":"{n}"}' })
})

test('rejects a Repeat without a count in its bounds', () => {
  const long = { kind: 'event', Repeat: { Count: 10_000 }, Name: 'x'.repeat(7_000) }
  const [item] = expandItem({ line: 4, text: JSON.stringify(long) }, expander())
  assert.ok(item && 'error' in item)
  assert.match(item.error, /^Stands for more than 64 MB of records\. /)
  for (const Repeat of [3, null, {}, { Count: 0 }, { Count: 10_001 }, { Count: 1.5 }, { Count: 1, Each: 1 }]) {
    const [item, ...more] = expandItem({ line: 4, text: JSON.stringify({ kind: 'event', Repeat }) }, expander())
    assert.ok(item && 'error' in item, JSON.stringify(Repeat))
    assert.deepEqual([item.line, item.kind, item.field, more.length], [4, 'event', 'Repeat', 0])
  }
})
