import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExchanges } from '../../sim/demo/read.ts'
import { type Session, sessionsBetween } from './trading-schedule.ts'

/**
 * The sessions of eight markets around clock changes and holidays, transcribed from the exchanges' publications.
 * Times are UTC; `<` is the day before; days that are not listed are closed.
 */
type Weeks = { from: string; through: string; sessions: string }

const spring = { from: '2027-03-08', through: '2027-04-09' }
const autumn = { from: '2027-09-27', through: '2027-11-12' }
const thanksgiving2026 = { from: '2026-11-23', through: '2026-11-30' }
const thanksgiving2027 = { from: '2027-11-22', through: '2027-11-29' }
const newYear2027 = { from: '2026-12-21', through: '2027-01-08' }
const newYear2028 = { from: '2027-12-20', through: '2028-01-07' }

const markets: Record<string, Weeks[]> = {
  // 09:30 to 16:00; daylight saving time in New York from 14 March to 7 November 2027.
  NYSE: [
    {
      ...spring,
      sessions: `2027-03-08..2027-03-12 14:30-21:00
                 2027-03-15..2027-03-25 13:30-20:00
                 2027-03-29..2027-04-09 13:30-20:00`,
    },
    {
      ...autumn,
      sessions: `2027-09-27..2027-11-05 13:30-20:00
                 2027-11-08..2027-11-12 14:30-21:00`,
    },
    {
      ...thanksgiving2026,
      sessions: `2026-11-23..2026-11-25 14:30-21:00
                 2026-11-27 14:30-18:00
                 2026-11-30 14:30-21:00`,
    },
    {
      ...thanksgiving2027,
      sessions: `2027-11-22..2027-11-24 14:30-21:00
                 2027-11-26 14:30-18:00
                 2027-11-29 14:30-21:00`,
    },
    {
      ...newYear2027,
      sessions: `2026-12-21..2026-12-23 14:30-21:00
                 2026-12-24 14:30-18:00
                 2026-12-28..2026-12-31 14:30-21:00
                 2027-01-04..2027-01-08 14:30-21:00`,
    },
    {
      ...newYear2028,
      sessions: `2027-12-20..2027-12-23 14:30-21:00
                 2027-12-27..2027-12-31 14:30-21:00
                 2028-01-03..2028-01-07 14:30-21:00`,
    },
  ],
  // 08:00 to 16:30, 12:30 on the eves; summer time in London from 28 March, Easter Sunday, to 31 October 2027.
  LSE: [
    {
      ...spring,
      sessions: `2027-03-08..2027-03-25 08:00-16:30
                 2027-03-30..2027-04-09 07:00-15:30`,
    },
    {
      ...autumn,
      sessions: `2027-09-27..2027-10-29 07:00-15:30
                 2027-11-01..2027-11-12 08:00-16:30`,
    },
    { ...thanksgiving2026, sessions: '2026-11-23..2026-11-30 08:00-16:30' },
    { ...thanksgiving2027, sessions: '2027-11-22..2027-11-29 08:00-16:30' },
    {
      ...newYear2027,
      sessions: `2026-12-21..2026-12-23 08:00-16:30
                 2026-12-24 08:00-12:30
                 2026-12-29..2026-12-30 08:00-16:30
                 2026-12-31 08:00-12:30
                 2027-01-04..2027-01-08 08:00-16:30`,
    },
    {
      ...newYear2028,
      sessions: `2027-12-20..2027-12-23 08:00-16:30
                 2027-12-24 08:00-12:30
                 2027-12-29..2027-12-30 08:00-16:30
                 2027-12-31 08:00-12:30
                 2028-01-04..2028-01-07 08:00-16:30`,
    },
  ],
  // 09:00 to 17:30, 14:00 on the year's last trading day; closed on both eves.
  XETRA: [
    {
      ...spring,
      sessions: `2027-03-08..2027-03-25 08:00-16:30
                 2027-03-30..2027-04-09 07:00-15:30`,
    },
    {
      ...autumn,
      sessions: `2027-09-27..2027-10-29 07:00-15:30
                 2027-11-01..2027-11-12 08:00-16:30`,
    },
    { ...thanksgiving2026, sessions: '2026-11-23..2026-11-30 08:00-16:30' },
    { ...thanksgiving2027, sessions: '2027-11-22..2027-11-29 08:00-16:30' },
    {
      ...newYear2027,
      sessions: `2026-12-21..2026-12-23 08:00-16:30
                 2026-12-28..2026-12-29 08:00-16:30
                 2026-12-30 08:00-13:00
                 2027-01-04..2027-01-08 08:00-16:30`,
    },
    {
      ...newYear2028,
      sessions: `2027-12-20..2027-12-23 08:00-16:30
                 2027-12-27..2027-12-29 08:00-16:30
                 2027-12-30 08:00-13:00
                 2028-01-03..2028-01-07 08:00-16:30`,
    },
  ],
  // 09:00 to 11:30 and 12:30 to 15:30, no summer time; the equinox of 2027 is a Sunday, so 22 March is closed.
  TYO: [
    {
      ...spring,
      sessions: `2027-03-08..2027-03-19 00:00-02:30 03:30-06:30
                 2027-03-23..2027-04-09 00:00-02:30 03:30-06:30`,
    },
    {
      ...autumn,
      sessions: `2027-09-27..2027-10-08 00:00-02:30 03:30-06:30
                 2027-10-12..2027-11-02 00:00-02:30 03:30-06:30
                 2027-11-04..2027-11-12 00:00-02:30 03:30-06:30`,
    },
    { ...thanksgiving2026, sessions: '2026-11-24..2026-11-30 00:00-02:30 03:30-06:30' },
    {
      ...thanksgiving2027,
      sessions: `2027-11-22 00:00-02:30 03:30-06:30
                 2027-11-24..2027-11-29 00:00-02:30 03:30-06:30`,
    },
    {
      ...newYear2027,
      sessions: `2026-12-21..2026-12-30 00:00-02:30 03:30-06:30
                 2027-01-04..2027-01-08 00:00-02:30 03:30-06:30`,
    },
    {
      ...newYear2028,
      sessions: `2027-12-20..2027-12-30 00:00-02:30 03:30-06:30
                 2028-01-04..2028-01-07 00:00-02:30 03:30-06:30`,
    },
  ],
  // 09:30 to 12:00 and 13:00 to 16:00, mornings only on the eves; Ching Ming 5 April, Chung Yeung 8 October 2027.
  HKEX: [
    {
      ...spring,
      sessions: `2027-03-08..2027-03-25 01:30-04:00 05:00-08:00
                 2027-03-30..2027-04-02 01:30-04:00 05:00-08:00
                 2027-04-06..2027-04-09 01:30-04:00 05:00-08:00`,
    },
    {
      ...autumn,
      sessions: `2027-09-27..2027-09-30 01:30-04:00 05:00-08:00
                 2027-10-04..2027-10-07 01:30-04:00 05:00-08:00
                 2027-10-11..2027-11-12 01:30-04:00 05:00-08:00`,
    },
    { ...thanksgiving2026, sessions: '2026-11-23..2026-11-30 01:30-04:00 05:00-08:00' },
    { ...thanksgiving2027, sessions: '2027-11-22..2027-11-29 01:30-04:00 05:00-08:00' },
    {
      ...newYear2027,
      sessions: `2026-12-21..2026-12-23 01:30-04:00 05:00-08:00
                 2026-12-24 01:30-04:00
                 2026-12-28..2026-12-30 01:30-04:00 05:00-08:00
                 2026-12-31 01:30-04:00
                 2027-01-04..2027-01-08 01:30-04:00 05:00-08:00`,
    },
    {
      ...newYear2028,
      sessions: `2027-12-20..2027-12-23 01:30-04:00 05:00-08:00
                 2027-12-24 01:30-04:00
                 2027-12-28..2027-12-30 01:30-04:00 05:00-08:00
                 2027-12-31 01:30-04:00
                 2028-01-03..2028-01-07 01:30-04:00 05:00-08:00`,
    },
  ],
  // 10:00 to 16:00, 14:10 on the eves; no daylight saving time in Sydney from 4 April to 3 October 2027.
  ASX: [
    {
      ...spring,
      sessions: `2027-03-08..2027-03-25 <23:00-05:00
                 2027-03-30..2027-04-02 <23:00-05:00
                 2027-04-05..2027-04-09 00:00-06:00`,
    },
    {
      ...autumn,
      sessions: `2027-09-27..2027-10-01 00:00-06:00
                 2027-10-04..2027-11-12 <23:00-05:00`,
    },
    { ...thanksgiving2026, sessions: '2026-11-23..2026-11-30 <23:00-05:00' },
    { ...thanksgiving2027, sessions: '2027-11-22..2027-11-29 <23:00-05:00' },
    {
      ...newYear2027,
      sessions: `2026-12-21..2026-12-23 <23:00-05:00
                 2026-12-24 <23:00-03:10
                 2026-12-29..2026-12-30 <23:00-05:00
                 2026-12-31 <23:00-03:10
                 2027-01-04..2027-01-08 <23:00-05:00`,
    },
    {
      ...newYear2028,
      sessions: `2027-12-20..2027-12-23 <23:00-05:00
                 2027-12-24 <23:00-03:10
                 2027-12-29..2027-12-30 <23:00-05:00
                 2027-12-31 <23:00-03:10
                 2028-01-04..2028-01-07 <23:00-05:00`,
    },
  ],
  // Globex, index futures: 17:00 of the evening before to 16:00 in Chicago; 12:00 on Thanksgiving, 12:15 on short eves.
  CME: [
    {
      ...spring,
      sessions: `2027-03-08..2027-03-12 <23:00-22:00
                 2027-03-15..2027-03-25 <22:00-21:00
                 2027-03-29..2027-04-09 <22:00-21:00`,
    },
    {
      ...autumn,
      sessions: `2027-09-27..2027-11-05 <22:00-21:00
                 2027-11-08..2027-11-12 <23:00-22:00`,
    },
    {
      ...thanksgiving2026,
      sessions: `2026-11-23..2026-11-25 <23:00-22:00
                 2026-11-26 <23:00-18:00
                 2026-11-27 <23:00-18:15
                 2026-11-30 <23:00-22:00`,
    },
    {
      ...thanksgiving2027,
      sessions: `2027-11-22..2027-11-24 <23:00-22:00
                 2027-11-25 <23:00-18:00
                 2027-11-26 <23:00-18:15
                 2027-11-29 <23:00-22:00`,
    },
    {
      ...newYear2027,
      sessions: `2026-12-21..2026-12-23 <23:00-22:00
                 2026-12-24 <23:00-18:15
                 2026-12-28..2026-12-31 <23:00-22:00
                 2027-01-04..2027-01-08 <23:00-22:00`,
    },
    {
      ...newYear2028,
      sessions: `2027-12-20..2027-12-23 <23:00-22:00
                 2027-12-27..2027-12-31 <23:00-22:00
                 2028-01-03..2028-01-07 <23:00-22:00`,
    },
  ],
  // 17:00 to 17:00 in New York, Sunday to Friday without a break; closed only on Christmas and New Year's Day.
  FX: [
    {
      ...spring,
      sessions: `2027-03-08..2027-03-12 <22:00-22:00
                 2027-03-15..2027-04-09 <21:00-21:00`,
    },
    {
      ...autumn,
      sessions: `2027-09-27..2027-11-05 <21:00-21:00
                 2027-11-08..2027-11-12 <22:00-22:00`,
    },
    { ...thanksgiving2026, sessions: '2026-11-23..2026-11-30 <22:00-22:00' },
    { ...thanksgiving2027, sessions: '2027-11-22..2027-11-29 <22:00-22:00' },
    {
      ...newYear2027,
      sessions: `2026-12-21..2026-12-24 <22:00-22:00
                 2026-12-28..2026-12-31 <22:00-22:00
                 2027-01-04..2027-01-08 <22:00-22:00`,
    },
    {
      ...newYear2028,
      sessions: `2027-12-20..2027-12-31 <22:00-22:00
                 2028-01-03..2028-01-07 <22:00-22:00`,
    },
  ],
}

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
function expectedSessions(table: string): Session[] {
  const expected: Session[] = []
  for (const day of table.split('\n').flatMap(daysOfLine))
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
  const exchanges = await readExchanges(Temporal.PlainDate.from(today))
  for (const [id, weeks] of Object.entries(markets))
    for (const { from, through, sessions } of weeks)
      test(`${id} trades as published from ${from} through ${through}, in the data of ${today}`, () => {
        const exchange = exchanges.find(({ ExchangeId }) => ExchangeId === id)
        assert.ok(exchange)
        const found = sessionsBetween(exchange, Temporal.PlainDate.from(from), Temporal.PlainDate.from(through))
        assert.deepEqual(found.map(readable), expectedSessions(sessions).map(readable))
      })
}
