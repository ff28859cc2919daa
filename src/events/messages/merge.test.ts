import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maxMessages, NotificationCollector } from '../import/notification-collector.ts'
import type { EventOptionRecord, EventRecord, EventSource } from '../import/schema.ts'
import { mergeNotifications, type Notification } from './merge.ts'

const source = (...values: string[]): EventSource => ({
  Format: 'mt564',
  Reference: 'R',
  ...(values.length > 0 && { Unmapped: values.map((Value) => ({ Path: 'P', Value })) }),
})
const record = (more: Partial<EventRecord> = {}): EventRecord => ({
  EventId: 'R-1',
  Uic: 1,
  AssetType: 'Stock',
  CorporateActionType: 'Mandatory',
  EventType: { Code: 'DVCA' },
  EventState: 'Confirmed',
  Source: source(),
  ...more,
})
const notify = (more: Partial<EventRecord>, cancels = false, line = 1): Notification => ({
  record: record({ ...(cancels && { EventState: 'Cancelled' }), ...more }),
  cancels,
  line,
})
const day = (number: number): string => `2026-10-${String(number).padStart(2, '0')}T08:00:00Z`
const at = (number: number, more: Partial<EventRecord> = {}) => ({ UpdatedDateTime: day(number), ...more })
const merged = (existing: EventRecord | undefined, ...all: Notification[]) =>
  mergeNotifications(existing, all).latest?.record
const cancelled = (before: Partial<EventRecord>, after: Partial<EventRecord>) =>
  merged(undefined, notify(at(1, before)), notify(at(2, after), true))
const option = (more: Partial<EventOptionRecord>): Partial<EventRecord> => ({ Options: [{ OptionId: '001', ...more }] })
const optionOf = (before: Partial<EventOptionRecord>, after: Partial<EventOptionRecord>) =>
  cancelled(option(before), option(after))?.Options?.[0]

test('applies messages in order of preparation, at equal times in the order read', () => {
  const some = [notify(at(3, { Narrative: 'c' }), false, 5), notify(at(2)), notify(at(3, { Narrative: 'd' }), false, 7)]
  const { latest, older } = mergeNotifications(undefined, some)
  assert.deepEqual([latest?.record.Narrative, latest?.line, older], ['d', 7, 0])
  const written = notify({ UpdatedDateTime: '2026-10-03T10:00:00.5+02:00', Narrative: 'e' })
  assert.equal(merged(undefined, written, ...some)?.Narrative, 'e')
})

test('an event is made from the last message, or from a cancellation and the message before it', () => {
  const [whole, next, off] = [notify(at(1), false, 1), notify(at(2), false, 2), notify(at(3), true, 3)]
  const linesFrom = (existing: EventRecord | undefined, ...all: Notification[]) =>
    mergeNotifications(existing, all).from.map(({ line }) => line)
  assert.deepEqual(linesFrom(undefined, next, whole), [2])
  assert.deepEqual(linesFrom(undefined, off, whole, next), [2, 3])
  assert.deepEqual(linesFrom(record(at(2)), off, whole), [3])
  assert.deepEqual(linesFrom(record(at(4)), off, whole), [])
})

test('skips messages older than the one the event came from, but not those of the same time', () => {
  const { latest, older } = mergeNotifications(record(at(3)), [notify(at(1)), notify(at(2), true)])
  assert.deepEqual([latest, older], [undefined, 2])
  assert.equal(merged(record(at(3)), notify(at(3, { Narrative: 'again' })))?.Narrative, 'again')
  assert.equal(mergeNotifications(record(at(3)), [notify(at(4)), notify(at(2))]).older, 1)
})

test('any message replaces a record that came from no message', () => {
  const { Source, ...given } = record(at(3, { Narrative: 'given' }))
  assert.deepEqual(merged(given, notify(at(1))), record(at(1)))
  const { Narrative, EventState } = merged(given, notify(at(1), true)) ?? {}
  assert.deepEqual([Narrative, EventState], ['given', 'Cancelled'])
})

test('a message without a time is the latest', () => {
  assert.equal(merged(record(at(3)), notify({ Narrative: 'x' }), notify(at(9)))?.Narrative, 'x')
  assert.equal(merged(record(), notify({ Narrative: 'y' }), notify({ Narrative: 'z' }))?.Narrative, 'z')
  assert.equal(merged(record(at(3)), notify({}, true))?.UpdatedDateTime, undefined)
  assert.equal(merged(record(), notify(at(1, { Narrative: 'x' })))?.Narrative, 'x')
})

test('a cancellation replaces the fields it has and keeps the others; it may also be the only message', () => {
  const before = { Ex: { Date: '2026-11-02' }, Record: { Date: '2026-11-03' }, EventStatus: 'Upcoming' as const }
  assert.deepEqual(
    cancelled(before, { Record: { Status: 'Unknown' } }),
    record(at(2, { ...before, EventState: 'Cancelled', Record: { Status: 'Unknown' } })),
  )
  assert.deepEqual(merged(undefined, notify({}, true)), record({ EventState: 'Cancelled' }))
})

test('keeps the name of a code while the code is unchanged', () => {
  const EventType = { Code: 'DVCA' as const, Name: 'Ours' }
  assert.deepEqual(cancelled({ EventType }, {})?.EventType, EventType)
  assert.deepEqual(cancelled({ EventType }, { EventType: { Code: 'TEND' } })?.EventType, { Code: 'TEND' })
})

test('puts the narrative of a cancellation before the earlier one, once', () => {
  assert.equal(cancelled({ Narrative: 'Terms.' }, { Narrative: 'Off.' })?.Narrative, 'Off.\n\nTerms.')
  assert.equal(cancelled({ Narrative: 'Off.\n\nTerms.' }, { Narrative: 'Off.' })?.Narrative, 'Off.\n\nTerms.')
  const { Narrative: cut = '' } = cancelled({ Narrative: 'x'.repeat(99_999) }, { Narrative: 'Off.' }) ?? {}
  assert.equal(cut.length, 100_000)
  assert.match(cut, /^Off\.\n\nx+\n\n\[Truncated: a narrative cannot be longer\.\]$/)
  assert.equal(cancelled({ Narrative: 'x'.repeat(99_994) }, { Narrative: 'Off.' })?.Narrative?.at(-1), 'x')
})

test('merges options, indicators and movements with their counterparts', () => {
  const Options = [{ OptionId: '001', GrossRate: 1, NetRate: 2 }, { OptionId: '002' }]
  assert.deepEqual(
    cancelled({ Options }, { Options: [{ OptionId: '003' }, { OptionId: '001', NetRate: 3 }] })?.Options,
    [{ OptionId: '001', GrossRate: 1, NetRate: 3 }, { OptionId: '002' }, { OptionId: '003' }],
  )
  const indicator = (...codes: string[]) => ({
    Indicator: 'Dividend' as const,
    Values: codes.map((Code) => ({ Code })),
  })
  assert.deepEqual(
    cancelled({ EventIndicators: [indicator('FINL', 'REGR')] }, { EventIndicators: [indicator('INTE', 'FINL')] })
      ?.EventIndicators,
    [indicator('FINL', 'REGR', 'INTE')],
  )
  const credit = { CashMovementType: 'Credit' as const }
  const [eur, usd] = [
    { ...credit, Currency: 'EUR', GrossDividend: 1 },
    { ...credit, Currency: 'USD', GrossDividend: 2 },
  ]
  const debit = { CashMovementType: 'Debit' as const }
  assert.deepEqual(optionOf({ CashMovements: [eur] }, { CashMovements: [usd, credit, debit] })?.CashMovements, [
    eur,
    usd,
    debit,
  ])
  const payout = (Code: string, Amount: number) => ({ Component: { Code }, Amount, Currency: 'EUR' })
  assert.deepEqual(
    optionOf({ PayoutBreakdown: [payout('A', 1), payout('B', 2)] }, { PayoutBreakdown: [payout('B', 3)] })
      ?.PayoutBreakdown,
    [payout('A', 1), payout('B', 3)],
  )
  const pounds = { ...payout('A', 4), Currency: 'GBP' }
  assert.deepEqual(optionOf({ PayoutBreakdown: [payout('A', 1)] }, { PayoutBreakdown: [pounds] })?.PayoutBreakdown, [
    payout('A', 1),
    pounds,
  ])
})

test('distinguishes securities by ISIN', () => {
  const security = (names?: EventRecord['DisplayAndFormat']) => ({
    SecurityMovementType: 'Credit' as const,
    ...(names && { DisplayAndFormat: names }),
  })
  const known = { ...security({ IsinCode: 'A', Description: 'Name' }), Uic: 7 }
  assert.deepEqual(
    optionOf(
      { SecurityMovements: [known] },
      { SecurityMovements: [security({ IsinCode: 'B' }), security({ IsinCode: 'A' })] },
    )?.SecurityMovements,
    [known, security({ IsinCode: 'B' })],
  )
  assert.equal(
    optionOf({ SecurityMovements: [known] }, { SecurityMovements: [security()] })?.SecurityMovements?.length,
    2,
  )
})

test('the source is that of the cancellation, with earlier unmapped values up to the limit', () => {
  const values = (before: EventSource | undefined, after: EventSource | undefined) => {
    const { Source: _, ...bare } = record(at(1))
    const [first, { Source, ...last }] = [before ? { ...bare, Source: before } : bare, record(at(2))]
    const cancel: Notification = { record: after ? { ...last, Source: after } : last, cancels: true, line: 1 }
    return merged(first, cancel)?.Source?.Unmapped?.map(({ Value }) => Value)
  }
  assert.deepEqual(values(source('a', 'b'), source('c', 'a')), ['c', 'a', 'b'])
  assert.deepEqual(values(source('a'), source()), ['a'])
  assert.equal(values(source(), source()), undefined)
  assert.equal(values(undefined, undefined), undefined)
  assert.deepEqual(values(undefined, source('c')), ['c'])
  const many = Array.from({ length: 10_000 }, (_, index) => `${index}`)
  assert.deepEqual(values(source(...many), source('c'))?.slice(0, 2), ['c', '0'])
  assert.equal(values(source(...many), source('c'))?.length, 10_000)
})

test('the order of reading does not matter, and reading again changes nothing', () => {
  const after = fc.record(
    {
      Narrative: fc.constantFrom('a', 'b', 'c'),
      Record: fc.constantFrom({ Date: '2026-11-03' }, { Status: 'Unknown' as const }),
      Source: fc.subarray(['u', 'v', 'w']).map((values) => source(...values)),
      Options: fc.subarray(
        [
          { OptionId: '1', GrossRate: 1 },
          { OptionId: '2', NetRate: 2 },
          { OptionId: '1', CashRequired: true },
        ],
        { maxLength: 1 },
      ),
    },
    { requiredKeys: [] },
  )
  const messages = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 28 }), after, fc.boolean()), {
    selector: ([time]) => time,
    minLength: 1,
    maxLength: 6,
  })
  const existing = fc.option(
    fc.integer({ min: 1, max: 28 }).map((time) => record(at(time))),
    { nil: undefined },
  )
  fc.assert(
    fc.property(messages, fc.infiniteStream(fc.nat()), existing, (some, places, before) => {
      const all = some.map(([time, more, cancels]) => notify(at(time, more), cancels))
      const shuffled = all
        .map((one) => ({ one, place: places.next().value as number }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ one }) => one)
      const result = mergeNotifications(before, all)
      assert.deepEqual(mergeNotifications(before, shuffled), result)
      if (!result.latest) assert.equal(result.older, all.length)
      else assert.deepEqual(merged(result.latest.record, ...all), result.latest.record)
    }),
    { numRuns: 300 },
  )
})

test('limits the messages of a run', () => {
  const message = {
    format: 'mt564',
    number: 1,
    line: 1,
    reference: 'R',
    identifiers: ['ISIN I'],
    cancels: false,
  } as const
  const { EventId, Uic, AssetType, Source, Holdings, ...event } = record()
  const events = new NotificationCollector(() => {})
  const add = () => events.add({ ...message, event, unmapped: [], values: 0 }, [], 1)
  for (let count = 0; count < maxMessages; count++) add()
  assert.equal(events.isFull, false)
  add()
  assert.equal(events.isFull, true)
})
