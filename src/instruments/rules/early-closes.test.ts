import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Calendar, sessionsBetween } from './trading-schedule.ts'

const Days: NonNullable<Calendar['Hours']>[number]['Days'] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
const date = '2026-11-16'
const time = (at: number): string => Temporal.Instant.fromEpochMilliseconds(at).toString().slice(11, 16)

/** The sessions of a day in UTC, such as `09:30-13:00 AutomatedTrading`. */
function dayOf(periods: string, Close: string): string[] {
  const Hours = periods.split(', ').map((period) => {
    const [span = '', State = 'AutomatedTrading'] = period.split(' ')
    const [Start = '', End = ''] = span.split('-')
    return { Days, Start, End, State: State as 'AutomatedTrading' }
  })
  const calendar: Calendar = { TimeZone: 'Etc/UTC', Hours, EarlyCloses: [{ Date: date, Close }] }
  const on = Temporal.PlainDate.from(date)
  return sessionsBetween(calendar, on, on).map(({ start, end, state }) => `${time(start)}-${time(end)} ${state}`)
}

test('after an early close the closing auction and the post-market come earlier by as much', () => {
  const share = '04:00-09:30 PreMarket, 09:30-16:00, 16:00-16:10 CallAuctionTrading, 16:15-20:00 PostMarket'
  assert.deepEqual(dayOf(share, '13:00'), [
    '04:00-09:30 PreMarket',
    '09:30-13:00 AutomatedTrading',
    '13:00-13:10 CallAuctionTrading',
    '13:10-13:15 Break',
    '13:15-17:00 PostMarket',
  ])
})

test('an early close at the break leaves out the afternoon, but not the closing auction', () => {
  const share = '09:00-09:30 OpeningAuction, 09:30-12:00, 13:00-16:00, 16:00-16:10 CallAuctionTrading'
  assert.deepEqual(dayOf(share, '12:00'), [
    '09:00-09:30 OpeningAuction',
    '09:30-12:00 AutomatedTrading',
    '12:00-12:10 CallAuctionTrading',
  ])
})

test('an early close ends what comes before it, and moves nothing if it is no earlier than usual', () => {
  assert.deepEqual(dayOf('09:00-11:00 Auction, 11:00-13:00', '10:00'), ['09:00-10:00 Auction'])
  const share = '09:00-17:00, 17:00-18:00 PostMarket'
  assert.deepEqual(dayOf(share, '17:30'), ['09:00-17:00 AutomatedTrading', '17:00-18:00 PostMarket'])
})

test('an early close ends the day of a market without regular trading', () => {
  assert.deepEqual(dayOf('09:00-12:00 PitTrading, 13:00-17:00 PitTrading', '14:00'), [
    '09:00-12:00 PitTrading',
    '12:00-13:00 Break',
    '13:00-14:00 PitTrading',
  ])
})
