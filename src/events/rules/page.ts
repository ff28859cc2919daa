import type { EventFacts, Moment } from './facts.ts'
import { type EventCriteria, passesFilters } from './filters.ts'
import type { Held } from './holdings.ts'
import { electionStatus } from './listing.ts'
import { type Cursor, cursorOf, FirstEvents, type ListedEvent, type Order } from './order.ts'

export type EventPage = Readonly<{
  top: number
  skip: number
  order: Order
  after: Cursor | undefined
  /** Limits the holdings per event to the first accounts by id; default: all. */
  maxAccounts?: number
}>

/** The events of an instrument (facts.ts: instrumentKey). */
export type EventsOf = (instrument: string) => readonly EventFacts[]

/** The events of holdings that match, in no order. */
export function matchingEvents(
  holdings: Iterable<readonly [instrument: string, Held]>,
  eventsOf: EventsOf,
  criteria: EventCriteria,
  moment: Moment,
): ListedEvent[] {
  const { ElectionStatuses } = criteria.filters
  const matching: ListedEvent[] = []
  for (const [instrument, held] of holdings)
    for (const event of eventsOf(instrument)) {
      if (!passesFilters(event, criteria, moment.today)) continue
      const applied = held.applied(event, moment)
      if (!applied) continue
      const status = electionStatus(event.isElectable, applied.size, applied.elected)
      if (ElectionStatuses && !(status && ElectionStatuses.includes(status))) continue
      matching.push({ event, applied })
    }
  return matching
}

/** A page with holdings ends early after so many accounts: an event may have thousands. */
const maxHoldings = 20_000

/** Collects the matching events that can be on a page. */
export const eventsUpTo = ({ order, after, skip, top }: EventPage): FirstEvents =>
  new FirstEvents(order, after, skip + top)

/** A page of the collected events, and the cursor of its last event if there are more. */
export function pageOf(collected: FirstEvents, { order, skip, top, maxAccounts }: EventPage) {
  const rows: ListedEvent[] = []
  let named = 0
  for (const one of collected.inOrder().slice(skip, skip + top)) {
    if (named >= maxHoldings) break
    rows.push(one)
    if (maxAccounts === undefined) named += one.applied.holdings?.length ?? 0
  }
  const last = rows.at(-1)
  const hasMore = skip + rows.length < collected.remaining
  return { rows, next: last && hasMore ? cursorOf(order, last) : undefined }
}
