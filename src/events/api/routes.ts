import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { assetTypes } from '../../core/asset-type.ts'
import { notFound } from '../../core/problem.ts'
import type { AddHelp } from '../../http/explain/help-link.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { sendWithBodyEtag, sendWithEtag } from '../../http/output/caching.ts'
import { feed, nextLink, pageOf } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { type EventTypeCode, eventTypes } from '../codes/event-types.ts'
import { preferredFormat } from '../rules/formats.ts'
import { searchedStates } from '../rules/listing.ts'
import { assetTypeDescription, assetTypeName, type Lookup, lookupGroups, requestedGroups } from '../rules/lookup.ts'
import type { EventPage } from '../rules/page.ts'
import { eventsAt, type PresentEvents } from './as-of.ts'
import { formatCursor, parseCursor } from './cursor.ts'
import { findEvent, listEventPage, listFilterValues, parseEvent, scopeOf } from './list.ts'
import { type Renderings, sendRendering } from './renderings.ts'
import * as schema from './schema.ts'
import { eventBytes, feedJson } from './view.ts'

const path = '/ca/v2/events'

export const listEvents = operation({
  method: 'GET',
  path,
  operationId: 'listEvents',
  summary: 'List corporate action events',
  description:
    'Returns the dividends, splits, offers and other events of securities that the selected accounts hold, or held on the record ' +
    'date, from one year ago to one year ahead. Send `Accept: text/calendar` or `text/csv` for other formats; the next page is ' +
    'then in the Link header.',
  query: schema.EventsQuery,
  responses: { 200: schema.EventsResponse },
  errors: ['MomentExpired', 'NoResultFound'],
  documented: { texts: ['text/calendar', 'text/csv'], etag: true, headers: ['Link'] },
  config: { isExplained: true },
})

export const getEventLookup = operation({
  method: 'GET',
  path: `${path}/lookupdata`,
  operationId: 'getEventLookup',
  summary: 'List filter values for events',
  description:
    'Returns the event types and asset types that occur in your events, or all there are, each with its name.',
  query: schema.LookupQuery,
  responses: { 200: schema.LookupResponse },
  errors: ['MomentExpired', 'NoResultFound'],
  documented: { etag: true },
})

export const getEvent = operation({
  method: 'GET',
  path: `${path}/:EventId`,
  operationId: 'getEvent',
  summary: 'Get a corporate action event',
  description:
    'Returns one event of any date with its options, deadlines, holdings and elections. EventStates also finds events in states ' +
    'that are never listed.',
  params: schema.EventParams,
  query: schema.EventQuery,
  responses: { 200: schema.Event },
  errors: ['MomentExpired', 'NoResultFound'],
  documented: { texts: ['text/calendar', 'text/csv'], etag: true },
  config: { isExplained: true },
})

type Dependencies = PresentEvents & Readonly<{ baseUrl: string; renderings: Renderings; addHelp: AddHelp }>

/** Operations 7 to 9. Events are in memory; what a client holds is read from the database on every request. */
export function eventRoutes(api: Server, deps: Dependencies): void {
  addOperation(api, listEvents, (request, reply) => handleListEvents(deps, request, reply))
  addOperation(api, getEventLookup, (request, reply) => handleGetEventLookup(deps, request, reply))
  addOperation(api, getEvent, (request, reply) => handleGetEvent(deps, request, reply))
}

/** The page that a request of operation 7 asks for. */
export function requestedPage(query: RequestOf<typeof listEvents>['query']): EventPage {
  const order = { column: query.SortColumn, type: query.SortType }
  const after = parseCursor(query.$skiptoken, order)
  return { top: query.$top, skip: after ? 0 : query.$skip, order, after }
}

async function handleListEvents(deps: Dependencies, request: RequestOf<typeof listEvents>, reply: FastifyReply) {
  const { query } = request
  const page = requestedPage(query)
  const caller = callerOf(request)
  const known = await eventsAt(deps, caller, query.AsOf)
  const { events, total, next: cursor } = await listEventPage(known, caller, query, page)
  if (events.length === 0) deps.addHelp(request, reply)
  const $skiptoken = cursor && formatCursor(page.order, cursor)
  const next = $skiptoken && nextLink(`${deps.baseUrl}${path}`, request, { $skiptoken })
  const format = preferredFormat(request.headers.accept)
  if (format === 'json') {
    const { etag, bytes } = feedJson(events, { count: total, next, maxRows: schema.eventsPage.maxTop })
    reply.header('content-type', 'application/json; charset=utf-8')
    return sendWithEtag(request, reply, etag, bytes)
  }
  // A page without rows, which has a link of its own, is never followed by another.
  if (next !== undefined) reply.header('link', `<${next}>; rel="next"`)
  return sendRendering(request, reply, deps.renderings[format], events.values().map(parseEvent))
}

async function handleGetEventLookup(
  deps: Dependencies,
  request: RequestOf<typeof getEventLookup>,
  reply: FastifyReply,
) {
  const { query } = request
  const caller = callerOf(request)
  const known = await eventsAt(deps, caller, query.AsOf)
  const values = await listFilterValues(known, scopeOf(caller, query), { ...query, IncludeLapsedEvents: false })
  const lookup: Lookup = {
    EventTypes: values.eventTypes.toSorted().map(eventTypeValue),
    AssetTypes: values.assetTypes.toSorted().map(assetTypeValue),
    AllEventTypes: Object.keys(eventTypes).map(eventTypeValue),
    AllAssetTypes: assetTypes.map(assetTypeValue),
  }
  const Data = requestedGroups(query.FieldGroups).map((FieldGroup) => ({ FieldGroup, Values: lookup[FieldGroup] }))
  const page = pageOf(request, `${deps.baseUrl}${getEventLookup.path}`, Data)
  const body = feed({ ...page, count: Data.length, maxRows: lookupGroups.length })
  return sendJson(request, reply, Buffer.from(JSON.stringify(body)))
}

async function handleGetEvent(deps: Dependencies, request: RequestOf<typeof getEvent>, reply: FastifyReply) {
  const { params, query } = request
  const caller = callerOf(request)
  const known = await eventsAt(deps, caller, query.AsOf)
  const event = await findEvent(known, scopeOf(caller, query), params.EventId, searchedStates(query.EventStates))
  if (!event) throw notFound(`Event ${params.EventId}`)
  const format = preferredFormat(request.headers.accept)
  if (format === 'json') return sendJson(request, reply, eventBytes(event))
  return sendRendering(request, reply, deps.renderings[format], [parseEvent(event)])
}

const eventTypeValue = (Code: string) => ({ Code, ...eventTypes[Code as EventTypeCode] })
const assetTypeValue = (Code: string) => ({
  Code,
  Name: assetTypeName(Code),
  Description: assetTypeDescription(Code),
})

function sendJson(request: FastifyRequest, reply: FastifyReply, body: Buffer): Buffer | FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  return sendWithBodyEtag(request, reply, body)
}
