import { type Moment, readHistoryStart } from '../../database/history/moments.ts'
import type { Db } from '../../database/open.ts'
import { type EventsState, isSameState, readConsistently, readState } from '../store/catalogue.ts'
import { eachNamedEvent, eachPastEvent, readPastNames } from '../store/past.ts'
import { factsOf, SharedTexts } from './event-index.ts'
import type { PastEvents } from './past-events.ts'

/** Puts into `past` what has changed since a moment, as it was: events, and the names of their instruments. Returns false if the
 *  database is in another state than the index of `past`, or the moment is no longer known. */
export function readPast(db: Db, past: PastEvents, state: EventsState, { identity, seq }: Moment): Promise<boolean> {
  return readConsistently(db, async (trx) => {
    const start = await readHistoryStart(trx)
    if (start.identity !== identity || start.prunedSeq > seq) return false
    if (!isSameState(await readState(trx), state)) return false
    const texts = new SharedTexts()
    const names = await readPastNames(trx, seq)
    for await (const events of eachNamedEvent(trx, names))
      for (const { eventId, uic, ...own } of events) {
        const event = past.find(eventId)
        const { symbol = null, description = null, isin = null } = names.get(uic) ?? {}
        const named = {
          symbol: own.symbol ?? symbol,
          description: own.description ?? description,
          isin: own.isin ?? isin,
        }
        if (event) past.put(eventId, { ...event, ...named })
      }
    for await (const events of eachPastEvent(trx, seq, names))
      for (const { eventId, row } of events) past.put(eventId, row ? factsOf(row, texts) : undefined)
    return true
  })
}
