import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { dayOrTime } from '../../core/validation/formats.ts'
import type { Shape } from '../../core/validation/shape.ts'
import { type CanonicalEvent, canonicalEvent, isElectable, recordText, shapeOf } from './canonical.ts'
import { EventRecord } from './schema.ts'

const event: EventRecord = {
  Uic: 1,
  EventId: 'E',
  EventState: 'Confirmed',
  AssetType: 'Stock',
  EventType: { Code: 'DVCA' },
  CorporateActionType: 'Mandatory',
}

const imported = '2026-11-15T12:00:00.000001Z'

/** The exported record; without a time of its own it has that of the import. */
const exported = ({ document, aside, updatedDateTime, holdings }: CanonicalEvent): EventRecord => {
  const kept = { document: JSON.stringify(document), aside: aside && JSON.stringify(aside) }
  const updatedAt = Temporal.Instant.from(updatedDateTime ?? imported)
  return JSON.parse(recordText({ ...kept, updatedAt, holdings: holdings.length > 0 ? holdings : null }))
}

test('orders fields by the schema and adds names of codes and Electable', () => {
  const { document, aside, updatedDateTime, holdings } = canonicalEvent(event)
  const members = ['EventId', 'Uic', 'AssetType', 'CorporateActionType', 'EventType', 'EventState', 'Electable']
  assert.deepEqual(Object.keys(document), members)
  assert.equal(document.EventType.Name, 'Cash Dividend')
  assert.equal(document.Electable, 'NotElectable')
  assert.deepEqual([aside, updatedDateTime, holdings], [null, null, []])
})

test('an event with a choice is electable unless it says otherwise', () => {
  const Options = [{ OptionId: '1' }, { OptionId: '2' }]
  assert.ok(isElectable({ Options }))
  assert.ok(!isElectable({ Options: Options.slice(1) }))
  assert.ok(!isElectable({ Options, Electable: 'NotElectable' }))
  assert.ok(isElectable({ Electable: 'Electable' }))
})

test('keeps given names, and names indicators and payouts', () => {
  const Options: EventRecord['Options'] = [
    {
      OptionId: '1',
      OptionType: { Code: 'CASH', Name: 'Money' },
      PayoutBreakdown: [{ Amount: 1, Component: { Code: 'GRSS' } }],
      OptionIndicators: [{ Indicator: 'Dividend', Values: [{ Code: 'INTE' }, { Code: 'ZZZZ' }] }],
    },
    { OptionId: '2' },
  ]
  const [first, second] = canonicalEvent({ ...event, Options }).document.Options ?? []
  assert.equal(first?.OptionType?.Name, 'Money')
  assert.ok(first?.OptionType?.Description)
  const [known, unknown] = first?.OptionIndicators?.[0]?.Values ?? []
  assert.ok(known?.Name)
  assert.deepEqual(unknown, { Code: 'ZZZZ' })
  assert.deepEqual(second, { OptionId: '2' })
})

test('writes instants in UTC with six digits, days unchanged, and omits empty lists', () => {
  const Deadline = { Date: '2026-11-20T18:00:00.25+02:00' }
  const MarketDeadline = { Date: '2026-11-21' }
  const Options = [{ OptionId: '1', Deadline, MarketDeadline }]
  const { document } = canonicalEvent({ ...event, Ex: { Date: '2026-11-20' }, EventIndicators: [], Options })
  assert.deepEqual(document.Options?.[0]?.MarketDeadline, MarketDeadline)
  assert.equal(document.Options?.[0]?.Deadline?.Date, '2026-11-20T16:00:00.250000Z')
  assert.deepEqual(document.Ex, { Date: '2026-11-20' })
  assert.ok(!('EventIndicators' in document))
  const required = [{ Indicator: 'Offer' as const, Values: [] }]
  assert.deepEqual(canonicalEvent({ ...event, EventIndicators: required }).document.EventIndicators, required)
})

test('stores fields that are not returned in this form separately, and elections by account', () => {
  const Source = { Unmapped: [{ Value: 'v', Path: 'p' }], Reference: 'r', Format: 'mt564' } as const
  const fields = { EventStatus: 'Past', DisplayAndFormat: { Symbol: 'S' } } as const
  const holding = { AccountKey: 'A', Options: [], CashReserved: { Currency: 'EUR', Value: 1 } }
  const kept = canonicalEvent({ ...event, ...fields, Source: { ...Source, Unmapped: [] }, Holdings: [holding] })
  assert.deepEqual(kept.aside, { ...fields, Source: { Format: 'mt564', Reference: 'r' } })
  assert.deepEqual(kept.holdings, [['A', { CashReserved: { Currency: 'EUR', Value: 1 } }]])
  assert.deepEqual(canonicalEvent({ ...event, Source: { ...Source, Unmapped: [...Source.Unmapped] } }).aside, {
    Source,
  })
})

const instant = fc
  .tuple(fc.integer({ min: 0, max: 4_000_000_000_000 }), fc.constantFrom('UTC', '+05:30'), fc.nat({ max: 6 }))
  .map(([ms, timeZone, digits]) => {
    const text = Temporal.Instant.fromEpochMilliseconds(ms).toString({
      timeZone,
      fractionalSecondDigits: digits as 0,
    })
    return text.replace('+00:00', 'Z')
  })
const day = instant.map((text) => text.slice(0, 10))

/** Any value of a schema, with lists of up to two items. */
function anyOf(shape: Shape): fc.Arbitrary<unknown> {
  const { enum: members, format, pattern, items, properties, required = [] } = shape
  if (members) return fc.constantFrom(...members)
  if (format === dayOrTime) return fc.oneof(day, instant)
  if (format) return format === 'date' ? day : instant
  if (items) return fc.array(anyOf(items), { maxLength: 2 })
  if (properties) {
    const entries = Object.entries(properties).map(([name, member]) => [name, anyOf(member)])
    return fc.record(Object.fromEntries(entries), { requiredKeys: [...required] as never[], noNullPrototype: true })
  }
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  if (shape.type === 'string') return fc.string({ minLength: shape.minLength ?? 0, maxLength: 6, unit: 'binary' })
  if (shape.type === 'boolean') return fc.boolean()
  const range = { min: shape.minimum ?? 0, max: shape.maximum ?? 9 }
  return shape.type === 'integer' ? fc.integer(range) : fc.double({ ...range, noNaN: true }).map((value) => value + 0)
}

test('exports the time of the last change with the record', () => {
  assert.equal(exported(canonicalEvent(event)).UpdatedDateTime, imported)
  const kept = canonicalEvent({ ...event, UpdatedDateTime: '2026-11-20T18:00:00+02:00' })
  assert.equal(kept.updatedDateTime, '2026-11-20T16:00:00.000000Z')
  assert.equal(exported(kept).UpdatedDateTime, kept.updatedDateTime)
  assert.deepEqual(kept.aside, null)
})

test('the canonical form of any record is stable', () => {
  const complete = Compile(EventRecord)
  const check = fc.property(anyOf(shapeOf(EventRecord)), (record) => {
    assert.ok(complete.Check(record), JSON.stringify([...complete.Errors(record)].slice(0, 3)))
    const kept = canonicalEvent(record)
    const read = exported(kept)
    assert.ok(complete.Check(read))
    const expected = { ...kept, updatedDateTime: kept.updatedDateTime ?? imported }
    assert.equal(JSON.stringify(canonicalEvent(read)), JSON.stringify(expected))
  })
  fc.assert(check, { numRuns: 60 })
})
