import assert from 'node:assert/strict'
import { test } from 'node:test'
import { epochDay } from '../../core/time/days.ts'
import { type Calendar, isOpenDay } from './trading-day.ts'

test('a day is open if it has hours and is no holiday', () => {
  const weekdays: Calendar = {
    TimeZone: 'Europe/London',
    Hours: [{ Days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], Start: '08:00', End: '16:30', State: 'AutomatedTrading' }],
    Holidays: [{ Date: '2026-12-25', Name: 'Christmas Day' }],
  }
  const isOpen = isOpenDay(weekdays)
  const days = ['1969-12-28', '1969-12-31', '1970-01-01', '2026-12-24', '2026-12-25', '2026-12-26', '2026-12-28']
  assert.deepEqual(
    days.filter((day) => isOpen(epochDay(day))),
    ['1969-12-31', '1970-01-01', '2026-12-24', '2026-12-28'],
  )
})

test('a calendar without hours has no open day', () => {
  assert.equal(isOpenDay({ TimeZone: 'Etc/UTC' })(epochDay('2026-11-16')), false)
})
