import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { notFound } from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { Db } from '../../database/open.ts'
import { dayRanges, keywordsOf } from '../rules/filters.ts'
import { baseSelection } from '../rules/listing.ts'
import { type EventPage, type EventRow, listEvents } from '../store/events.ts'
import type { EventCriteria } from '../store/filters.ts'
import type { Scope, ScopeFound } from '../store/scope.ts'
import type { Cursor } from './cursor.ts'
import type { Event, EventFilters } from './schema.ts'
import { eventJson } from './view.ts'

/** `db` may be a replica. */
export type EventDependencies = Readonly<{ db: Db; clock: Clock; profile: WireProfile }>
type EventCaller = Pick<Caller, 'ClientKey'>
type ScopeQuery = Pick<EventFilters, 'ClientKey' | 'AccountKey' | 'AccountGroupKey' | 'IncludeSubAccounts'>

export const todayOf = ({ clock }: EventDependencies): Temporal.PlainDate =>
  clock.now().toZonedDateTimeISO('UTC').toPlainDate()

export function scopeOf({ ClientKey }: EventCaller, query: ScopeQuery): Scope {
  return {
    callerClientKey: ClientKey,
    clientKey: query.ClientKey ?? ClientKey,
    accountKey: query.AccountKey,
    accountGroupKey: query.AccountGroupKey,
    includesSubClients: query.IncludeSubAccounts,
  }
}

/** Unknown keys and keys of other clients get the same error (§5.2). */
export function requireScope({ has_client, has_account, has_group }: ScopeFound): void {
  if (!has_client) throw notFound('ClientKey')
  if (!has_account) throw notFound('AccountKey')
  if (!has_group) throw notFound('AccountGroupKey')
}

export const criteriaOf = (filters: EventFilters, today: Temporal.PlainDate): EventCriteria => ({
  filters,
  selection: baseSelection(today, filters.IncludeLapsedEvents),
  days: dayRanges(filters),
  keywords: keywordsOf(filters.Keywords),
})

/** A page of the caller's events (operation 7). `toJson` writes one of them. */
export async function listEventPage(
  deps: EventDependencies,
  caller: EventCaller,
  filters: EventFilters,
  page: EventPage,
) {
  const day = todayOf(deps)
  const today = day.toString()
  const scope = scopeOf(caller, filters)
  const events = await listEvents(deps.db, scope, today, criteriaOf(filters, day), page)
  requireScope(events.found)
  const options = { client: events.found, clientKey: scope.clientKey, today, profile: deps.profile }
  return { ...events, toJson: (row: EventRow) => eventJson(row, options) }
}

const maxEvents = 10_000
/** Accounts per event, enough for the description of a calendar entry. */
const maxAccounts = 20
/** Other requests are served after every so many events. */
const chunkSize = 200

export async function listAllEvents(
  deps: EventDependencies,
  caller: EventCaller,
  filters: EventFilters,
  pageSize = 2_500,
): Promise<Event[]> {
  const order = { column: 'Date', type: 'Asc' } as const
  const all: Event[] = []
  for (let after: Cursor | undefined; ; ) {
    const page = { top: pageSize, skip: 0, order, after, maxAccounts }
    const { rows, hasMore, toJson } = await listEventPage(deps, caller, filters, page)
    for (const [index, row] of rows.entries()) {
      if (index % chunkSize === 0) await setImmediate()
      all.push(JSON.parse(toJson(row)) as Event)
    }
    const last = rows.at(-1)
    if (!hasMore || !last || all.length >= maxEvents) return all.slice(0, maxEvents)
    after = { value: last.sort_value, eventId: last.event_id }
  }
}
