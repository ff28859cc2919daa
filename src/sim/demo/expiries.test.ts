import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText, epochDay } from '../../core/time/days.ts'
import { isBusinessDay, takeSteps } from '../../core/time/relative-days.ts'
import { calendarOf, expiryClosedDays, readMarkets } from './market.ts'
import { firstDayOf, futureSymbol, monthOf } from './months.ts'

const markets = await readMarkets(Temporal.PlainDate.from('2026-11-15'))
const closedAt = (ExchangeId: string) => expiryClosedDays(markets, { ExchangeId })
const [newYork, frankfurt] = [closedAt('CBOE'), closedAt('EUREX')]
const thirdFriday = (month: string, closed = newYork) => dayText(takeSteps(epochDay(`${month}-01`), '/3fri-0b', closed))

test('a third Friday that is a holiday moves to the trading day before', () => {
  // Juneteenth is a Friday in 2026; in 2027 it is a Saturday, observed on Friday, June 18.
  assert.equal(thirdFriday('2026-06'), '2026-06-18')
  assert.equal(thirdFriday('2027-06'), '2027-06-17')
  // Good Friday was the third Friday of April 2025; in 2027 it is March 26, the fourth.
  assert.equal(thirdFriday('2025-04'), '2025-04-17')
  assert.equal(thirdFriday('2027-03'), '2027-03-19')
})

test('a third Friday that is a holiday in New York only stays in Frankfurt', () => {
  assert.equal(thirdFriday('2027-06', frankfurt), '2027-06-18')
})

test('futures exchanges do not count holidays of New York as business days, even if they trade', () => {
  const thanksgiving = epochDay('2026-11-26')
  const { Holidays } = calendarOf(markets, { ExchangeId: 'CME' })
  assert.ok(!Holidays?.some(({ Date: date }) => date === '2026-11-26'))
  assert.equal(isBusinessDay(thanksgiving, closedAt('CME')), false)
  assert.equal(isBusinessDay(thanksgiving, frankfurt), true)
})

test('months are counted across the end of a year', () => {
  const december = monthOf(epochDay('2026-12-31'))
  assert.deepEqual([december, december + 1].map(firstDayOf).map(dayText), ['2026-12-01', '2027-01-01'])
  assert.deepEqual(
    [december, december + 1].map((month) => futureSymbol('ES', month)),
    ['ESZ6', 'ESF7'],
  )
})
