import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExchangeRecord } from '../import/schema.ts'
import { exchangeView } from './exchange.ts'
import { datedSchedule } from './trading-schedule.ts'

const workdays: NonNullable<ExchangeRecord['Hours']>[number]['Days'] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
const tokyo: ExchangeRecord = {
  ...{
    ExchangeId: 'TYO',
    Name: 'Tokyo Stock Exchange',
    CountryCode: 'JP',
    Currency: 'JPY',
    Mic: 'XTKS',
    PriceSourceName: 'Tokyo',
  },
  TimeZone: 'Asia/Tokyo',
  Hours: [
    { Days: workdays, Start: '09:00', End: '11:30' },
    { Days: workdays, Start: '12:30', End: '15:30' },
  ],
}
const viewAt = (record: ExchangeRecord, now: string) =>
  exchangeView(record, datedSchedule(record, Temporal.Instant.from(now)).schedule)
const statesAt = (record: ExchangeRecord, now: string) => viewAt(record, now).ExchangeSessions.map(({ State }) => State)

test('lists the sessions from the current one to the closure after the trading day', () => {
  assert.deepEqual(statesAt(tokyo, '2026-11-14T12:00:00Z'), [
    ...['Closed', 'AutomatedTrading', 'Break', 'AutomatedTrading', 'Closed'],
  ])
  assert.deepEqual(statesAt(tokyo, '2026-11-16T03:00:00Z'), ['Break', 'AutomatedTrading', 'Closed'])
  const { ExchangeSessions, ...facts } = viewAt(tokyo, '2026-11-16T06:00:00Z')
  assert.deepEqual(ExchangeSessions, [
    { StartTime: '2026-11-16T03:30:00.000000Z', EndTime: '2026-11-16T06:30:00.000000Z', State: 'AutomatedTrading' },
    { StartTime: '2026-11-16T06:30:00.000000Z', EndTime: '2026-11-17T00:00:00.000000Z', State: 'Closed' },
  ])
  assert.deepEqual(facts, {
    AllDay: false,
    CountryCode: 'JP',
    Currency: 'JPY',
    ExchangeId: 'TYO',
    Mic: 'XTKS',
    Name: 'Tokyo Stock Exchange',
    PriceSourceName: 'Tokyo',
    TimeZoneId: '401',
    TimeZone: 401,
    TimeZoneAbbreviation: 'JST',
    TimeZoneOffset: '09:00:00',
  })
})

test('lists the whole week of an exchange that never closes, and omits unknown fields', () => {
  const always: ExchangeRecord = {
    ...{ ExchangeId: 'C', Name: 'Crypto', CountryCode: 'ZZ', TimeZone: 'Etc/UTC' },
    Hours: [{ Days: [...workdays, 'Sat', 'Sun'], Start: '00:00', End: '24:00' }],
  }
  const view = viewAt(always, '2026-11-16T12:00:00Z')
  assert.equal(view.AllDay, true)
  assert.equal(view.ExchangeSessions.length, 8)
  assert.ok(!('Currency' in view) && !('Mic' in view) && !('PriceSourceName' in view))
})
