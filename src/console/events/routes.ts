import type { FastifyReply } from 'fastify'
import type { Event } from '../../events/api/schema.ts'
import type { PageContext } from '../shared/context.ts'
import type { Link } from '../shared/elements.ts'
import { renderMessage } from '../shared/messages.ts'
import type { PageRouter } from '../shared/router.ts'
import { eventBody, eventTags, eventTitle } from './detail/event-page.ts'
import * as data from './event-data.ts'
import { showDecisions } from './list/decisions.ts'
import { decisionsPath, listPath, showList } from './list/event-list.ts'
import { type Filters, hrefWith, parametersOf, scopeOnly } from './list/filters.ts'
import { monthPath, showMonth } from './list/month.ts'
import { createCalendar, revokeCalendar, showSubscriptions, subscribePath } from './list/subscribe.ts'

const exports = [
  ['ics', 'text/calendar'],
  ['csv', 'text/csv'],
] as const

export function eventRoutes(router: PageRouter): void {
  router.get(listPath, showList)
  router.get(decisionsPath, showDecisions)
  router.get(monthPath, showMonth)
  router.get(subscribePath, (ctx) => showSubscriptions(ctx, data.filtersOf(ctx)))
  router.post(subscribePath, createCalendar)
  router.post(`${subscribePath}/withdraw`, revokeCalendar)
  router.get(`${listPath}/:EventId`, showEvent)
  for (const [extension, type] of exports) {
    router.get(`${listPath}.${extension}`, async (ctx) => {
      const query = { ...parametersOf(data.filtersOf(ctx)), $top: data.maxExported }
      return data.sendFile(ctx, await ctx.api.text(data.eventsPath, query, type), type, `events.${extension}`)
    })
    router.get(`${listPath}/:EventId/event.${extension}`, async (ctx) => {
      const text = await ctx.api.text(...eventCall(ctx, data.filtersOf(ctx)), type)
      return data.sendFile(ctx, text, type, `event.${extension}`)
    })
  }
}

/** An event page shows any state, so that old links keep working. */
const allStates = ['Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn']

function eventCall(ctx: PageContext, filters: Filters): [path: string, parameters: Record<string, string | string[]>] {
  const { AccountGroupKey: _, ...scope } = parametersOf(scopeOnly(filters))
  return [`${data.eventsPath}/${encodeURIComponent(ctx.param('EventId'))}`, { ...scope, EventStates: allStates }]
}

async function showEvent(ctx: PageContext): Promise<FastifyReply> {
  const filters = data.filtersOf(ctx)
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
