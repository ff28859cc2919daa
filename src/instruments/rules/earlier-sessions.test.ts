import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoExchanges } from '../../../test/support/demo.ts'
import { type Calendar, sessionsBefore } from './trading-schedule.ts'

const office: Calendar = {
  TimeZone: 'Etc/UTC',
  Hours: [{ Days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], Start: '09:00', End: '17:00' }],
}
const exchanges = await demoExchanges('2026-11-15')
const exchange = (id: string): Calendar => exchanges.find(({ ExchangeId }) => ExchangeId === id) ?? assert.fail(id)

const minute = (at: number): string => Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 16)

test('what ended within a day before now has no closures, and not the session in progress', () => {
  const before = (calendar: Calendar, now: string) =>
    sessionsBefore(calendar, Temporal.Instant.from(now)).sessions.map(
      ({ start, end, state }) => `${minute(start)} ${minute(end)} ${state}`,
    )
  assert.deepEqual(before(exchange('TYO'), '2026-11-19T12:00:00Z'), [
    '2026-11-19T00:00 2026-11-19T02:30 AutomatedTrading',
    '2026-11-19T02:30 2026-11-19T03:30 Break',
    '2026-11-19T03:30 2026-11-19T06:30 AutomatedTrading',
  ])
  assert.deepEqual(before(office, '2026-11-19T16:00:00Z'), ['2026-11-18T09:00 2026-11-18T17:00 AutomatedTrading'])
  assert.deepEqual(before(office, '2026-11-19T17:00:00Z'), ['2026-11-19T09:00 2026-11-19T17:00 AutomatedTrading'])
  assert.deepEqual(before(office, '2026-11-15T12:00:00Z'), [], 'a Sunday')
})

test('earlier sessions stay the same until the moment that is returned with them', () => {
  const at = (calendar: Calendar, time: number) =>
    sessionsBefore(calendar, Temporal.Instant.fromEpochMilliseconds(time))
  // Clocks change in New York on 1 November.
  const [from, end] = [Date.UTC(2026, 9, 30), Date.UTC(2026, 10, 4)]
  for (const calendar of [office, ...['TYO', 'NASDAQ', 'CRYPTO', 'CME'].map(exchange)]) {
    for (let time = from; time < end; ) {
      const { sessions, until } = at(calendar, time)
      assert.ok(until > time)
      for (let later = time; later < until; later += 900_000) assert.deepEqual(at(calendar, later).sessions, sessions)
      assert.deepEqual(at(calendar, until - 1).sessions, sessions, minute(until))
      time = until
    }
  }
})
