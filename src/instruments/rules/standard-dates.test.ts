import assert from 'node:assert/strict'
import { test } from 'node:test'
import { epochDay } from '../../core/time/days.ts'
import { forwardTenors, optionExpiries } from './standard-dates.ts'
import { pairCalendar } from './value-dates.ts'

/** The first day of 1970 was a Thursday. */
const isWeekday = (day: number) => (day + 3) % 7 < 5
const euroDollar = pairCalendar(['EUR', 'USD'], 2, isWeekday, (_, day) => isWeekday(day))
const monday = epochDay('2026-11-16')
const named = (rows: readonly { Date: string; Unit: string; Value: number }[]) =>
  rows.map(({ Date: date, Unit, Value }) => `${Value} ${Unit} ${date}`)

test('forwards settle a tenor after the spot date', () => {
  assert.deepEqual(named(forwardTenors(euroDollar, monday)), [
    '1 Weeks 2026-11-25',
    '2 Weeks 2026-12-02',
    '3 Weeks 2026-12-09',
    '1 Months 2026-12-18',
    '2 Months 2027-01-18',
    '3 Months 2027-02-18',
    '6 Months 2027-05-18',
    '9 Months 2027-08-18',
    '1 Years 2027-11-18',
  ])
})

test('options expire a day or weeks after the trade, or so that they are delivered a tenor after the spot date', () => {
  assert.deepEqual(named(optionExpiries(euroDollar, monday)), [
    '1 Days 2026-11-17',
    '1 Weeks 2026-11-23',
    '2 Weeks 2026-11-30',
    '3 Weeks 2026-12-07',
    '1 Months 2026-12-16',
    '2 Months 2027-01-14',
    '3 Months 2027-02-16',
    '6 Months 2027-05-14',
    '9 Months 2027-08-16',
    '1 Years 2027-11-16',
  ])
})
