import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoExchanges } from './exchanges.ts'
import {
  instantOf,
  isTradingDay,
  lastTradingDay,
  monthsFrom,
  nthWeekday,
  onOrAfter,
  thirdFriday,
  tradingCalendar,
  tradingDaysAfter,
  tradingDaysBefore,
} from './expiries.ts'
import { expiryCalendar } from './futures-months.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const month = (text: string) => Temporal.PlainYearMonth.from(text)
const exchanges = demoExchanges(day('2026-11-15'))
const newYork = tradingCalendar(exchanges, 'NYSE')

test('a third Friday that is a holiday moves to the trading day before', () => {
  // Juneteenth is a Friday in 2026; in 2027 it is a Saturday, which is kept on Friday, June 18.
  assert.equal(thirdFriday(newYork, month('2026-06')).toString(), '2026-06-18')
  assert.equal(thirdFriday(newYork, month('2027-06')).toString(), '2027-06-17')
  assert.equal(nthWeekday(month('2027-06'), 3, 5).toString(), '2027-06-18')
  // Good Friday was the third Friday of April 2025; in 2027 it is March 26, the fourth.
  assert.equal(thirdFriday(newYork, month('2025-04')).toString(), '2025-04-17')
  assert.equal(thirdFriday(newYork, month('2027-03')).toString(), '2027-03-19')
})

test('a third Friday that is a holiday in New York alone stays in Frankfurt', () => {
  assert.equal(thirdFriday(expiryCalendar(exchanges, 'EUREX'), month('2027-06')).toString(), '2027-06-18')
})

test('futures exchanges count no day as a business day on which New York is closed', () => {
  const thanksgiving = day('2026-11-26')
  assert.equal(isTradingDay(tradingCalendar(exchanges, 'CME'), thanksgiving), true)
  assert.equal(isTradingDay(expiryCalendar(exchanges, 'CME'), thanksgiving), false)
})

test('trading days are counted over weekends and holidays, in both directions', () => {
  assert.equal(tradingDaysBefore(newYork, day('2026-11-30'), 2).toString(), '2026-11-25')
  assert.equal(tradingDaysAfter(newYork, day('2026-11-25'), 2).toString(), '2026-11-30')
  assert.equal(tradingDaysBefore(newYork, day('2026-11-28'), 0).toString(), '2026-11-28')
  assert.equal(onOrAfter(newYork, day('2026-12-25')).toString(), '2026-12-28')
  assert.equal(lastTradingDay(newYork, month('2027-02')).toString(), '2027-02-26')
})

test('months are counted over the year end', () => {
  assert.deepEqual(monthsFrom(month('2026-11'), 3).map(String), ['2026-11', '2026-12', '2027-01'])
})

test('a local time is the instant of that day, summer or winter', () => {
  assert.equal(instantOf(day('2027-03-12'), '16:00', 'America/New_York'), '2027-03-12T21:00:00Z')
  assert.equal(instantOf(day('2027-03-19'), '16:00', 'America/New_York'), '2027-03-19T20:00:00Z')
})
