import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  day,
  dayAndTime,
  daysFromToday,
  figure,
  fromNow,
  shortDay,
  time,
  weekdayName,
  words,
  zoneName,
} from './format.ts'

const noon = Temporal.Instant.from('2026-11-16T12:00:00Z')

test('formats dates and times in the time zone of the reader', () => {
  assert.equal(day('2026-12-18T00:00:00Z'), '18 Dec 2026')
  assert.equal(shortDay(Temporal.PlainDate.from('2026-01-05')), '5 Jan')
  assert.equal(weekdayName(Temporal.PlainDate.from('2026-11-15')), 'Sun')
  assert.equal(time(noon, 'America/New_York'), '07:00')
  assert.equal(dayAndTime('2026-12-31T23:30:00.000000Z', 'Europe/Copenhagen'), '1 Jan 2027, 00:30')
  assert.deepEqual(['America/New_York', 'UTC'].map(zoneName), ['New York', 'UTC'])
})

test('relative times round, those of days count calendar days', () => {
  assert.equal(fromNow(noon.add({ minutes: -118 }), noon), '2 hours ago')
  assert.equal(fromNow('2026-11-19T12:00:00Z', noon), 'in 3 days')
  const today = Temporal.PlainDate.from('2026-11-16')
  assert.deepEqual(
    [-2, -1, 0, 1, 2].map((days) => daysFromToday(today, today.add({ days }))),
    ['2 days ago', '1 day ago', 'today', 'tomorrow', 'in 2 days'],
  )
})

test('groups digits, and spells out API names', () => {
  assert.equal(figure(36106), '36,106')
  assert.equal(figure(1234.5), '1,234.5')
  assert.equal(words('ReduceOnly'), 'Reduce only')
  assert.equal(words('CfdOnStock'), 'Cfd on stock')
  assert.equal(words('PKCE'), 'PKCE')
  assert.equal(words('Credit of McDonald'), 'Credit of McDonald')
})
