import type { EventFacts, Moment } from './facts.ts'
import { type EventCriteria, passesFilters } from './filters.ts'
import type { Applied, Held } from './holdings.ts'
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

/** Returns the events of holdings that match, in no order. */
export type Match = (
  holdings: Iterable<readonly [instrument: string, Held]>,
  eventsOf: EventsOf,
  criteria: EventCriteria,
  moment: Moment,
) => ListedEvent[]

export const matchingEvents: Match = (holdings, eventsOf, criteria, moment) => {
  const matching: ListedEvent[] = []
  for (const [instrument, held] of holdings)
    for (const event of eventsOf(instrument)) {
      if (!passesFilters(event, criteria, moment.today)) continue
      const applied = held.applied(event, moment)
      if (applied && hasElectionStatus(event, applied, criteria)) matching.push({ event, applied })
    }
  return matching
}

/** Whether what was elected passes the filter ElectionStatuses; events without a status pass only without it (§7.2). */
export function hasElectionStatus(event: EventFacts, applied: Applied, { electionStatuses }: EventCriteria): boolean {
  if (electionStatuses === undefined) return true
  const status = electionStatusOf(event, applied)
  return status !== undefined && electionStatuses.includes(status)
}

export const electionStatusOf = ({ isElectable }: EventFacts, { size, elected }: Applied) =>
  electionStatus(isElectable, size, elected)

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
