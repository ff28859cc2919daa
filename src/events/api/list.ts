import { setImmediate } from 'node:timers/promises'
import { inParts } from '../../core/async/in-parts.ts'
import type { MaybePromise } from '../../core/async/maybe-promise.ts'
import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { notFound, unavailable } from '../../core/problem.ts'
import { dayText } from '../../core/time/days.ts'
import { type Moment as KnownMoment, requireStillKnown } from '../../database/history/moments.ts'
import type { Db } from '../../database/open.ts'
import type { EventDocument } from '../catalogue/documents.ts'
import type { EventView } from '../catalogue/past-events.ts'
import { instrumentKey, type Moment } from '../rules/facts.ts'
import { type EventCriteria, eventCriteria } from '../rules/filters.ts'
import { baseSelection, type EventSelection, searchedStates } from '../rules/listing.ts'
import type { Cursor, ListedEvent } from '../rules/order.ts'
import { type EventPage, eventsUpTo, type Match, matchingEvents, pageOf } from '../rules/page.ts'
import { readHoldings, type ScopeHoldings } from '../store/holdings.ts'
import type { Scope, ScopeFound } from '../store/scope.ts'
import type { EventState } from './enums.ts'
import type { Event, EventFilters } from './schema.ts'
import { type EventJson, EventWriter, eventBytes, type ViewOptions } from './view.ts'

/** Holdings are read from `db`; events are in the catalogue. If `db` is a replica that lacks an election that this node knows
 *  of, they are read from the primary server. */
export type EventDependencies = Readonly<{
  db: Db
  replicated?: Readonly<{ primary: Db; lastElection: Readonly<{ number: number }> }>
  catalogue: EventView
  /** What was known, if not everything (api/as-of.ts). */
  asOf?: KnownMoment
  clock: Clock
  /** Whether defaults apply after a deadline: not where elections are made elsewhere and imported later. */
  appliesDefaults?: boolean
}>
type EventCaller = Pick<Caller, 'ClientKey'>
type ScopeQuery = Pick<EventFilters, 'ClientKey' | 'AccountKey' | 'AccountGroupKey' | 'IncludeSubAccounts'>

const dayMs = 86_400_000

export function momentOf({
  clock,
  appliesDefaults = true,
}: Pick<EventDependencies, 'clock' | 'appliesDefaults'>): Moment {
  const nowMs = clock.nowMs()
  const today = dayText(Math.floor(nowMs / dayMs))
  return { today, nowMs: appliesDefaults ? nowMs : Number.NEGATIVE_INFINITY }
}

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

/** Of the latest day: making it takes longer than filtering by it. */
let latest: Readonly<{ today: string; selection: EventSelection }> | undefined

function selectionOn(today: string, includesLapsed: boolean): EventSelection {
  if (latest?.today !== today) latest = { today, selection: baseSelection(Temporal.PlainDate.from(today), false) }
  return { ...latest.selection, includesLapsed }
}

const criteriaOf = (filters: EventFilters, today: string): EventCriteria =>
  eventCriteria(filters, selectionOn(today, filters.IncludeLapsedEvents))

/** The holdings of a scope that the caller may use. The catalogue is then at least as recent. */
async function holdingsOf(
  { db, replicated, catalogue, asOf }: EventDependencies,
  scope: Scope,
  today: string,
  only: Parameters<typeof readHoldings>[3],
): Promise<ScopeHoldings> {
  const read = await readHoldings(db, scope, today, only, asOf)
  if (asOf) await requireStillKnown(db, asOf)
  const isBehind = replicated && read.lastElection < replicated.lastElection.number
  const held = isBehind ? await readHoldings(replicated.primary, scope, today, only) : read
  requireScope(held.found)
  await catalogue.reached(held.revisions)
  return held
}

const maxAttempts = 3

type Chosen = Readonly<{ rows: readonly ListedEvent[] }>

/** Chooses events and writes them as JSON. Chooses again if events have changed before their documents were read. */
async function written<Choice extends Chosen>(
  { catalogue, db, asOf }: EventDependencies,
  choose: (isLastAttempt: boolean) => MaybePromise<Choice | undefined>,
  options: ViewOptions,
): Promise<Choice & { events: EventJson[] }> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const chosen = await choose(attempt === maxAttempts - 1)
    if (!chosen) continue
    const documents = await catalogue.documentsOf(chosen.rows.map(({ event }) => event))
    if (!documents) continue
    if (asOf) await requireStillKnown(db, asOf)
    const writer = new EventWriter(options)
    return { ...chosen, events: chosen.rows.map((row, at) => writer.write(row, documents[at] as EventDocument)) }
  }
  throw unavailable()
}

/** Other requests are served after the events of so many instruments: with sub-clients there may be very many. */
const instrumentsAtOnce = 250

/** A page of the caller's events as JSON, their number, and the cursor of the next page (operation 7). Each attempt has its own
 *  match. */
export async function listEventPage(
  deps: EventDependencies,
  caller: EventCaller,
  filters: EventFilters,
  page: EventPage,
  startMatch: (criteria: EventCriteria, moment: Moment) => Match = () => matchingEvents,
) {
  const moment = momentOf(deps)
  const { today } = moment
  const scope = scopeOf(caller, filters)
  const criteria = criteriaOf(filters, today)
  const { found, holdings } = await holdingsOf(deps, scope, today, { since: criteria.selection.from })
  const choose = async (isLastAttempt: boolean) => {
    const collected = eventsUpTo(page)
    const match = startMatch(criteria, moment)
    let total = 0
    const { state } = deps.catalogue
    // Events may change between parts, so the last attempt has only one.
    for await (const part of inParts(holdings, isLastAttempt ? Number.POSITIVE_INFINITY : instrumentsAtOnce)) {
      if (deps.catalogue.state !== state) return undefined
      const matching = match(part, deps.catalogue.eventsOf, criteria, moment)
      collected.add(matching)
      total += matching.length
    }
    return { total, ...pageOf(collected, page) }
  }
  const { maxAccounts } = page
  const options = {
    client: found,
    clientKey: scope.clientKey,
    today,
    ...(maxAccounts !== undefined && { maxAccounts }),
  }
  return written(deps, choose, options)
}

/** The event types and asset types that occur in a list without filters (operation 9). */
export async function listFilterValues(deps: EventDependencies, scope: Scope, filters: EventFilters) {
  const moment = momentOf(deps)
  const { today } = moment
  const criteria = criteriaOf(filters, today)
  const { holdings } = await holdingsOf(deps, scope, today, { since: criteria.selection.from })
  const [eventTypes, assetTypes] = [new Set<string>(), new Set<string>()]
  for await (const part of inParts(holdings, instrumentsAtOnce))
    for (const { event } of matchingEvents(part, deps.catalogue.eventsOf, criteria, moment)) {
      eventTypes.add(event.eventType)
      assetTypes.add(event.assetType)
    }
  return { eventTypes: [...eventTypes], assetTypes: [...assetTypes] }
}

/** Reads the holdings of one event. The event may be new to the catalogue, or have moved to another instrument. */
export async function holdingsOfEvent(deps: EventDependencies, scope: Scope, today: string, eventId: string) {
  const known = deps.catalogue.find(eventId) ?? { eventId, assetType: '', uic: 0 }
  const held = await holdingsOf(deps, scope, today, known)
  const { assetType, uic } = deps.catalogue.find(eventId) ?? known
  if (assetType === known.assetType && uic === known.uic) return held
  return holdingsOf(deps, scope, today, { eventId, assetType, uic })
}

/** One event of any date in one of these states as JSON, if it applies to the scope (operation 8). */
export async function findEvent(
  deps: EventDependencies,
  scope: Scope,
  eventId: string,
  states: readonly EventState[],
): Promise<EventJson | undefined> {
  const moment = momentOf(deps)
  const { today } = moment
  const { found, holdings } = await holdingsOfEvent(deps, scope, today, eventId)
  const choose = () => {
    const event = deps.catalogue.find(eventId)
    const held = event && holdings.get(instrumentKey(event.assetType, event.uic))
    const applied = event && states.includes(event.state) ? held?.applied(event, moment) : undefined
    return { rows: event && applied ? [{ event, applied }] : [] }
  }
  const { events } = await written(deps, choose, { client: found, clientKey: scope.clientKey, today })
  return events[0]
}

/** What the accounts of a scope hold and have elected: of one event of any date, or of all listed ones. */
export async function holdingsOfEvents(deps: EventDependencies, scope: Scope, eventId: string | undefined) {
  const moment = momentOf(deps)
  const { today } = moment
  if (eventId !== undefined) {
    const { found, holdings } = await holdingsOfEvent(deps, scope, today, eventId)
    const event = deps.catalogue.find(eventId)
    const held = event && holdings.get(instrumentKey(event.assetType, event.uic))
    const applied = event && searchedStates(undefined).includes(event.state) ? held?.applied(event, moment) : undefined
    return { found, moment, listed: event && applied ? [{ event, applied }] : [] }
  }
  const criteria = criteriaOf({ IncludeLapsedEvents: false, IncludeSubAccounts: false }, today)
  const { found, holdings } = await holdingsOf(deps, scope, today, { since: criteria.selection.from })
  const listed: ListedEvent[] = []
  for await (const part of inParts(holdings, instrumentsAtOnce))
    listed.push(...matchingEvents(part, deps.catalogue.eventsOf, criteria, moment))
  return { found, moment, listed }
}

export const parseEvent = (event: EventJson): Event => JSON.parse(eventBytes(event).toString()) as Event

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
    const { events, next } = await listEventPage(deps, caller, filters, page)
    for (const [index, event] of events.entries()) {
      if (index % chunkSize === 0) await setImmediate()
      all.push(parseEvent(event))
    }
    if (!next || all.length >= maxEvents) return all.slice(0, maxEvents)
    after = next
  }
}
