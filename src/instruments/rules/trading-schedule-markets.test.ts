import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoExchanges } from '../../../test/support/demo.ts'
import { markets } from '../../../test/support/reference/market-sessions.ts'
import { readMarkets } from '../../sim/demo/market.ts'
import { type Session, sessionsBetween } from './trading-schedule.ts'

/** `2027-03-08..2027-03-12 <23:00-05:00` → each Monday to Friday of the range. */
function daysOfLine(line: string): Session[][] {
  const [range = '', ...periods] = line.trim().split(' ')
  const [first = '', last = first] = range.split('..')
  const days: Session[][] = []
  for (let day = Temporal.PlainDate.from(first); day.toString() <= last; day = day.add({ days: 1 })) {
    if (day.dayOfWeek > 5) continue
    const moment = (time: string): number => {
      const on = time.startsWith('<') ? day.subtract({ days: 1 }) : day
      return Temporal.Instant.from(`${on}T${time.replace('<', '')}Z`).epochMilliseconds
    }
    days.push(
      periods.map((period) => {
        const [start = '', end = ''] = period.split('-')
        return { start: moment(start), end: moment(end), state: 'AutomatedTrading' }
      }),
    )
  }
  return days
}

/** The table lists trading periods; between two periods of a day is a Break, between two days it is Closed. */
function expectedSessions(lines: readonly string[]): Session[] {
  const expected: Session[] = []
  for (const day of lines.flatMap(daysOfLine))
    for (const [index, session] of day.entries()) {
      const end = expected.at(-1)?.end ?? session.start
      if (end < session.start) expected.push({ start: end, end: session.start, state: index > 0 ? 'Break' : 'Closed' })
      expected.push(session)
    }
  return expected
}

const minute = (at: number): string => Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 16)
const readable = ({ start, end, state }: Session): string => `${minute(start)} ${minute(end)} ${state}`

// The result does not depend on the year in which the demo data is loaded.
for (const today of ['2026-11-15', '2027-03-01']) {
  const exchanges = await demoExchanges(today)
  const { calendars } = await readMarkets(Temporal.PlainDate.from(today))
  for (const { id, from, through, lines } of markets)
    test(`${id} trades as published from ${from} through ${through}, in the data of ${today}`, () => {
      const exchange =
        calendars.find(({ CalendarId }) => CalendarId === id) ?? exchanges.find(({ ExchangeId }) => ExchangeId === id)
      assert.ok(exchange)
      const found = sessionsBetween(exchange, Temporal.PlainDate.from(from), Temporal.PlainDate.from(through))
      assert.deepEqual(found.map(readable), expectedSessions(lines).map(readable))
    })
}
