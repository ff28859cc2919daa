import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event } from '../../../events/api/schema.ts'
import { type EventView, eventBody, eventTags, eventTitle } from './event-page.ts'

type Schema = Readonly<{
  type?: string
  enum?: readonly string[]
  format?: string
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
}>
type Path = readonly (string | number)[]

const reader = { now: Temporal.Instant.from('2026-11-15T12:00:00Z'), zone: 'Europe/Copenhagen' }

/** A value of the schema with every member; `other` returns a different one. */
function sample(schema: Schema, path: Path, other = false): unknown {
  const name = String(path.at(-1))
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([member, of]) => [member, sample(of, [...path, member], other)]),
    )
  if (schema.items) return [sample(schema.items, [...path, 0], other)]
  if (schema.enum) return schema.enum[other ? 1 : 0]
  if (schema.type === 'boolean') return !other
  if (schema.type !== 'string') return other ? 777_001 : 555_001
  if (schema.format === 'date-time') return `2026-12-${other ? '03' : '02'}T08:30:00Z`
  if (schema.format === 'date') return other ? '2026-11-04' : '2026-11-03'
  if (name === 'Date') return `2026-11-${other ? '19' : '18'}T00:00:00Z`
  return other ? 'another text' : `text of ${name}`
}

function* leaves(schema: Schema, path: Path = []): Generator<[Path, Schema]> {
  if (schema.properties)
    for (const [member, of] of Object.entries(schema.properties)) yield* leaves(of, [...path, member])
  else if (schema.items) yield* leaves(schema.items, [...path, 0])
  else yield [path, schema]
}

/** The event with one member changed. */
function changed(event: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(event)) return event.map((item, index) => (index === step ? changed(item, rest, value) : item))
  const object = event as Record<string, unknown>
  return { ...object, [step]: changed(object[step], rest, value) }
}

const page = (event: unknown): string => {
  const view: EventView = { event: event as Event, filters: new Map(), reader, acceptsElections: false }
  return `${eventTitle(view.event)}${eventTags(view.event, view.reader)}${eventBody(view)}`
}

test('shows every member of an event: changing any of them changes the page', () => {
  const schema = Event as unknown as Schema
  const whole = sample(schema, [])
  const shown = page(whole)
  const hidden = [...leaves(schema)].flatMap(([path, of]) =>
    page(changed(whole, path, sample(of, path, true))) === shown ? [path.join('.')] : [],
  )
  // A holding repeats the id of its event.
  assert.deepEqual(hidden, ['Holdings.0.EventId'])
})

const event = (more: Partial<Event>): Event =>
  ({
    EventId: 'E1',
    Uic: 1,
    AssetType: 'Stock',
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'RHTS', Name: 'Rights Issue' },
    EventState: 'Confirmed',
    EventStatus: 'Active',
    Electable: 'Electable',
    ElectionStatus: 'NotElected',
    UpdatedDateTime: '2026-11-01T00:00:00Z',
    Holdings: [],
    Options: [
      { OptionId: '001', OptionType: { Code: 'EXER', Name: 'Exercise' }, Deadline: { Date: '2026-12-02T08:30:00Z' } },
      { OptionId: '002', OptionType: { Code: 'LAPS', Name: 'Lapse' }, IsDefault: true },
    ],
    ...more,
  }) as Event

const textOf = (more: Partial<Event>): string =>
  page(event(more))
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')

test('says what to do by when, and what happens otherwise', () => {
  assert.match(textOf({}), /Decide by 2 Dec/)
  const otherwise = 'Holdings without an election by then get option 2 Lapse, the default.'
  assert.ok(textOf({}).includes(`Elect by 2 Dec 2026, 08:30 UTC (09:30 Copenhagen), in 17 days. ${otherwise}`))
  assert.match(textOf({}), /Submit elections to your bank or broker/)
  assert.match(textOf({ ElectionStatus: 'Elected' }), /No further action is required/)
  assert.match(
    textOf({ EventState: 'Withdrawn' }),
    /The event was withdrawn: nothing will be booked\. No action is required\./,
  )
  assert.match(textOf({ Electable: 'NotElectable' }), /nothing to elect\. No action is required/)
  const past = textOf({ Options: [{ OptionId: '1', Deadline: { Date: '2026-11-02T08:30:00Z' } }] })
  assert.match(past, /The deadline was 2 Nov 2026, 08:30 UTC.* get no option, because none is marked as the default/)
  assert.doesNotMatch(past, /Elect by|bank or broker/)
  const unset = textOf({ Options: [{ OptionId: '1', Deadline: { Date: '9999-12-31T00:00:00Z' } }] })
  assert.match(unset, /No deadline is set yet/)
})

test('a deadline at midnight keeps its time, and an early deadline mentions later ones', () => {
  const option = (OptionId: string, Date: string) => ({ OptionId, Deadline: { Date } })
  const two = textOf({
    Options: [option('1', '2026-11-20T00:00:00.000000Z'), option('2', '2026-11-25T12:00:00.000000Z')],
  })
  assert.match(
    two,
    /Elect by 20 Nov 2026, 00:00 UTC.* Some options stay open longer\. Holdings without any election get/,
  )
  assert.match(two, /response deadline.* 20 Nov 2026, 00:00 UTC/i)
  const period = { OptionId: '2', ElectionPeriod: { End: { Date: '2026-11-25' } } }
  assert.match(
    textOf({ Options: [option('1', '2026-11-20'), period] }),
    /Elect by 20 Nov 2026.* Some options stay open longer\. Holdings without any election get/,
  )
})

test('sums are rounded', () => {
  const holding = { Amount: 0.1, ElectedAmount: 0.1 } as NonNullable<Event['Holdings']>[number]
  const more = { ...holding, Amount: 0.2, ElectedAmount: 0.2 }
  const text = textOf({ ElectionStatus: 'PartialElected', Holdings: [holding, more] })
  assert.match(text, /You have elected for 0\.3 of 0\.3 held/)
})

test('the key dates are listed once each, with what is next and how long it is ahead', () => {
  const event = {
    ...{
      AssetType: 'Stock',
      EventType: { Code: 'DVCA' },
      EventState: 'Confirmed',
      Electable: 'NotElectable',
      UpdatedDateTime: '2026-11-01',
    },
    Ex: { Date: '2026-11-10' },
    Options: [
      { OptionId: '1', Payment: { Date: '2026-11-20' } },
      { OptionId: '2', Payment: { Date: '2026-11-25' } },
    ],
  }
  const [, dates = ''] = /<aside class="card key-dates".*?<ol[^>]*>(.*)<\/ol>/s.exec(page(event)) ?? []
  const items = dates.split('<li').map((item) => item.replaceAll(/^[^>]*>|<[^>]*>/g, ''))
  assert.deepEqual(items.slice(1), ['Ex date 10 Nov 2026', 'Payment 20 Nov 2026 in 5 days'])
  assert.match(dates, /class="past".*class="next"/s)
  assert.doesNotMatch(page({ ...event, Ex: undefined, Options: [] }), /key-dates/)
})
