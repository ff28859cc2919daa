import type { EventRecord, PositionRecord } from '../../events/import/schema.ts'
import type { ReferenceRecord } from '../../instruments/import/kinds.ts'
import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { demoReference } from '../reference/reference.ts'
import { bondEvents } from './bonds.ts'
import { capitalEvents } from './capital.ts'
import { type TradingDays, tradingDays } from './days.ts'
import { dividendChoiceEvents } from './dividend-choices.ts'
import { dividendEvents } from './dividends.ts'
import { type Desk, Issue } from './issue.ts'
import { meetingEvents } from './meetings.ts'
import { mergerEvents } from './mergers.ts'
import { noticeEvents } from './notices.ts'
import { offerEvents } from './offers.ts'
import { payoutEvents } from './payouts.ts'
import { demoPositions } from './positions.ts'
import { shareChangeEvents } from './share-changes.ts'

const tellers = [
  dividendEvents,
  payoutEvents,
  dividendChoiceEvents,
  capitalEvents,
  shareChangeEvents,
  mergerEvents,
  offerEvents,
  bondEvents,
  meetingEvents,
  noticeEvents,
]

/** What the demo accounts hold and what happens to it, as of a day (contract §10), told of the reference data of it. */
export function demoEvents(
  today: Temporal.PlainDate,
  reference: readonly ReferenceRecord[] = demoReference(today),
): { positions: PositionRecord[]; events: EventRecord[] } {
  const desk = openDesk(today, reference)
  return { positions: demoPositions(desk), events: tellers.flatMap((tell) => tell(desk)) }
}

/** Symbols are looked up in the reference data, so that what is gone from there cannot go unnoticed. */
function openDesk(today: Temporal.PlainDate, reference: readonly ReferenceRecord[]): Desk {
  const instruments = new Map<string | undefined, InstrumentRecord>()
  const daysOf = new Map<string | undefined, TradingDays>()
  for (const record of reference) {
    if (record.kind === 'instrument') instruments.set(record.Symbol, record)
    if (record.kind === 'exchange') {
      const holidays = new Set(record.Holidays?.map((holiday) => holiday.Date))
      daysOf.set(record.ExchangeId, tradingDays(today, holidays))
    }
  }
  return (symbol) => {
    const instrument = instruments.get(symbol)
    const days = daysOf.get(instrument?.ExchangeId)
    if (!instrument || !days) throw new Error(`The demo data has events of ${symbol}, but no such instrument.`)
    return new Issue(instrument, days)
  }
}
