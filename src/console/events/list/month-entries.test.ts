import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../events/api/schema.ts'
import { entriesIn, weeksOf } from './month-entries.ts'

const monthOf = (text: string) => Temporal.PlainYearMonth.from(text)

test('a month consists of whole weeks from Monday to Sunday', () => {
  for (const [month, weeks, first, last] of [
    ['2026-11', 6, 6, 0],
    ['2027-02', 4, 0, 6],
    ['2028-02', 5, 1, 1],
  ] as const) {
    const all = weeksOf(monthOf(month))
    assert.equal(all.length, weeks)
    assert.ok(all.every((week) => week.length === 7))
    assert.equal(
      all[0]?.findIndex((date) => date !== undefined),
      first,
    )
    assert.equal(
      all.at(-1)?.findLastIndex((date) => date !== undefined),
      last,
    )
    assert.equal(all.flat().filter((date) => date).length, monthOf(month).daysInMonth)
  }
})

test('an event has one entry per day and kind, deadlines first, without dates that are not set', () => {
  const option = (deadline: string, payment: string, more: object = {}) => ({
    OptionId: '1',
    Deadline: { Date: deadline },
    Payment: { Date: payment },
    ...more,
  })
  const event = {
    EventId: 'E1',
    Ex: { Date: '2026-11-18T00:00:00Z' },
    Options: [
      option('2026-11-18T08:30:00Z', '2026-11-30T00:00:00Z'),
      option('2026-11-18T12:00:00Z', '2026-12-01'),
      option('2026-11-20T12:00:00Z', '2026-11-21', { OptionStatus: 'Cancelled' }),
      option('9999-12-31T00:00:00Z', '9999-12-31'),
    ],
  } as unknown as Event
  const entries = entriesIn(monthOf('2026-11'), [event, { ...event }])
  assert.deepEqual(
    [...entries].map(([day, on]) => [day, on.map(({ kind }) => kind)]),
    [
      ['2026-11-18', ['due', 'ex']],
      ['2026-11-30', ['pay']],
    ],
  )
})
