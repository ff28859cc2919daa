import { epochDay } from '../../core/time/days.ts'
import type { ExchangeRecord } from '../import/schema.ts'

/** When a market is open, or currencies settle. */
export type Calendar = Readonly<Pick<ExchangeRecord, 'TimeZone' | 'Hours' | 'Holidays' | 'EarlyCloses' | 'LateOpens'>>
export type Hours = NonNullable<Calendar['Hours']>
type Period = Hours[number]
export type SessionState = NonNullable<Period['State']>

/** Milliseconds since 1970; the end is exclusive. */
export type Session = Readonly<{ start: number; end: number; state: SessionState }>

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

/** Returns a function that says whether a day, counted from 1970-01-01, has hours and is no holiday. */
export function isOpenDay({ Hours = [], Holidays = [] }: Calendar): (day: number) => boolean {
  const closed = new Set(Holidays.map((holiday) => epochDay(holiday.Date)))
  const open = weekdayNames.map((name) => Hours.some(({ Days }) => Days.includes(name)))
  // The first day of 1970 was a Thursday.
  return (day) => open[(((day + 3) % 7) + 7) % 7] === true && !closed.has(day)
}

/** The instant of a local time; 24:00 is the next midnight. Temporal's 'compatible' disambiguation (RFC 5545): a skipped
 *  time uses the offset before the clock change, a repeated time is the first one. */
export function momentOf(date: Temporal.PlainDate, time: string, timeZone: string): number {
  const [day, plainTime] = time === '24:00' ? [date.add({ days: 1 }), '00:00'] : [date, time]
  return day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds
}

/** The sessions of one trading day with its breaks; empty on a holiday. A late open cuts off what is before it. An early
 *  close ends regular trading, and what follows that (a closing auction, the post-market) comes earlier by as much. */
export function sessionsOfDay(calendar: Calendar, exceptions: Exceptions, date: Temporal.PlainDate): Session[] {
  const day = date.toString()
  if (exceptions.holidays.has(day)) return []
  const weekday = weekdayNames[date.dayOfWeek - 1]
  const { Hours = [], TimeZone } = calendar
  const periods = Hours.filter(({ Days }) => Days.some((name) => name === weekday))
  if (periods.length === 0) return []
  const moment = (time: string, on = date): number => momentOf(on, time, TimeZone)
  const open = exceptions.opens.get(day)
  const close = exceptions.closes.get(day)
  const earliest = open === undefined ? -Infinity : moment(open)
  const usual = periods.map(({ Start, End, StartsDayBefore = false, State = 'AutomatedTrading' }) => ({
    start: Math.max(moment(Start, StartsDayBefore ? date.subtract({ days: 1 }) : date), earliest),
    end: moment(End),
    state: State,
  }))
  const sessions = close === undefined ? usual : closedEarly(usual, moment(close))
  sessions.sort((one, other) => one.start - other.start)
  return withGaps(sessions, 'Break')
}

function closedEarly(sessions: readonly Session[], close: number): Session[] {
  const regular = sessions.filter(({ state }) => state === 'AutomatedTrading')
  const usualClose = regular.length === 0 ? Infinity : Math.max(...regular.map(({ end }) => end))
  const earlier = Math.max(usualClose - close, 0)
  return sessions.map(({ start, end, state }) =>
    start >= usualClose
      ? { start: start - earlier, end: end - earlier, state }
      : { start, end: Math.min(end, close), state },
  )
}

/** Makes sessions contiguous: fills gaps with a state and drops what an earlier session covers. */
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
