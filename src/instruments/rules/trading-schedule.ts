import { timeZoneAbbreviation, timeZoneOffset, wireTimeZoneId } from '../../core/time/time-zones.ts'
import type { TradingSchedule } from '../api/schema.ts'
import { type Calendar, exceptionsOf, momentOf, type Session, sessionsOfDay, withGaps } from './trading-day.ts'

export type { Calendar, Session, SessionState } from './trading-day.ts'

const weekMilliseconds = 7 * 86_400_000

/** Days to look back, and ahead after the week, to find a session on either side: a weekend with a holiday, the longest
 *  festival, and a market that is closed for long or for ever. */
const reaches = [4, 12, 400] as const

/** The sessions of a range of trading days, without gaps: Break within a trading day, Closed between two. Adjacent
 *  trading days stay separate (currencies change day at 17:00). */
export function sessionsBetween(calendar: Calendar, from: Temporal.PlainDate, through: Temporal.PlainDate): Session[] {
  const exceptions = exceptionsOf(calendar)
  const sessions: Session[] = []
  for (let day = from; Temporal.PlainDate.compare(day, through) <= 0; day = day.add({ days: 1 }))
    sessions.push(...sessionsOfDay(calendar, exceptions, day))
  return withGaps(sessions, 'Closed')
}

/** From the session that contains now through the one that contains the same moment next week, both whole (§6.5). */
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

const dayMilliseconds = 86_400_000

/** The sessions that ended within the 24 hours before now, without closures, and until when they stay the same, in milliseconds
 *  since 1970: until another one ends, one ended 24 hours ago, or the local day ends. */
export function sessionsBefore(calendar: Calendar, now: Temporal.Instant): { sessions: Session[]; until: number } {
  const time = now.epochMilliseconds
  const today = now.toZonedDateTimeISO(calendar.TimeZone).toPlainDate()
  // A trading day can begin on the evening before.
  const near = sessionsBetween(calendar, today.subtract({ days: 2 }), today.add({ days: 1 })).filter(
    ({ state }) => state !== 'Closed',
  )
  const changes = near.flatMap(({ end }) => [end, end + dayMilliseconds]).filter((change) => change > time)
  return {
    sessions: near.filter(({ end }) => end <= time && end > time - dayMilliseconds),
    until: Math.min(...changes, nextMidnight(calendar, now)),
  }
}

/** A closure without a known start or end, such as that of a market without hours, starts and ends with a day. */
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

/** The schedule, and until when it stays the same, in milliseconds since 1970: the end of the current session, the week
 *  passing the last session, a clock change, or the end of the local day. */
export function datedSchedule(calendar: Calendar, now: Temporal.Instant): { schedule: TradingSchedule; until: number } {
  const { TimeZone } = calendar
  const sessions = sessionsFrom(calendar, now)
  const clockChange = now.toZonedDateTimeISO(TimeZone).getTimeZoneTransition('next')
  return {
    schedule: {
      Sessions: sessions.map(sessionView),
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

export const sessionView = ({ start, end, state }: Session): TradingSchedule['Sessions'][number] => ({
  StartTime: wireInstant(start),
  EndTime: wireInstant(end),
  State: state,
})

/** Formats an instant like `2026-11-15T09:30:00.000000Z` (§2.2). */
export function wireInstant(epochMilliseconds: number): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toString({ fractionalSecondDigits: 6 })
}
