import type { Caller } from '../../core/caller.ts'
import { notFound } from '../../core/problem.ts'
import { type EventDependencies, holdingsOfEvents, scopeOf } from '../api/list.ts'
import { EventWriter, holdingTag } from '../api/view.ts'
import type { HoldingsQuery } from './schema.ts'

/** A page of the holdings of one event, or of all listed ones, by event and account, as JSON. The tag of a single holding is
 *  that which If-Match of an election takes. */
export async function listHoldings(deps: EventDependencies, caller: Pick<Caller, 'ClientKey'>, query: HoldingsQuery) {
  const scope = scopeOf(caller, { ...query, IncludeSubAccounts: false })
  const { found, moment, listed } = await holdingsOfEvents(deps, scope, query.EventId)
  if (query.EventId !== undefined && listed.length === 0) throw notFound(`Event ${query.EventId}`)
  const writer = new EventWriter({ client: found, clientKey: scope.clientKey, today: moment.today })
  const holdings: string[] = []
  let total = 0
  for (const { event, applied } of listed.toSorted((a, b) => (a.event.eventId < b.event.eventId ? -1 : 1))) {
    const rows = applied.holdings ?? []
    const from = Math.max(0, query.$skip - total)
    const wanted = rows.slice(from, from + query.$top - holdings.length)
    holdings.push(...wanted.map((holding) => writer.holding(event, holding)))
    total += rows.length
  }
  const [only] = holdings
  return { holdings, total, tag: total === 1 && only !== undefined ? holdingTag(only) : undefined }
}
