import type { ExchangeRecord } from '../import/schema.ts'

/** What tells when a market is open. An instrument's own Hours stand in the place of its exchange's; the rest stays. */
export type Calendar = Readonly<Pick<ExchangeRecord, 'TimeZone' | 'Hours' | 'Holidays' | 'EarlyCloses' | 'LateOpens'>>
export type Hours = Calendar['Hours']
type Period = Hours[number]
export type SessionState = NonNullable<Period['State']>

/** A stretch of time, in milliseconds since 1970; the end is not in it. */
export type Session = Readonly<{ start: number; end: number; state: SessionState }>

/** The exceptions of a calendar by their day, so that a walk over many days looks each up once. */
export type Exceptions = Readonly<{
  holidays: ReadonlySet<string>
  closes: ReadonlyMap<string, string>
  opens: ReadonlyMap<string, string>
}>

export function exceptionsOf({ Holidays = [], EarlyCloses = [], LateOpens = [] }: Calendar): Exceptions {
  return {
    holidays: new Set(Holidays.map((holiday) => holiday.Date)),
    closes: new Map(EarlyCloses.map((day) => [day.Date, day.Close])),
    opens: new Map(LateOpens.map((day) => [day.Date, day.Open])),
  }
}

const weekdayNames: readonly Period['Days'][number][] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/**
 * The moment of a local wall time, 24:00 being the next day's midnight. An hour that a clock change skips or repeats is
 * read as RFC 5545 reads it (Temporal's 'compatible'): a skipped one by the offset before it, of a repeated one the first.
 */
export function momentOf(date: Temporal.PlainDate, time: string, timeZone: string): number {
  const [day, plainTime] = time === '24:00' ? [date.add({ days: 1 }), '00:00'] : [date, time]
  return day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds
}

/**
 * The sessions of one trading day with its midday breaks, in order, none over another; empty when it does not take place.
 * A late open or an early close cuts what lies outside it, and takes the whole day when nothing is left.
 */
export function sessionsOfDay(calendar: Calendar, exceptions: Exceptions, date: Temporal.PlainDate): Session[] {
  const day = date.toString()
  if (exceptions.holidays.has(day)) return []
  const weekday = weekdayNames[date.dayOfWeek - 1]
  const periods = calendar.Hours.filter(({ Days }) => Days.some((name) => name === weekday))
  if (periods.length === 0) return []
  const moment = (time: string, on = date): number => momentOf(on, time, calendar.TimeZone)
  const open = exceptions.opens.get(day)
  const close = exceptions.closes.get(day)
  const earliest = open === undefined ? -Infinity : moment(open)
  const latest = close === undefined ? Infinity : moment(close)
  const sessions = periods.map(({ Start, End, StartsDayBefore = false, State = 'AutomatedTrading' }) => ({
    start: Math.max(moment(Start, StartsDayBefore ? date.subtract({ days: 1 }) : date), earliest),
    end: Math.min(moment(End), latest),
    state: State,
  }))
  return withGaps(
    sessions.sort((one, other) => one.start - other.start),
    'Break',
  )
}

/** Contiguous: what is between two sessions becomes one of the state given; what an earlier one covers is left out. */
export function withGaps(sessions: readonly Session[], gap: SessionState): Session[] {
  const filled: Session[] = []
  for (const session of sessions) {
    const end = filled.at(-1)?.end ?? session.start
    if (session.end <= Math.max(session.start, end)) continue
    if (session.start > end) filled.push({ start: end, end: session.start, state: gap })
    filled.push(session.start < end ? { ...session, start: end } : session)
  }
  return filled
}
