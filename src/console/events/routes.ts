import type { FastifyReply } from 'fastify'
import type { Event } from '../../events/api/schema.ts'
import { ApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { Link } from '../shared/elements.ts'
import { renderMessage } from '../shared/messages.ts'
import type { PageRouter } from '../shared/router.ts'
import { eventBody, eventTags, eventTitle } from './detail/event-page.ts'
import { choicesFor, eventsPath, type Feed, filtersOf, orApiError, readDecisions, sendFile } from './event-data.ts'
import { decisionsBody } from './list/decisions.ts'
import { decisionsPath, eventListBody, listPath, maxExported } from './list/event-list.ts'
import { type Filters, hrefWith, parametersOf, scopeOnly } from './list/filters.ts'
import { monthPath, showMonth } from './list/month.ts'
import { createCalendar, revokeCalendar, showSubscriptions, subscribePath } from './list/subscribe.ts'

const defaultPageSize = '25'

export function eventRoutes(router: PageRouter): void {
  router.get(listPath, showList)
  router.get(`${listPath}.ics`, (ctx) => exportList(ctx, 'text/calendar', 'events.ics'))
  router.get(`${listPath}.csv`, (ctx) => exportList(ctx, 'text/csv', 'events.csv'))
  router.get(decisionsPath, showDecisions)
  router.get(monthPath, showMonth)
  router.get(subscribePath, (ctx) => showSubscriptions(ctx, filtersOf(ctx)))
  router.post(subscribePath, createCalendar)
  router.post(`${subscribePath}/withdraw`, revokeCalendar)
  router.get(`${listPath}/:EventId`, showEvent)
  router.get(`${listPath}/:EventId/event.ics`, (ctx) => exportEvent(ctx, 'text/calendar', 'event.ics'))
  router.get(`${listPath}/:EventId/event.csv`, (ctx) => exportEvent(ctx, 'text/csv', 'event.csv'))
}

async function showList(ctx: PageContext): Promise<FastifyReply> {
  const filters = filtersOf(ctx)
  const [top, cursor] = [ctx.query('$top'), ctx.query('$skiptoken')]
  const query = { ...parametersOf(filters), $top: top ?? defaultPageSize, $skiptoken: cursor }
  const [choices, found, decisions] = await Promise.all([
    choicesFor(ctx, filters),
    orApiError(ctx.api.get<Feed<Event>>(eventsPath, query)),
    cursor === undefined ? readDecisions(ctx, filters) : undefined,
  ])
  const error = found instanceof ApiError ? found : undefined
  const feed = found instanceof ApiError ? { Data: [] } : found
  return ctx.render({
    title: 'Corporate actions',
    status: error?.status ?? 200,
    body: eventListBody({
      form: { action: listPath, filters, choices, top, hasOrder: true },
      events: feed.Data,
      count: feed.__count ?? feed.Data.length,
      next: cursorIn(feed.__next),
      isFirstPage: cursor === undefined,
      decisions: decisions instanceof ApiError ? undefined : decisions,
      errors: error?.messages ?? [],
      reader: ctx.reader,
    }),
  })
}

async function showDecisions(ctx: PageContext): Promise<FastifyReply> {
  const filters = scopeOnly(filtersOf(ctx))
  const [choices, found] = await Promise.all([choicesFor(ctx, filters), readDecisions(ctx, filters)])
  const error = found instanceof ApiError ? found : undefined
  const decisions = found instanceof ApiError ? undefined : found
  return ctx.render({
    title: 'Needs your decision',
    status: error?.status ?? 200,
    body: decisionsBody({ filters, choices, decisions, errors: error?.messages ?? [], reader: ctx.reader }),
  })
}

const cursorIn = (next: string | undefined): string | undefined =>
  next === undefined ? undefined : (URL.parse(next)?.searchParams.get('$skiptoken') ?? undefined)

async function exportList(ctx: PageContext, type: string, file: string): Promise<FastifyReply> {
  const parameters = { ...parametersOf(filtersOf(ctx)), $top: maxExported }
  return sendFile(ctx, await ctx.api.text(eventsPath, parameters, type), type, file)
}

/** An event page shows any state, so that old links keep working. */
const allStates = ['Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn']

function eventCall(ctx: PageContext, filters: Filters): [path: string, parameters: Record<string, string | string[]>] {
  const { AccountGroupKey: _, ...scope } = parametersOf(scopeOnly(filters))
  return [`${eventsPath}/${encodeURIComponent(ctx.param('EventId'))}`, { ...scope, EventStates: allStates }]
}

async function showEvent(ctx: PageContext): Promise<FastifyReply> {
  const filters = filtersOf(ctx)
  const event = await ctx.api.find<Event>(...eventCall(ctx, filters))
  if (!event) return renderUnknownEvent(ctx, filters)
  const view = { event, filters, reader: ctx.reader }
  return ctx.render({
    title: eventTitle(event),
    crumbs: [['Corporate actions', hrefWith(listPath, scopeOnly(filters))]],
    aside: eventTags(view),
    body: eventBody(view),
  })
}

function renderUnknownEvent(ctx: PageContext, filters: Filters): FastifyReply {
  const isWide = filters.has('IncludeSubAccounts')
  const accounts = isWide ? 'these accounts and their sub-clients' : 'these accounts'
  const path = ctx.request.url.split('?')[0] ?? listPath
  const text = `No event with the ID ${ctx.param('EventId')} affects the holdings of ${accounts}.`
  const wider = hrefWith(path, scopeOnly(filters), { IncludeSubAccounts: 'true' })
  const link: Link = isWide ? ['Back to the list', listPath] : ['Include sub-clients', wider]
  return renderMessage(ctx, 404, 'Event not found', text, link)
}

async function exportEvent(ctx: PageContext, type: string, file: string): Promise<FastifyReply> {
  const [path, parameters] = eventCall(ctx, filtersOf(ctx))
  return sendFile(ctx, await ctx.api.text(path, parameters, type), type, file)
}
