import type { TradingScheduleAnswer } from '../../instruments/schema.ts'
import type { SessionKind, WeekSession } from '../charts/week-rows.ts'
import { fromNow, shortDay, weekdayName, words } from '../format.ts'

type State = TradingScheduleAnswer['Sessions'][number]['State']

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

export function sessionsOf({ Sessions }: TradingScheduleAnswer): WeekSession[] {
  return Sessions.map(({ StartTime, EndTime, State }) => ({
    start: Temporal.Instant.from(StartTime),
    end: Temporal.Instant.from(EndTime),
    kind: kinds[State],
    name: names[State] ?? words(State),
  }))
}

/** `New York` of America/New_York. */
export function placeOf(zone: string): string {
  const place = zone.split('/').at(-1) ?? zone
  return place.replaceAll('_', ' ')
}

/** `Mon 16 Nov, 09:30`, or the time alone where the day is already said. */
export function momentText(at: Temporal.ZonedDateTime, saidDay?: Temporal.ZonedDateTime): string {
  const date = at.toPlainDate()
  const clock = at.toPlainTime().toString().slice(0, 5)
  return saidDay?.toPlainDate().equals(date) ? clock : `${weekdayName(date)} ${shortDay(date)}, ${clock}`
}

/** The same, in a zone, on a day that is today for the reader. */
export function momentIn(zone: string, at: Temporal.Instant, now: Temporal.Instant): string {
  return momentText(at.toZonedDateTimeISO(zone), now.toZonedDateTimeISO(zone))
}

export type Present = Readonly<{
  kind: SessionKind
  name: string
  /** When something else begins; undefined when that is not within the week that is told of. */
  until: Temporal.Instant | undefined
}>

/** What takes place now, and until when: sessions of one name that touch are one to a reader. */
export function presentOf(sessions: readonly WeekSession[], now: Temporal.Instant): Present | undefined {
  const isPresent = ({ start, end }: WeekSession) =>
    Temporal.Instant.compare(start, now) <= 0 && Temporal.Instant.compare(now, end) < 0
  const index = sessions.findIndex(isPresent)
  const present = sessions[index]
  if (!present) return undefined
  const next = sessions.slice(index + 1).find(({ name }) => name !== present.name)
  return { kind: present.kind, name: present.name, until: next?.start }
}

/** `Open until 16:00 New York, in 2 hours` */
export function presentSentence(present: Present, zone: string, now: Temporal.Instant): string {
  if (!present.until) return `${present.name} for all of the coming week`
  return `${present.name} until ${momentIn(zone, present.until, now)} ${placeOf(zone)}, ${fromNow(present.until, now)}`
}

/** Whether two zones have the same clock at all these moments. */
export function haveSameClock(one: string, other: string, moments: readonly Temporal.Instant[]): boolean {
  return moments.every((at) => at.toZonedDateTimeISO(one).offset === at.toZonedDateTimeISO(other).offset)
}
