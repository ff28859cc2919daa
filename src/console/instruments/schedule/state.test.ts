import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holidaysExample } from '../../../instruments/api/fields/examples.ts'
import type { TradingSchedule } from '../../../instruments/api/schema.ts'
import { marketStatus } from '../../exchanges/rules/market-status.ts'
import { statusText } from '../../exchanges/status.ts'
import { notesIn, specialDays } from './holidays.ts'
import { haveSameClock, sessionsOf } from './state.ts'

const at = (text: string) => Temporal.Instant.from(text)
const schedule = (...Sessions: TradingSchedule['Sessions']) => sessionsOf({ Sessions })
const sentence = (sessions: ReturnType<typeof schedule>, now: string) => {
  const status = marketStatus(sessions, at(now))
  return status && statusText(status, at(now), 'America/New_York')
}

test('says the current state and when it ends', () => {
  const week = schedule(
    { StartTime: '2026-11-13T21:00:00Z', EndTime: '2026-11-16T14:30:00Z', State: 'Closed' },
    { StartTime: '2026-11-16T14:30:00Z', EndTime: '2026-11-16T21:00:00Z', State: 'AutomatedTrading' },
    { StartTime: '2026-11-16T21:00:00Z', EndTime: '2026-11-17T14:30:00Z', State: 'Closed' },
  )
  assert.equal(sentence(week, '2026-11-15T19:00:00Z'), 'Closed · opens Mon 09:30')
  assert.equal(sentence(week, '2026-11-16T14:30:00Z'), 'Open · closes 16:00')
  assert.equal(sentence(week, '2026-11-17T10:00:00Z'), 'Closed · does not open within a week')
  assert.equal(sentence(week, '2026-12-01T00:00:00Z'), undefined)
})

test('merges adjacent sessions with the same name', () => {
  const week = schedule(
    { StartTime: '2026-11-15T22:00:00Z', EndTime: '2026-11-16T22:00:00Z', State: 'AutomatedTrading' },
    { StartTime: '2026-11-16T22:00:00Z', EndTime: '2026-11-17T22:00:00Z', State: 'AutomatedTrading' },
    { StartTime: '2026-11-17T22:00:00Z', EndTime: '2026-11-18T22:00:00Z', State: 'PostMarket' },
    { StartTime: '2026-11-19T14:00:00Z', EndTime: '2026-11-19T22:00:00Z', State: 'PostMarket' },
  )
  assert.deepEqual(
    week.map(({ name, start, end }) => `${name} ${start} ${end}`),
    [
      'Open 2026-11-15T22:00:00Z 2026-11-17T22:00:00Z',
      'After hours 2026-11-17T22:00:00Z 2026-11-18T22:00:00Z',
      'After hours 2026-11-19T14:00:00Z 2026-11-19T22:00:00Z',
    ],
  )
  assert.equal(sentence(week, '2026-11-16T12:00:00Z'), 'Open · closes Tue 17:00')
})

test('shows holidays and early closes in the time zone of the reader', () => {
  const days = specialDays({ ...holidaysExample, LateOpens: [{ Date: '2026-11-25', Time: '24:00' }] })
  assert.deepEqual(
    [...notesIn(days, 'America/New_York', 'America/New_York')],
    [
      ['2026-11-25', 'opens 00:00'],
      ['2026-11-26', 'Thanksgiving Day'],
      ['2026-11-27', 'Day after Thanksgiving, closes 13:00'],
    ],
  )
  assert.deepEqual(
    [...notesIn(days.slice(1), 'America/New_York', 'Asia/Tokyo')],
    [
      ['2026-11-27', 'Thanksgiving Day'],
      ['2026-11-28', 'Day after Thanksgiving, closes 03:00'],
    ],
  )
})

test('two time zones have the same clock only if they agree all week', () => {
  const moments = [at('2026-10-24T12:00:00Z'), at('2026-10-30T12:00:00Z')]
  assert.equal(haveSameClock('Europe/Paris', 'Europe/Berlin', moments), true)
  assert.equal(haveSameClock('Europe/Paris', 'Africa/Johannesburg', moments), false)
})
