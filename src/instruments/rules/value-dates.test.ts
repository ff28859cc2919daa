import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText, epochDay } from '../../core/time/days.ts'
import { forwardDate, forwardRange, optionExpiry, pairCalendar, spotDate, type Tenor } from './value-dates.ts'

const holidays: Readonly<Record<string, readonly string[]>> = {
  USD: ['2026-11-26', '2026-12-25', '2027-01-01', '2027-01-18'],
  EUR: ['2026-12-25', '2027-01-01', '2027-03-26', '2027-03-29'],
  JPY: ['2026-11-23', '2026-12-31', '2027-01-01'],
  CAD: ['2026-12-25', '2026-12-28', '2027-01-01'],
}
const isWeekday = (day: number) => Temporal.PlainDate.from(dayText(day)).dayOfWeek < 6
const trades = (day: number) => isWeekday(day) && !['2026-12-25', '2027-01-01'].includes(dayText(day))
const settlesOn = (currency: string, day: number) => isWeekday(day) && !holidays[currency]?.includes(dayText(day))

const pairOf = (pair: string, spotDays = 2) =>
  pairCalendar([pair.slice(0, 3), pair.slice(3)], spotDays, trades, settlesOn)
const spot = (pair: string, today: string, spotDays?: number) =>
  dayText(spotDate(pairOf(pair, spotDays), epochDay(today)))
const forward = (pair: string, today: string, tenor: Tenor) =>
  dayText(forwardDate(pairOf(pair), epochDay(today), tenor))
const expiry = (pair: string, today: string, tenor: Tenor) =>
  dayText(optionExpiry(pairOf(pair), epochDay(today), tenor))

test('spot is two settlement days after the trade', () => {
  assert.equal(spot('EURUSD', '2026-11-16'), '2026-11-18')
  assert.equal(spot('EURUSD', '2026-11-19'), '2026-11-23')
})

test('on a day without trading, spot counts from the next trading day', () => {
  assert.equal(spot('EURUSD', '2026-11-14'), '2026-11-18')
  assert.equal(spot('EURUSD', '2026-12-25'), '2026-12-30')
})

test('a holiday of the dollar does not delay the count, but nothing settles on it', () => {
  assert.equal(spot('EURUSD', '2026-11-25'), '2026-11-27')
  assert.equal(spot('EURUSD', '2026-11-24'), '2026-11-27')
  assert.equal(spot('EURJPY', '2026-11-24'), '2026-11-27')
})

test('a holiday of another currency delays the count', () => {
  assert.equal(spot('USDJPY', '2026-11-20'), '2026-11-25')
  assert.equal(spot('EURJPY', '2026-11-20'), '2026-11-25')
  assert.equal(spot('EURUSD', '2026-11-20'), '2026-11-24')
})

test('some pairs settle on the next day', () => {
  assert.equal(spot('USDCAD', '2026-11-16', 1), '2026-11-17')
  assert.equal(spot('USDCAD', '2026-11-25', 1), '2026-11-27')
  assert.equal(spot('USDCAD', '2026-12-24', 1), '2026-12-29')
})

test('forwards of days and weeks move to the next settlement day', () => {
  assert.equal(forward('EURUSD', '2026-11-16', { unit: 'Weeks', value: 1 }), '2026-11-25')
  assert.equal(forward('EURUSD', '2026-11-17', { unit: 'Weeks', value: 1 }), '2026-11-27')
  assert.equal(forward('EURUSD', '2026-11-16', { unit: 'Days', value: 3 }), '2026-11-23')
})

test('forwards of months stay within their month', () => {
  assert.equal(forward('EURUSD', '2026-11-16', { unit: 'Months', value: 2 }), '2027-01-19')
  // 28 February 2027 is a Sunday, and the next settlement day is in March.
  assert.equal(forward('EURUSD', '2027-01-26', { unit: 'Months', value: 1 }), '2027-02-26')
  assert.equal(forward('EURUSD', '2026-11-27', { unit: 'Years', value: 1 }), '2027-12-01')
})

test('forwards from the last settlement day of a month end on the last of a month', () => {
  // Spot is Friday 29 January, the last settlement day; 28 February 2027 is a Sunday.
  assert.equal(spot('EURUSD', '2027-01-27'), '2027-01-29')
  assert.equal(forward('EURUSD', '2027-01-27', { unit: 'Months', value: 1 }), '2027-02-26')
  assert.equal(forward('EURUSD', '2027-01-27', { unit: 'Months', value: 2 }), '2027-03-31')
})

test('forwards are offered from the spot date to a year after it', () => {
  const { first, last } = forwardRange(pairOf('EURUSD'), epochDay('2026-11-16'))
  assert.deepEqual([dayText(first), dayText(last)], ['2026-11-18', '2027-11-18'])
})

test('an option expires so that its delivery is the spot date of the expiry', () => {
  assert.equal(expiry('EURUSD', '2026-11-16', { unit: 'Weeks', value: 1 }), '2026-11-23')
  assert.equal(expiry('EURUSD', '2026-11-20', { unit: 'Weeks', value: 5 }), '2026-12-28')
  assert.equal(expiry('EURUSD', '2026-11-16', { unit: 'Days', value: 1 }), '2026-11-17')
  assert.equal(expiry('EURUSD', '2026-11-16', { unit: 'Months', value: 1 }), '2026-12-16')
  // The delivery is 19 January, after a holiday of the dollar.
  assert.equal(expiry('EURUSD', '2026-11-16', { unit: 'Months', value: 2 }), '2027-01-15')
})

test('a calendar without open days gives a date anyway', () => {
  const never = { spotDays: 1, trades: () => false, counts: () => false, settles: () => false }
  assert.ok(Number.isInteger(spotDate(never, epochDay('2026-11-16'))))
})
