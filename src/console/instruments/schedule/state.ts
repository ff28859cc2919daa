import type { TradingSchedule } from '../../../instruments/api/schema.ts'
import type { MarketSession, SessionKind } from '../../exchanges/rules/market-status.ts'
import { shortDay, weekdayName, words } from '../../shared/format.ts'

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
export function sessionsOf({ Sessions }: Pick<TradingSchedule, 'Sessions'>): MarketSession[] {
  const merged: MarketSession[] = []
  for (const { StartTime, EndTime, State } of Sessions) {
    const [start, end] = [Temporal.Instant.from(StartTime), Temporal.Instant.from(EndTime)]
    const name = names[State] ?? words(State)
    const last = merged.at(-1)
    if (last?.name === name && last.end.equals(start)) merged.splice(-1, 1, { ...last, end })
    else merged.push({ start, end, kind: kinds[State], name })
  }
  return merged
}

/** `Mon 16 Nov, 09:30`, or `09:30` if the date equals that of `reference`. */
export function momentText(at: Temporal.ZonedDateTime, reference?: Temporal.ZonedDateTime): string {
  const date = at.toPlainDate()
  const clock = at.toPlainTime().toString().slice(0, 5)
  return reference?.toPlainDate().equals(date) ? clock : `${weekdayName(date)} ${shortDay(date)}, ${clock}`
}

export function haveSameClock(one: string, other: string, moments: readonly Temporal.Instant[]): boolean {
  return moments.every((at) => at.toZonedDateTimeISO(one).offset === at.toZonedDateTimeISO(other).offset)
}
