import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoExchanges } from '../../../test/support/demo.ts'
import { type Calendar, datedSchedule, sessionsBetween, wireInstant } from './trading-schedule.ts'

const workdays: NonNullable<Calendar['Hours']>[number]['Days'] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
const office: Calendar = { TimeZone: 'Etc/UTC', Hours: [{ Days: workdays, Start: '09:00', End: '17:00' }] }
const exchanges = await demoExchanges('2026-11-15')

function exchange(id: string): Calendar {
  const found = exchanges.find(({ ExchangeId }) => ExchangeId === id)
  assert.ok(found)
  return found
}

const minute = (at: number): string => Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 16)

function between(calendar: Calendar, from: string, through = from): string[] {
  const sessions = sessionsBetween(calendar, Temporal.PlainDate.from(from), Temporal.PlainDate.from(through))
  return sessions.map(({ start, end, state }) => `${minute(start)} ${minute(end)} ${state}`)
}

function schedule(calendar: Calendar, now: string): string[] {
  const { Sessions } = datedSchedule(calendar, Temporal.Instant.from(now)).schedule
  return Sessions.map(({ StartTime, EndTime, State }) => `${StartTime.slice(0, 16)} ${EndTime.slice(0, 16)} ${State}`)
}

test('a gap within a trading day is a Break, between trading days Closed', () => {
  assert.deepEqual(between(exchange('TYO'), '2026-11-19', '2026-11-20'), [
    '2026-11-19T00:00 2026-11-19T02:30 AutomatedTrading',
    '2026-11-19T02:30 2026-11-19T03:30 Break',
    '2026-11-19T03:30 2026-11-19T06:30 AutomatedTrading',
    '2026-11-19T06:30 2026-11-20T00:00 Closed',
    '2026-11-20T00:00 2026-11-20T02:30 AutomatedTrading',
    '2026-11-20T02:30 2026-11-20T03:30 Break',
    '2026-11-20T03:30 2026-11-20T06:30 AutomatedTrading',
  ])
})

test('adjacent trading days stay two sessions', () => {
  assert.deepEqual(between(exchange('CRYPTO'), '2026-11-14', '2026-11-15'), [
    '2026-11-14T00:00 2026-11-15T00:00 AutomatedTrading',
    '2026-11-15T00:00 2026-11-16T00:00 AutomatedTrading',
  ])
})

test('periods keep their states and are ordered by time', () => {
  const Hours: Calendar['Hours'] = [
    { Days: workdays, Start: '09:30', End: '16:00' },
    { Days: workdays, Start: '04:00', End: '09:30', State: 'PreMarket' },
    { Days: ['Mon'], Start: '16:00', End: '20:00', State: 'PostMarket' },
  ]
  assert.deepEqual(between({ ...exchange('NASDAQ'), Hours }, '2026-11-16', '2026-11-17'), [
    '2026-11-16T09:00 2026-11-16T14:30 PreMarket',
    '2026-11-16T14:30 2026-11-16T21:00 AutomatedTrading',
    '2026-11-16T21:00 2026-11-17T01:00 PostMarket',
    '2026-11-17T01:00 2026-11-17T09:00 Closed',
    '2026-11-17T09:00 2026-11-17T14:30 PreMarket',
    '2026-11-17T14:30 2026-11-17T21:00 AutomatedTrading',
  ])
})

test('the hours of an instrument do not override the holidays and early closes of its exchange', () => {
  const Hours: Calendar['Hours'] = [{ Days: workdays, Start: '09:30', End: '16:15' }]
  assert.deepEqual(between({ ...exchange('CBOE'), Hours }, '2026-11-25', '2026-11-27'), [
    '2026-11-25T14:30 2026-11-25T21:15 AutomatedTrading',
    '2026-11-25T21:15 2026-11-27T14:30 Closed',
    '2026-11-27T14:30 2026-11-27T18:00 AutomatedTrading',
  ])
})

test('a day that closes before it opens has no session', () => {
  const EarlyCloses = [{ Date: '2026-11-17', Close: '09:00' }]
  const LateOpens = [{ Date: '2026-11-18', Open: '17:30' }]
  assert.deepEqual(between({ ...office, EarlyCloses, LateOpens }, '2026-11-16', '2026-11-19'), [
    '2026-11-16T09:00 2026-11-16T17:00 AutomatedTrading',
    '2026-11-16T17:00 2026-11-19T09:00 Closed',
    '2026-11-19T09:00 2026-11-19T17:00 AutomatedTrading',
  ])
})

test('a late open and an early close shorten the day', () => {
  const ashWednesday = between(exchange('BVMF'), '2027-02-10')
  assert.deepEqual(ashWednesday, ['2027-02-10T16:00 2027-02-10T21:00 AutomatedTrading'])
  const [LateOpens, EarlyCloses] = [[{ Date: '2026-11-19', Open: '13:00' }], [{ Date: '2026-11-19', Close: '14:00' }]]
  const shortAfternoon = between({ ...exchange('TYO'), LateOpens, EarlyCloses }, '2026-11-19')
  assert.deepEqual(shortAfternoon, ['2026-11-19T04:00 2026-11-19T05:00 AutomatedTrading'])
})

test('a late open applies on the trading day itself, not the evening before', () => {
  const LateOpens = [{ Date: '2026-11-17', Open: '08:00' }]
  assert.deepEqual(between({ ...exchange('CME'), LateOpens }, '2026-11-17'), [
    '2026-11-17T14:00 2026-11-17T22:00 AutomatedTrading',
  ])
})

test('overlapping periods are merged', () => {
  const Hours: Calendar['Hours'] = [
    { Days: workdays, Start: '09:00', End: '17:00' },
    { Days: workdays, Start: '10:00', End: '11:00', State: 'Auction' },
    { Days: workdays, Start: '16:00', End: '18:00', State: 'PostMarket' },
    { Days: workdays, Start: '20:00', End: '19:00' },
  ]
  assert.deepEqual(between({ ...office, Hours }, '2026-11-16'), [
    '2026-11-16T09:00 2026-11-16T17:00 AutomatedTrading',
    '2026-11-16T17:00 2026-11-16T18:00 PostMarket',
  ])
})

test('a skipped local time uses the offset before the change; of a repeated one the first counts', () => {
  const Hours: Calendar['Hours'] = [{ Days: ['Sun'], Start: '02:30', End: '05:00' }]
  const newYork: Calendar = { TimeZone: 'America/New_York', Hours }
  assert.deepEqual(between(newYork, '2027-03-14'), ['2027-03-14T07:30 2027-03-14T09:00 AutomatedTrading'])
  const repeated: Calendar = { ...newYork, Hours: [{ Days: ['Sun'], Start: '01:30', End: '05:00' }] }
  assert.deepEqual(between(repeated, '2027-11-07'), ['2027-11-07T05:30 2027-11-07T10:00 AutomatedTrading'])
  const onlySkipped: Calendar = { ...newYork, Hours: [{ Days: ['Sun'], Start: '02:30', End: '03:00' }] }
  assert.deepEqual(between(onlySkipped, '2027-03-14'), [])
})

test('the day of a clock change is longer or shorter', () => {
  const hours = { Days: ['Sun' as const], Start: '00:00', End: '24:00' }
  const london: Calendar = { TimeZone: 'Europe/London', Hours: [hours] }
  assert.deepEqual(between(london, '2027-03-28'), ['2027-03-28T00:00 2027-03-28T23:00 AutomatedTrading'])
  assert.deepEqual(between(london, '2027-10-31'), ['2027-10-30T23:00 2027-11-01T00:00 AutomatedTrading'])
})

test('a schedule starts with the current session and ends with the one a week later', () => {
  assert.deepEqual(schedule(exchange('LSE'), '2026-11-17T10:00:00Z'), [
    '2026-11-17T08:00 2026-11-17T16:30 AutomatedTrading',
    '2026-11-17T16:30 2026-11-18T08:00 Closed',
    '2026-11-18T08:00 2026-11-18T16:30 AutomatedTrading',
    '2026-11-18T16:30 2026-11-19T08:00 Closed',
    '2026-11-19T08:00 2026-11-19T16:30 AutomatedTrading',
    '2026-11-19T16:30 2026-11-20T08:00 Closed',
    '2026-11-20T08:00 2026-11-20T16:30 AutomatedTrading',
    '2026-11-20T16:30 2026-11-23T08:00 Closed',
    '2026-11-23T08:00 2026-11-23T16:30 AutomatedTrading',
    '2026-11-23T16:30 2026-11-24T08:00 Closed',
    '2026-11-24T08:00 2026-11-24T16:30 AutomatedTrading',
  ])
})

test('on a Sunday the current session is the closure since Friday evening', () => {
  const sessions = schedule(exchange('NYSE'), '2026-11-15T04:00:00Z')
  assert.equal(sessions[0], '2026-11-13T21:00 2026-11-16T14:30 Closed')
  assert.equal(sessions.at(-1), '2026-11-20T21:00 2026-11-23T14:30 Closed')
})

test('the start of a session is inclusive, its end exclusive', () => {
  assert.match(schedule(office, '2026-11-17T09:00:00Z')[0] ?? '', /^2026-11-17T09:00 .* AutomatedTrading$/)
  assert.match(schedule(office, '2026-11-17T17:00:00Z')[0] ?? '', /^2026-11-17T17:00 2026-11-18T09:00 Closed$/)
  assert.match(schedule(office, '2026-11-17T09:00:00Z').at(-1) ?? '', /^2026-11-24T09:00 .* AutomatedTrading$/)
})

test('a closure of several weeks is one session, from either end', () => {
  const days = Array.from({ length: 30 }, (_, add) =>
    Temporal.PlainDate.from('2026-06-01').add({ days: add }).toString(),
  )
  const shut: Calendar = { ...office, Holidays: days.map((day) => ({ Date: day, Name: 'Mourning' })) }
  const closed = '2026-05-29T17:00 2026-07-01T09:00 Closed'
  assert.deepEqual(schedule(shut, '2026-06-15T12:00:00Z'), [closed])
  assert.equal(schedule(shut, '2026-06-29T12:00:00Z')[0], closed)
  assert.equal(schedule(shut, '2026-05-26T12:00:00Z').at(-1), closed)
})

test('a market that never opens is closed for the whole week', () => {
  const never: Calendar = { TimeZone: 'America/New_York', Hours: [] }
  assert.deepEqual(schedule(never, '2026-11-15T12:00:00Z'), ['2026-11-15T05:00 2026-11-23T05:00 Closed'])
})

test('a market that trades on a single day is closed before and after it', () => {
  const all = Array.from({ length: 1600 }, (_, add) =>
    Temporal.PlainDate.from('2025-01-01').add({ days: add }).toString(),
  )
  const Holidays = all.filter((day) => day !== '2026-11-17').map((day) => ({ Date: day, Name: 'Shut' }))
  const once: Calendar = { ...office, Holidays }
  assert.deepEqual(schedule(once, '2026-11-15T12:00:00Z'), [
    '2026-11-15T00:00 2026-11-17T09:00 Closed',
    '2026-11-17T09:00 2026-11-17T17:00 AutomatedTrading',
    '2026-11-17T17:00 2026-11-23T00:00 Closed',
  ])
  assert.deepEqual(schedule(once, '2026-12-15T12:00:00Z'), ['2026-11-17T17:00 2026-12-23T00:00 Closed'])
})

test('every schedule is contiguous, covers the week and stays valid until its stated end', () => {
  for (const calendar of exchanges)
    for (let at = Temporal.Instant.from('2026-11-15T04:17:00Z'); minute(at.epochMilliseconds) < '2028-01'; ) {
      const { schedule: found, until } = datedSchedule(calendar, at)
      const week = at.add({ hours: 7 * 24 })
      found.Sessions.slice(1).forEach((session, index) => {
        assert.equal(session.StartTime, found.Sessions[index]?.EndTime)
      })
      assert.ok((found.Sessions[0]?.StartTime ?? '') <= wireInstant(at.epochMilliseconds))
      assert.ok((found.Sessions.at(-1)?.EndTime ?? '') > wireInstant(week.epochMilliseconds))
      assert.ok(until > at.epochMilliseconds)
      const justBefore = Temporal.Instant.fromEpochMilliseconds(until - 1)
      assert.deepEqual(datedSchedule(calendar, justBefore).schedule, found)
      at = at.add({ hours: 24 * 19 + 5 })
    }
})

test('a schedule is valid until the session, the week, the day or the clock changes', () => {
  const until = (calendar: Calendar, now: string) => minute(datedSchedule(calendar, Temporal.Instant.from(now)).until)
  assert.equal(until(office, '2026-11-17T10:00:00Z'), '2026-11-17T17:00')
  assert.equal(until(office, '2026-11-21T10:00:00Z'), '2026-11-22T00:00')
  assert.equal(until(exchange('NYSE'), '2027-03-14T06:00:00Z'), '2027-03-14T07:00')
  // On the day after Thanksgiving, a week later, New York closes at 13:00: from then on the list must continue after it.
  assert.equal(until(exchange('NYSE'), '2026-11-20T17:00:00Z'), '2026-11-20T18:00')
  assert.equal(until({ TimeZone: 'Etc/UTC', Hours: [] }, '2026-11-21T10:00:00Z'), '2026-11-22T00:00')
})

test('reports the current id, abbreviation and offset of the time zone', () => {
  const zoneOf = (id: string, now: string) => {
    const { Sessions: _, ...zone } = datedSchedule(exchange(id), Temporal.Instant.from(now)).schedule
    return zone
  }
  assert.deepEqual(zoneOf('NYSE', '2027-03-14T06:59:59Z'), {
    TimeZone: 3,
    TimeZoneAbbreviation: 'EST',
    TimeZoneOffset: '-05:00:00',
  })
  assert.deepEqual(zoneOf('NYSE', '2027-03-14T07:00:00Z'), {
    TimeZone: 3,
    TimeZoneAbbreviation: 'EDT',
    TimeZoneOffset: '-04:00:00',
  })
  assert.equal(zoneOf('ASX', '2027-01-01T00:00:00Z').TimeZoneAbbreviation, 'AEDT')
  assert.equal(zoneOf('TYO', '2027-01-01T00:00:00Z').TimeZoneOffset, '09:00:00')
})

test('times have six decimals and end in Z', () => {
  assert.equal(wireInstant(0), '1970-01-01T00:00:00.000000Z')
  assert.equal(wireInstant(1_793_000_000_123), '2026-10-26T07:33:20.123000Z')
})
