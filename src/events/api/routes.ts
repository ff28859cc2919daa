import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { assetTypes } from '../../core/asset-type.ts'
import { notFound } from '../../core/problem.ts'
import { sentQuery } from '../../http/input/query.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { nextLink } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { eventTypes } from '../codes/codes.ts'
import { preferredFormat } from '../rules/formats.ts'
import { searchedStates } from '../rules/listing.ts'
import { assetTypeName, type Lookup, requestedGroups } from '../rules/lookup.ts'
import { findEvent, listFilterValues } from '../store/events.ts'
import { formatCursor, parseCursor } from './cursor.ts'
import { criteriaOf, type EventDependencies, listEventPage, requireScope, scopeOf, todayOf } from './list.ts'
import { type Renderings, sendRendering } from './renderings.ts'
import * as schema from './schema.ts'
import { eventJson, feedJson } from './view.ts'

/** Operations 7 to 9, from the database on every request: what belongs to a client is never kept. */
export function eventRoutes(api: Server, parts: EventDependencies & { baseUrl: string; renderings: Renderings }): void {
  const path = '/ca/v2/events'
  const tags = ['ca']
  const documented = { texts: ['text/calendar', 'text/csv'], etag: true, errors: ['NoResultFound'] } as const

  api.get(
    path,
    {
      schema: {
        operationId: 'listEvents',
        summary: 'The corporate action events of what a client holds',
        description:
          'Dividends, splits, offers and the like of what the accounts in question hold, or held on the record date, from a year ago to a ' +
          'year ahead. Filters only narrow. As text/calendar or text/csv by Accept; the next page is then in the header Link.',
        tags,
        querystring: schema.EventsQuery,
        response: { 200: schema.EventsResponse },
        documented: { ...documented, headers: ['Link'] },
      },
    },
    async (request, reply) => {
      const { query } = request
      const order = { column: query.SortColumn, type: query.SortType }
      const page = { top: query.$top, skip: query.$skip, order, after: parseCursor(query.$skiptoken, order) }
      const skip = page.after ? 0 : page.skip
      const { texts, rows, total, hasMore } = await listEventPage(parts, callerOf(request), query, { ...page, skip })
      const last = rows.at(-1)
      const next =
        hasMore && last
          ? nextLink(`${parts.baseUrl}${path}`, sentQuery(request), {
              $skiptoken: formatCursor(order, { value: last.sort_value, eventId: last.event_id }),
            })
          : undefined
      const format = preferredFormat(request.headers.accept)
      if (format === 'json')
        return answer(request, reply, feedJson(texts, { count: total, next, maxRows: schema.eventsPage.maxTop }))
      if (next !== undefined) reply.header('link', `<${next}>; rel="next"`)
      return sendRendering(request, reply, parts.renderings[format], eventsIn(texts))
    },
  )

  api.get(
    `${path}/lookupdata`,
    {
      schema: {
        operationId: 'getEventLookup',
        summary: 'What a list of events can be filtered by',
        description:
          'For the filters of a list: the event types and asset types that occur in it, or all there are, each with its name.',
        documented: { etag: true, errors: ['NoResultFound'] },
        tags,
        querystring: schema.LookupQuery,
        response: { 200: schema.LookupResponse },
      },
    },
    async (request, reply) => {
      const { query } = request
      const day = todayOf(parts)
      const criteria = criteriaOf({ ...query, IncludeLapsedEvents: false }, day)
      const occurring = await listFilterValues(parts.db, scopeOf(callerOf(request), query), day.toString(), criteria)
      requireScope(occurring.found)
      const lookup: Lookup = {
        EventTypes: occurring.eventTypes.toSorted().map(eventTypeValue),
        AssetTypes: occurring.assetTypes.toSorted().map(assetTypeValue),
        AllEventTypes: Object.keys(eventTypes).map(eventTypeValue),
        AllAssetTypes: assetTypes.map(assetTypeValue),
      }
      const Data = requestedGroups(query.FieldGroups).map((FieldGroup) => ({ FieldGroup, Values: lookup[FieldGroup] }))
      return answer(request, reply, JSON.stringify({ Data }))
    },
  )

  api.get(
    `${path}/:EventId`,
    {
      schema: {
        operationId: 'getEvent',
        summary: 'One corporate action event',
        description:
          'One event of any date, with its options, deadlines, and what each account holds and elected. Also read here are states that ' +
          'no list has, by EventStates.',
        tags,
        params: schema.EventParams,
        querystring: schema.EventQuery,
        response: { 200: schema.Event },
        documented,
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const scope = scopeOf(callerOf(request), query)
      const today = todayOf(parts).toString()
      const { found, rows } = await findEvent(parts.db, scope, today, params.EventId, searchedStates(query.EventStates))
      requireScope(found)
      const [row] = rows
      if (!row) throw notFound(`Event ${params.EventId}`)
      const telling = { client: found, clientKey: scope.clientKey, today, profile: parts.profile }
      const text = eventJson(row, telling)
      const format = preferredFormat(request.headers.accept)
      if (format === 'json') return answer(request, reply, text)
      return sendRendering(request, reply, parts.renderings[format], eventsIn([text]))
    },
  )
}

const eventTypeValue = (code: string) => ({
  Code: code,
  Name: eventTypes[code as keyof typeof eventTypes]?.Name ?? code,
})
const assetTypeValue = (type: string) => ({ Code: type, Name: assetTypeName(type) })

const eventsIn = (texts: readonly string[]) => texts.values().map((text) => JSON.parse(text) as schema.Event)

function answer(request: FastifyRequest, reply: FastifyReply, body: string): Buffer | FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  return sendWithBodyEtag(request, reply, Buffer.from(body))
}
