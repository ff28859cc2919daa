import type { FastifyReply } from 'fastify'
import type { Event } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { whyOf } from '../../explain/why.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { errorNotice, type Link } from '../../shared/elements.ts'
import type { PageContent } from '../../shared/frame.ts'
import { renderMessage } from '../../shared/messages.ts'
import { type Rejected, readOpenHolding } from '../elect/election.ts'
import { electionForm } from '../elect/form.ts'
import * as data from '../event-data.ts'
import { type Filters, hrefWith, parametersOf, scopeOnly } from '../list/filters.ts'
import { listPath } from '../list/views.ts'
import { eventBody, eventTabs, eventTags, eventTitle } from './event-page.ts'

export function eventCall(
  ctx: PageContext,
  filters: Filters,
): [path: string, parameters: Record<string, string | string[]>] {
  const { AccountGroupKey: _, ...scope } = parametersOf(scopeOnly(filters))
  return [`${data.eventsPath}/${encodeURIComponent(ctx.param('EventId'))}`, { ...scope, EventStates: data.allStates }]
}

export const pathOf = (ctx: PageContext): string => `${listPath}/${encodeURIComponent(ctx.param('EventId'))}`

/** The page of the event, for the same accounts. */
export const eventHref = (ctx: PageContext, more: Record<string, string>): string =>
  hrefWith(pathOf(ctx), scopeOnly(data.filtersOf(ctx)), more)

/** `rejected`: an election that was submitted and not accepted. */
export async function showEvent(
  ctx: PageContext,
  { rejected, status = 200 }: Readonly<{ rejected?: Rejected; status?: number }> = {},
): Promise<FastifyReply> {
  const filters = data.filtersOf(ctx)
  const event = await ctx.api.find<Event>(...eventCall(ctx, filters))
  if (!event) return renderUnknownEvent(ctx, filters)
  const open = await readOpenHolding(ctx, event)
  const { reader, formToken } = ctx
  // The browser then shows the form again, with what is wrong, not the top of the page.
  const action = `${hrefWith(`${pathOf(ctx)}/elect`, scopeOnly(filters))}#elect`
  const done = ctx.query('done')
  const election = open && electionForm({ ...open, event, reader, action, formToken, rejected, done })
  const view = { event, filters, reader, election, acceptsElections: ctx.deps.acceptsElections }
  return ctx.render({
    ...eventHead(ctx, event, filters),
    status,
    scripts: open ? ['elect.js'] : [],
    body: html`${eventTabs(pathOf(ctx), filters, 'Overview')}${!open && rejected && closedMeanwhile(rejected)}${eventBody(view)}`,
  })
}

/** The head of every page of an event. */
export const eventHead = ({ reader }: PageContext, event: Event, filters: Filters): Omit<PageContent, 'body'> => ({
  title: eventTitle(event),
  crumbs: [['Corporate actions', hrefWith(listPath, scopeOnly(filters))]],
  aside: eventTags(event, reader),
})

/** There is no form any more that could show the errors. */
function closedMeanwhile({ errors }: Rejected): Html | undefined {
  const messages = [...errors.others, ...Object.values(errors.fields).flat()]
  return errorNotice(messages.length > 0 ? messages : ['Nothing was saved: the deadline has passed in the meantime.'])
}

export async function renderUnknownEvent(ctx: PageContext, filters: Filters): Promise<FastifyReply> {
  const isWide = filters.has('IncludeSubAccounts')
  const accounts = isWide ? 'these accounts and their sub-clients' : 'these accounts'
  const path = ctx.request.url.split('?')[0] ?? listPath
  const text = `No event with the ID ${ctx.param('EventId')} affects the holdings of ${accounts}.`
  const wider = hrefWith(path, scopeOnly(filters), { IncludeSubAccounts: 'true' })
  const link: Link = isWide ? ['Back to the list', listPath] : ['Include sub-clients', wider]
  const why = await whyOf(ctx, withQuery(...eventCall(ctx, filters)))
  return renderMessage(ctx, 404, 'Event not found', text, link, why)
}
