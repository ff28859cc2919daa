import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event } from '../../../events/api/schema.ts'
import { type Story, storyBody, storyTags, storyTitle } from './event-page.ts'

type Schema = Readonly<{
  type?: string
  enum?: readonly string[]
  format?: string
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
}>
type Path = readonly (string | number)[]

const reader = { now: Temporal.Instant.from('2026-11-15T12:00:00Z'), zone: 'Europe/Copenhagen' }

/** A value of the schema with every member; `other` asks for another value than the first. */
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

/** The event with one member changed, or taken away where there is no other value. */
function changed(event: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(event)) return event.map((item, index) => (index === step ? changed(item, rest, value) : item))
  const object = event as Record<string, unknown>
  return { ...object, [step]: changed(object[step], rest, value) }
}

const page = (event: unknown): string => {
  const story: Story = { event: event as Event, asked: new Map(), reader }
  return `${storyTitle(story.event)}${storyTags(story)}${storyBody(story)}`
}

test('every member of an event has its place in the story: a page changes when any of them does', () => {
  const schema = Event as unknown as Schema
  const whole = sample(schema, [])
  const shown = page(whole)
  const hidden = [...leaves(schema)].flatMap(([path, of]) =>
    page(changed(whole, path, sample(of, path, true))) === shown ? [path.join('.')] : [],
  )
  // A holding repeats the id of the event that it is told with.
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

test('the story says what to do by when, and what happens else', () => {
  assert.match(textOf({}), /Answer by 2 Dec, 08:30 UTC/)
  const otherwise = 'What is not elected by then gets option 2 Lapse, the default.'
  assert.ok(textOf({}).includes(`Choose by 2 Dec 2026, 08:30 UTC (09:30 Copenhagen), in 17 days. ${otherwise}`))
  assert.match(textOf({}), /Elections are given to the bank or broker/)
  assert.match(textOf({ ElectionStatus: 'Elected' }), /there is nothing more to do/)
  assert.match(
    textOf({ EventState: 'Withdrawn' }),
    /It has been withdrawn: nothing will be booked\. There is nothing to do\./,
  )
  assert.match(textOf({ Electable: 'NotElectable' }), /nothing to choose and nothing to do/)
  const past = textOf({ Options: [{ OptionId: '1', Deadline: { Date: '2026-11-02T08:30:00Z' } }] })
  assert.match(past, /The deadline was 2 Nov 2026, 08:30 UTC.* gets no option, as none is marked as the default/)
  assert.doesNotMatch(past, /Answer by|bank or broker/)
  const unset = textOf({ Options: [{ OptionId: '1', Deadline: { Date: '9999-12-31T00:00:00Z' } }] })
  assert.match(unset, /No deadline is set yet/)
})

test('a deadline at midnight keeps its time, and the first of several is not called the last', () => {
  const option = (OptionId: string, Date: string) => ({ OptionId, Deadline: { Date } })
  const two = textOf({
    Options: [option('1', '2026-11-20T00:00:00.000000Z'), option('2', '2026-11-25T12:00:00.000000Z')],
  })
  assert.match(two, /Choose by 20 Nov 2026, 00:00 UTC.* Some options are open for longer\. What is never elected gets/)
  assert.match(two, /your deadline.* 20 Nov 2026, 00:00 UTC/i)
})

test('amounts that are summed are told as figures', () => {
  const holding = { Amount: 0.1, ElectedAmount: 0.1 } as NonNullable<Event['Holdings']>[number]
  const more = { ...holding, Amount: 0.2, ElectedAmount: 0.2 }
  const text = textOf({ ElectionStatus: 'PartialElected', Holdings: [holding, more] })
  assert.match(text, /You have elected for 0\.3 of the 0\.3 that you hold/)
})
