import type { TradingSchedule } from '../../../instruments/api/schema.ts'
import { fromNow, shortDay, weekdayName, words, zoneName } from '../../shared/format.ts'
import type { SessionKind, WeekSession } from './week-rows.ts'

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
  Undefined: 'Not told',
  PreMarket: 'Before hours',
  PostMarket: 'After hours',
}

/** The sessions as people see them: those of one name that touch are one, as the trading days of currencies are. */
export function sessionsOf({ Sessions }: Pick<TradingSchedule, 'Sessions'>): WeekSession[] {
  const joined: WeekSession[] = []
  for (const { StartTime, EndTime, State } of Sessions) {
    const [start, end] = [Temporal.Instant.from(StartTime), Temporal.Instant.from(EndTime)]
    const name = names[State] ?? words(State)
    const last = joined.at(-1)
    if (last?.name === name && last.end.equals(start)) joined.splice(-1, 1, { ...last, end })
    else joined.push({ start, end, kind: kinds[State], name })
  }
  return joined
}

export const isPresent = ({ start, end }: WeekSession, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(start, now) <= 0 && Temporal.Instant.compare(now, end) < 0

/** `Mon 16 Nov, 09:30`, or the time alone where the day is already said. */
export function momentText(at: Temporal.ZonedDateTime, saidDay?: Temporal.ZonedDateTime): string {
  const date = at.toPlainDate()
  const clock = at.toPlainTime().toString().slice(0, 5)
  return saidDay?.toPlainDate().equals(date) ? clock : `${weekdayName(date)} ${shortDay(date)}, ${clock}`
}

/** The same, in a zone where today needs no saying. */
export function comingMoment(zone: string, at: Temporal.Instant, now: Temporal.Instant): string {
  return momentText(at.toZonedDateTimeISO(zone), now.toZonedDateTimeISO(zone))
}

export type Present = Readonly<{
  kind: SessionKind
  name: string
  /** When something else begins; undefined when that is not within the week that is told of. */
  until: Temporal.Instant | undefined
}>

/** What takes place now, and until when. */
export function presentOf(sessions: readonly WeekSession[], now: Temporal.Instant): Present | undefined {
  const present = sessions.find((session) => isPresent(session, now))
  if (!present) return undefined
  const { kind, name, end } = present
  return { kind, name, until: present === sessions.at(-1) ? undefined : end }
}

/** `Open until 16:00 New York, in 2 hours` */
export function presentSentence(present: Present, zone: string, now: Temporal.Instant): string {
  if (!present.until) return `${present.name} for all of the coming week`
  return `${present.name} until ${comingMoment(zone, present.until, now)} ${zoneName(zone)}, ${fromNow(present.until, now)}`
}

/** Whether two zones have the same clock at all these moments. */
export function haveSameClock(one: string, other: string, moments: readonly Temporal.Instant[]): boolean {
  return moments.every((at) => at.toZonedDateTimeISO(one).offset === at.toZonedDateTimeISO(other).offset)
}
