import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText, epochDay, epochMicroseconds, momentAt, monthStart } from './days.ts'

test('a day is the number of days since 1970, over leap days and before', () => {
  assert.deepEqual(['1969-12-31', '1970-01-01', '2028-03-01'].map(epochDay), [-1, 0, 21_244])
  assert.throws(() => epochDay('2027-02-29'), RangeError)
  for (const day of ['1969-12-31', '2027-02-28', '2028-02-29']) assert.equal(dayText(epochDay(day)), day)
})

test('a month starts with its first day', () => {
  assert.equal(dayText(monthStart(epochDay('2028-02-29'))), '2028-02-01')
  assert.equal(dayText(monthStart(epochDay('2028-03-01'))), '2028-03-01')
})

test('a moment is on the day of its time zone, and keeps its microseconds', () => {
  // Nine in the evening in New York is the next day in UTC.
  const lastTrade = epochMicroseconds('2026-06-19T01:00:00.123456Z')
  const text = '2026-06-19T01:00:00.123456Z'
  assert.deepEqual(momentAt(lastTrade, 'America/New_York'), { day: epochDay('2026-06-18'), text })
  assert.deepEqual(momentAt(lastTrade, 'Etc/UTC'), { day: epochDay('2026-06-19'), text })
  assert.equal(momentAt(lastTrade + 1, 'Etc/UTC').text, '2026-06-19T01:00:00.123457Z')
})

test('the cache of days is bounded, and days beyond the bound are correct', () => {
  for (let day = 0; day <= 20_000; day++) dayText(day)
  assert.equal(dayText(1), '1970-01-02')
  assert.equal(dayText(20_000), '2024-10-04')
})
