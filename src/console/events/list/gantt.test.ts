import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../events/api/schema.ts'
import { ganttRows, mondaysIn, positionOf } from './gantt.ts'

const window = { from: Temporal.PlainDate.from('2026-11-01'), days: 50 }
const event = (EventId: string, more: Partial<Event>): Event => ({ EventId, ...more }) as Event
const dates = {
  AnnouncedDate: '2026-09-01',
  Ex: { Date: '2026-11-11' },
  Record: { Date: '2026-11-11T00:00:00Z' },
  Options: [{ OptionId: '1', Deadline: { Date: '2026-11-26T12:00:00Z' }, Payment: { Date: '2027-01-20' } }],
}

test('dates are to scale, and those of one day do not cover each other', () => {
  const [row] = ganttRows([event('a', dates)], window)
  assert.deepEqual(
    row?.marks.map(({ kind, x, lane }) => [kind, x, lane]),
    [
      ['ex', 20, 0],
      ['record', 20, 1],
      ['due', 51, 0],
    ],
  )
  assert.deepEqual(row?.bar, { from: 0, to: 100 }, 'it began before and ends after these days')
  assert.deepEqual(
    row?.dates.map(({ kind }) => kind),
    ['announced', 'ex', 'record', 'due', 'pay'],
  )
})

test('events without a date in these days have no row; the others are in order of their first', () => {
  const events = [
    event('late', { Ex: { Date: '2026-12-01' } }),
    event('early', { Ex: { Date: '2026-11-02' } }),
    event('before', { AnnouncedDate: '2026-10-01' }),
    event('unset', { Ex: { Date: '9999-12-31' } }),
    event('none', {}),
  ]
  assert.deepEqual(
    ganttRows(events, window).map((row) => row.event.EventId),
    ['early', 'late'],
  )
})

test('the axis names Mondays', () => {
  const mondays = mondaysIn(window)
  assert.deepEqual(mondays.map(({ date }) => date.toString()).slice(0, 2), ['2026-11-02', '2026-11-09'])
  assert.ok(mondays.every(({ date, x }) => date.dayOfWeek === 1 && x >= 0 && x < 100))
  assert.equal(positionOf(Temporal.Instant.from('2026-11-26T00:00:00Z').epochMilliseconds, window), 50)
})
