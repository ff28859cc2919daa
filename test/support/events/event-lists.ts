import { type findEvent, listEventPage, parseEvent } from '../../../src/events/api/list.ts'
import type { Event } from '../../../src/events/api/schema.ts'
import type { EventRecord } from '../../../src/events/import/schema.ts'
import type { Cursor } from '../../../src/events/rules/order.ts'
import type { ListCall } from './event-generator.ts'
import { electionStatusOf, type Listed, naiveStatus, type World } from './event-model.ts'

type Dependencies = Parameters<typeof findEvent>[0]

/** Reads all pages, as a client would. */
export async function walk(
  deps: Dependencies,
  { caller, filters, order: { SortColumn, SortType }, rows: top }: ListCall,
) {
  const found: Event[] = []
  let after: Cursor | undefined
  for (;;) {
    const page = { top, skip: 0, order: { column: SortColumn, type: SortType }, after }
    const { events, next, total } = await listEventPage(deps, { ClientKey: caller }, filters, page)
    found.push(...events.map(parseEvent))
    if (!next) return { events: found, total }
    after = next
  }
}

export const holdingsOf = ({ Holdings }: Event) =>
  Holdings?.map(({ AccountId, Amount, ElectedAmount }) => ({ AccountId, Amount, ElectedAmount }))

/** What is compared of a listed event: id, statuses and holdings, or their totals with sub-clients. */
export const listedRow = (event: Event, includesSubClients: boolean) => [
  event.EventId,
  event.EventStatus,
  event.ElectionStatus,
  includesSubClients ? [event.AffectedAccounts, event.EligibleHoldings] : holdingsOf(event),
]

/** The same by the naive model. */
export function naiveRow(world: World, one: Listed, includesSubClients: boolean) {
  const record = world.events.find(({ EventId }) => EventId === one.EventId) as EventRecord
  return [
    one.EventId,
    naiveStatus(record, world.today),
    electionStatusOf(record, one),
    includesSubClients ? [one.holdings.length, one.eligible] : one.holdings,
  ]
}
