import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { notFound } from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { Db } from '../../database/open.ts'
import { dayRanges, keywordsOf } from '../rules/filters.ts'
import { listing } from '../rules/listing.ts'
import { type EventPage, type EventRow, type EventsFound, listEvents } from '../store/events.ts'
import type { EventCriteria } from '../store/filters.ts'
import type { Scope, ScopeFound } from '../store/scope.ts'
import type { Cursor } from './cursor.ts'
import type { Event, EventFilters } from './schema.ts'
import { eventJson } from './view.ts'

/** What events are read and told with. `db` may be a replica. */
export type EventDependencies = Readonly<{ db: Db; clock: Clock; profile: WireProfile }>
export type Who = Pick<Caller, 'ClientKey'>

/** In events today is UTC's (contract §2). */
export const todayOf = ({ clock }: EventDependencies): Temporal.PlainDate =>
  clock.now().toZonedDateTimeISO('UTC').toPlainDate()

type Whose = Readonly<{
  ClientKey?: string | undefined
  AccountKey?: string | undefined
  AccountGroupKey?: string | undefined
  IncludeSubAccounts: boolean
}>

export function scopeOf({ ClientKey }: Who, whose: Whose): Scope {
  return {
    callerClientKey: ClientKey,
    clientKey: whose.ClientKey ?? ClientKey,
    accountKey: whose.AccountKey,
    accountGroupKey: whose.AccountGroupKey,
    includesSubClients: whose.IncludeSubAccounts,
  }
}

/** The same refusal for a key that is not there and for one of somebody else's (contract §5). */
export function requireScope({ has_client, has_account, has_group }: ScopeFound): void {
  if (!has_client) throw notFound('ClientKey')
  if (!has_account) throw notFound('AccountKey')
  if (!has_group) throw notFound('AccountGroupKey')
}

export function criteriaOf(filters: EventFilters, today: Temporal.PlainDate): EventCriteria {
  return {
    listing: listing(today, filters.IncludeLapsedEvents),
    days: dayRanges(filters),
    keywords: keywordsOf(filters.Keywords),
    assetTypes: filters.AssetTypes,
    corporateActionTypes: filters.CorporateActionTypes,
    electionStatuses: filters.ElectionStatuses,
    eventStates: filters.EventStates,
    eventStatus: filters.EventStatus,
    eventTypes: filters.EventTypes,
  }
}

/** Operation 7: a page of what concerns the caller, and its events as JSON. */
export async function listEventPage(
  parts: EventDependencies,
  who: Who,
  filters: EventFilters,
  page: EventPage,
): Promise<EventsFound & { texts: string[] }> {
  const { textOf, ...events } = await findPage(parts, who, filters, page)
  return { ...events, texts: events.rows.map(textOf) }
}

async function findPage(parts: EventDependencies, who: Who, filters: EventFilters, page: EventPage) {
  const day = todayOf(parts)
  const today = day.toString()
  const scope = scopeOf(who, filters)
  const events = await listEvents(parts.db, scope, today, criteriaOf(filters, day), page)
  requireScope(events.found)
  const telling = { client: events.found, clientKey: scope.clientKey, today, profile: parts.profile }
  return { ...events, textOf: (row: EventRow) => eventJson(row, telling) }
}

const maxEvents = 10_000
/** Nobody reads on in an entry of a calendar. */
const maxAccounts = 20
/** So many events are made at a time, between which others are served. */
const portion = 200

/** All pages at once, oldest first; bounded, so that nobody's calendar can stop the service. */
export async function listAllEvents(
  parts: EventDependencies,
  who: Who,
  filters: EventFilters,
  pageSize = 2_500,
): Promise<Event[]> {
  const order = { column: 'Date', type: 'Asc' } as const
  const all: Event[] = []
  for (let after: Cursor | undefined; ; ) {
    const page = { top: pageSize, skip: 0, order, after, maxAccounts }
    const { rows, hasMore, textOf } = await findPage(parts, who, filters, page)
    for (const [index, row] of rows.entries()) {
      if (index % portion === 0) await setImmediate()
      all.push(JSON.parse(textOf(row)) as Event)
    }
    const last = rows.at(-1)
    if (!hasMore || !last || all.length >= maxEvents) return all.slice(0, maxEvents)
    after = { value: last.sort_value, eventId: last.event_id }
  }
}
