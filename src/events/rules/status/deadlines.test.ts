import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../api/schema.ts'
import * as deadlines from './deadlines.ts'

const now = Temporal.Instant.from('2026-11-15T12:00:00Z')
const early = '2026-11-20T12:00:00Z'
const late = '2026-12-02'
type Option = deadlines.EventOption

const event = (options: readonly Partial<Option>[] | undefined, more: Partial<Event> = {}): Event =>
  ({
    EventState: 'Confirmed',
    Electable: 'Electable',
    ...(options && { Options: options.map((option, index) => ({ OptionId: String(index + 1), ...option })) }),
    ...more,
  }) as Event

test('says how long a deadline is ahead without counting calendar days, so that every time zone reads the same', () => {
  for (const [at, expected] of [
    ['2026-11-15T11:59:00Z', 'over'],
    ['2026-11-15T12:00:30Z', 'now'],
    ['2026-11-15T12:01:00Z', 'in 1 minute'],
    ['2026-11-15T13:58:00Z', 'in 2 hours'],
    ['2026-11-16T12:00:00Z', 'in 24 hours'],
    ['2026-11-18T11:59:00Z', 'in 3 days'],
    // A day is open until it is over, in UTC.
    ['2026-11-15', 'in 12 hours'],
    ['2026-11-16T00:00:00Z', 'in 36 hours'],
    ['2026-11-17', 'in 2 days'],
    ['2026-12-02', 'in 17 days'],
    ['2026-12-31T12:00:00Z', 'in 46 days'],
  ] as const)
    assert.equal(deadlines.timeLeft(at, now), expected, at)
})

test('an option can be elected from the start of its period until its deadline, or the end of the period', () => {
  const period = (start: string | undefined, end?: string): Partial<Option> => ({
    ElectionPeriod: { ...(start && { Start: { Date: start } }), ...(end && { End: { Date: end } }) },
  })
  const isOpen = (option: Partial<Option>) => deadlines.isElectableNow({ OptionId: '1', ...option }, now)
  assert.ok(isOpen({}))
  assert.ok(isOpen({ Deadline: { Date: early } }))
  assert.ok(isOpen({ Deadline: { Date: '9999-12-31' } }))
  assert.ok(isOpen(period('2026-11-15', '2026-11-15')))
  assert.ok(!isOpen(period(undefined, '2026-11-14')))
  assert.ok(!isOpen(period('2026-11-16')))
  assert.ok(!isOpen({ OptionStatus: 'Inactive' }))
  assert.ok(!isOpen({ Deadline: { Date: '2026-11-15T11:00:00Z' } }))

  const starts = event([period('2026-12-01'), period('2026-11-20'), period('2026-11-01'), period('9999-12-31'), {}])
  assert.equal(deadlines.electionStartOf(starts, now), '2026-11-20')
  assert.equal(deadlines.electionStartOf(event(undefined), now), undefined)
})

test('the last deadline closes an election that has a default', () => {
  const two = [{ Deadline: { Date: late }, IsDefault: true }, { Deadline: { Date: early } }]
  const after = Temporal.Instant.from('2026-12-03T00:00:00Z')
  assert.equal(deadlines.lastDeadlineOf(event(two)), late)
  assert.equal(deadlines.lastDeadlineOf(event(undefined)), undefined)
  assert.deepEqual(deadlines.deadlinesOf(event(two)), [early, late])
  assert.deepEqual(deadlines.deadlinesOf(event(undefined)), [])
  assert.equal(deadlines.deadlineOf(event(two), now), early)
  assert.equal(deadlines.deadlineOf(event(two), after), late)
  assert.equal(deadlines.deadlineOf(event([{}]), now), undefined)

  assert.ok(deadlines.isApplied(event(two), after))
  assert.ok(!deadlines.isApplied(event(two), now))
  assert.ok(!deadlines.isApplied(event(two.slice(1)), after), 'no default')
  assert.ok(!deadlines.isApplied(event(two, { EventState: 'Withdrawn' }), after))
  assert.ok(!deadlines.isApplied(event(undefined), after))
  assert.equal(deadlines.defaultOption(event(undefined)), undefined)
  assert.equal(deadlines.defaultOption(event([{ IsDefault: true, OptionStatus: 'Cancelled' }])), undefined)

  assert.ok(deadlines.canBeElected(event(two), now))
  assert.ok(!deadlines.canBeElected(event(two), after))
  assert.ok(!deadlines.canBeElected(event(undefined), now))
  assert.ok(!deadlines.canBeElected(event(two, { Electable: 'NotElectable' }), now))
  assert.ok(!deadlines.canBeElected(event(two, { EventState: 'Complete' }), now))
  assert.ok(!deadlines.canBeElected(event(two, { EventState: 'Cancelled' }), now))
})

test('payments are days, each once, without those that are not set', () => {
  const paid = [late, late, '2026-11-01T00:00:00Z', '9999-12-31'].map((on) => ({ Payment: { Date: on } }))
  assert.deepEqual(deadlines.paymentsOf(event([...paid, {}])), ['2026-11-01', late])
  assert.deepEqual(deadlines.paymentsOf(event(undefined)), [])
})

test('the date that sorts an event is the first it has of five', () => {
  const days = [
    ['announced', { AnnouncedDate: '2026-11-05' }],
    ['payment', { Options: ['04', '03'].map((on) => ({ OptionId: on, Payment: { Date: `2026-11-${on}` } })) }],
    ['record', { Record: { Date: '2026-11-02' } }],
    ['effective', { Effective: { Date: '2026-11-02' } }],
    ['ex', { Ex: { Date: '2026-11-01' } }],
  ] as const
  let known = {}
  for (const [word, more] of days) {
    known = { ...known, ...more }
    assert.equal(deadlines.keyDateOf(known as Event)?.word, word)
  }
  assert.equal(deadlines.keyDateOf({ ...known, Ex: {}, Effective: {}, Record: {} } as Event)?.on, '2026-11-03')
  assert.equal(deadlines.keyDateOf({ Options: [{ OptionId: '1' }] } as Event), undefined)
  assert.equal(deadlines.keyDateOf({} as Event), undefined)
})
