import { timeZoneAbbreviation, timeZoneOffset, wireTimeZoneId } from '../../core/time/time-zones.ts'
import type { TradingSchedule } from '../api/schema.ts'
import { type Calendar, exceptionsOf, momentOf, type Session, sessionsOfDay, withGaps } from './trading-day.ts'

export type { Calendar, Session, SessionState } from './trading-day.ts'

const weekMilliseconds = 7 * 86_400_000

/**
 * How many days are looked back and, beyond the week, ahead, until there is a session on either side: a weekend with a
 * holiday, the longest festival, and one reach for a market that is closed for long, or for ever.
 */
const reaches = [4, 12, 400] as const

/**
 * The sessions of the trading days from one day through another, without a gap: a pause within a trading day is a Break,
 * all time between two trading days one Closed. Trading days that touch stay two (currencies change day at 17:00).
 */
export function sessionsBetween(calendar: Calendar, from: Temporal.PlainDate, through: Temporal.PlainDate): Session[] {
  const exceptions = exceptionsOf(calendar)
  const sessions: Session[] = []
  for (let day = from; Temporal.PlainDate.compare(day, through) <= 0; day = day.add({ days: 1 }))
    sessions.push(...sessionsOfDay(calendar, exceptions, day))
  return withGaps(sessions, 'Closed')
}

/** From the session that holds now through the one that holds the moment a week later, both whole (contract §6). */
export function sessionsFrom(calendar: Calendar, now: Temporal.Instant): Session[] {
  const [start, end] = [now.epochMilliseconds, now.epochMilliseconds + weekMilliseconds]
  const today = now.toZonedDateTimeISO(calendar.TimeZone).toPlainDate()
  let found: Session[] = []
  for (const days of reaches) {
    found = sessionsBetween(calendar, today.subtract({ days }), today.add({ days: 8 + days }))
    if (found.some((session) => session.start <= start) && found.some((session) => session.end > end)) break
  }
  const midnight = momentOf(today, '00:00', calendar.TimeZone)
  const bounded = boundedByClosed(found, midnight, nextMidnight(calendar, now) + weekMilliseconds)
  return bounded.filter((session) => session.end > start && session.start <= end)
}

/** A closure without a known beginning or end, such as that of a market without hours, begins and ends with a day. */
function boundedByClosed(sessions: Session[], start: number, end: number): Session[] {
  const [first, last] = [sessions[0], sessions.at(-1)]
  if (!first || !last) return [{ start, end, state: 'Closed' }]
  return [
    ...(first.start > start ? [{ start, end: first.start, state: 'Closed' } as const] : []),
    ...sessions,
    ...(last.end < end ? [{ start: last.end, end, state: 'Closed' } as const] : []),
  ]
}

function nextMidnight({ TimeZone }: Calendar, now: Temporal.Instant): number {
  return momentOf(now.toZonedDateTimeISO(TimeZone).toPlainDate(), '24:00', TimeZone)
}

/**
 * The schedule and the moment, in milliseconds since 1970, until which it surely stays the same, so that it can be kept:
 * the present session's end, the week's reaching beyond the last one, a clock change, or the local day's end.
 */
export function datedSchedule(calendar: Calendar, now: Temporal.Instant): { schedule: TradingSchedule; until: number } {
  const { TimeZone } = calendar
  const sessions = sessionsFrom(calendar, now)
  const clockChange = now.toZonedDateTimeISO(TimeZone).getTimeZoneTransition('next')
  return {
    schedule: {
      Sessions: sessions.map(({ start, end, state }) => ({
        StartTime: wireInstant(start),
        EndTime: wireInstant(end),
        State: state,
      })),
      TimeZone: wireTimeZoneId(TimeZone),
      TimeZoneAbbreviation: timeZoneAbbreviation(TimeZone, now),
      TimeZoneOffset: timeZoneOffset(TimeZone, now),
    },
    until: Math.min(
      ...sessions.slice(0, 1).map(({ end }) => end),
      ...sessions.slice(-1).map(({ end }) => end - weekMilliseconds),
      clockChange?.epochMilliseconds ?? Infinity,
      nextMidnight(calendar, now),
    ),
  }
}

/** A moment as the wire writes it: `2026-11-15T09:30:00.000000Z`. */
export function wireInstant(epochMilliseconds: number): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toString({ fractionalSecondDigits: 6 })
}
