import type { TradingSchedule } from '../../../instruments/api/schema.ts'
import { fromNow, shortDay, weekdayName, words, zoneName } from '../../shared/format.ts'
import type { SessionKind, WeekSession } from './week.ts'

type State = TradingSchedule['Sessions'][number]['State']

const kinds: Record<State, SessionKind> = {
  AutomatedTrading: 'open',
  PitTrading: 'open',
  TradingAtLast: 'open',
  Auction: 'auction',
  CallAuctionTrading: 'auction',
  OpeningAuction: 'auction',
  PreAutomatedTrading: 'extended',
  PreMarket: 'extended',
  PreTrading: 'extended',
  PostAutomatedTrading: 'extended',
  PostMarket: 'extended',
  PostTrading: 'extended',
  Break: 'pause',
  Halt: 'halted',
  Suspended: 'halted',
  Closed: 'closed',
  Undefined: 'closed',
}

const names: Partial<Record<State, string>> = {
  AutomatedTrading: 'Open',
  Undefined: 'Unknown',
  PreMarket: 'Pre-market',
  PostMarket: 'After hours',
  PreTrading: 'Pre-trading',
  PostTrading: 'Post-trading',
}

/** Merges adjacent sessions with the same name, such as the trading days of currencies. */
export function sessionsOf({ Sessions }: Pick<TradingSchedule, 'Sessions'>): WeekSession[] {
  const merged: WeekSession[] = []
  for (const { StartTime, EndTime, State } of Sessions) {
    const [start, end] = [Temporal.Instant.from(StartTime), Temporal.Instant.from(EndTime)]
    const name = names[State] ?? words(State)
    const last = merged.at(-1)
    if (last?.name === name && last.end.equals(start)) merged.splice(-1, 1, { ...last, end })
    else merged.push({ start, end, kind: kinds[State], name })
  }
  return merged
}

export const isCurrent = ({ start, end }: WeekSession, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(start, now) <= 0 && Temporal.Instant.compare(now, end) < 0

/** `Mon 16 Nov, 09:30`, or `09:30` if the date equals that of `reference`. */
export function momentText(at: Temporal.ZonedDateTime, reference?: Temporal.ZonedDateTime): string {
  const date = at.toPlainDate()
  const clock = at.toPlainTime().toString().slice(0, 5)
  return reference?.toPlainDate().equals(date) ? clock : `${weekdayName(date)} ${shortDay(date)}, ${clock}`
}

/** A coming moment in a time zone; the date is omitted if it is today. */
export function comingMoment(zone: string, at: Temporal.Instant, now: Temporal.Instant): string {
  return momentText(at.toZonedDateTimeISO(zone), now.toZonedDateTimeISO(zone))
}

export type CurrentState = Readonly<{
  kind: SessionKind
  name: string
  /** When the state changes; undefined if it does not change within the schedule. */
  until: Temporal.Instant | undefined
}>

export function currentStateOf(sessions: readonly WeekSession[], now: Temporal.Instant): CurrentState | undefined {
  const current = sessions.find((session) => isCurrent(session, now))
  if (!current) return undefined
  const { kind, name, end } = current
  return { kind, name, until: current === sessions.at(-1) ? undefined : end }
}

/** `Open until 16:00 New York, in 2 hours` */
export function stateSentence({ name, until }: CurrentState, zone: string, now: Temporal.Instant): string {
  if (!until) return `${name} for the whole week`
  return `${name} until ${comingMoment(zone, until, now)} ${zoneName(zone)}, ${fromNow(until, now)}`
}

export function haveSameClock(one: string, other: string, moments: readonly Temporal.Instant[]): boolean {
  return moments.every((at) => at.toZonedDateTimeISO(one).offset === at.toZonedDateTimeISO(other).offset)
}
