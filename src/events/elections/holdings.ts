import type { Caller } from '../../core/caller.ts'
import { notFound } from '../../core/problem.ts'
import { etagOfBytes } from '../../http/output/caching.ts'
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
  const all = listed
    .toSorted((a, b) => (a.event.eventId < b.event.eventId ? -1 : 1))
    .flatMap(({ event, applied }) => (applied.holdings ?? []).map((holding) => ({ event, holding })))
  const { $skip, $top } = query
  const holdings = all.slice($skip, $skip + $top).map(({ event, holding }) => writer.holding(event, holding))
  const [only] = holdings
  const isOne = all.length === 1 && only !== undefined
  return { holdings, total: all.length, tag: isOne ? holdingTag(only) : etagOfBytes(holdings.join()) }
}
