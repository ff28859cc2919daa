import { offsetAt } from '../../../core/time/wall-clock.ts'
import type { TradingSchedule } from '../../../instruments/api/schema.ts'
import type { MarketSession, SessionKind } from '../../exchanges/rules/market-status.ts'
import { shortDay, two, weekdayName, words } from '../../shared/format.ts'
import { Remembered } from '../../shared/remembered.ts'

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

const known = new Remembered<readonly MarketSession[]>()

/** Merges adjacent sessions with the same name, such as the trading days of currencies. */
export const sessionsOf = ({ Sessions }: Pick<TradingSchedule, 'Sessions'>): readonly MarketSession[] =>
  known.get(Sessions, [], () => merge(Sessions))

function merge(sessions: TradingSchedule['Sessions']): MarketSession[] {
  const merged: MarketSession[] = []
  let before: { text: string; at: Temporal.Instant } | undefined
  for (const { StartTime, EndTime, State } of sessions) {
    // Most sessions start where the one before ends.
    const start = before?.text === StartTime ? before.at : Temporal.Instant.from(StartTime)
    const end = Temporal.Instant.from(EndTime)
    before = { text: EndTime, at: end }
    const name = names[State] ?? words(State)
    const last = merged.at(-1)
    if (last?.name === name && last.end.equals(start)) merged.splice(-1, 1, { ...last, end })
    else merged.push({ start, end, kind: kinds[State], name })
  }
  return merged
}

/** `Mon 16 Nov, 09:30`, or `09:30` if the date equals that of `reference`. */
export function momentText(at: Temporal.PlainDateTime, reference?: Temporal.PlainDateTime): string {
  const clock = `${two(at.hour)}:${two(at.minute)}`
  const isSameDay = reference?.day === at.day && reference.month === at.month && reference.year === at.year
  return isSameDay ? clock : `${weekdayName(at)} ${shortDay(at)}, ${clock}`
}

export function haveSameClock(one: string, other: string, moments: readonly Temporal.Instant[]): boolean {
  return one === other || moments.every((at) => offsetAt(at, one) === offsetAt(at, other))
}
