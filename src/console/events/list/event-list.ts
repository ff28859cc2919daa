import type { FastifyReply } from 'fastify'
import type { Event } from '../../../events/api/schema.ts'
import * as deadlines from '../../../events/rules/status/deadlines.ts'
import { type Decisions, needsDecision } from '../../../events/rules/status/status.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { whyOf } from '../../explain/why.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { type Column, emptyState, errorNotice, type Link, pageLinks, table, tabs } from '../../shared/elements.ts'
import { day, figure, type Reader, zoneName } from '../../shared/format.ts'
import { choicesFor, eventsPath, type Feed, filtersOf, maxExported, orErrors, readDecisions } from '../event-data.ts'
import * as labels from '../labels.ts'
import * as filtering from './filters.ts'

export const listPath = '/console/events'
export const decisionsPath = `${listPath}/answer`

const defaultPageSize = '25'

export async function showList(ctx: PageContext): Promise<FastifyReply> {
  const { status, ...list } = await readList(ctx)
  return ctx.render({ title: 'Corporate actions', status, body: eventListBody(list) })
}

export type EventList = Omit<Awaited<ReturnType<typeof readList>>, 'status'>

async function readList(ctx: PageContext) {
  const filters = filtersOf(ctx)
  const [top, cursor] = [ctx.query('$top'), ctx.query('$skiptoken')]
  const query = { ...filtering.parametersOf(filters), $top: top ?? defaultPageSize, $skiptoken: cursor }
  const [choices, { body: feed, status, errors }, decisions] = await Promise.all([
    choicesFor(ctx, filters),
    orErrors(ctx.api.get<Feed<Event>>(eventsPath, query)),
    cursor === undefined ? readDecisions(ctx, filters) : undefined,
  ])
  const events = feed?.Data ?? []
  const why = feed && events.length === 0 ? await whyOf(ctx, withQuery(eventsPath, query)) : undefined
  return {
    ...{
      status,
      why,
      events,
      errors,
      reader: ctx.reader,
      acceptsElections: ctx.deps.acceptsElections,
      isFirstPage: cursor === undefined,
    },
    form: { action: listPath, filters, choices, top, hasOrder: true },
    count: feed?.__count ?? events.length,
    next: URL.parse(feed?.__next ?? '')?.searchParams.get('$skiptoken') ?? undefined,
    /** The pending decisions, regardless of the filters. On the first page only. */
    decisions: decisions?.body,
  }
}

export function eventHref(event: Event, filters: filtering.Filters): string {
  const { AccountGroupKey: _, ...scope } = filtering.parametersOf(filtering.scopeOnly(filters))
  return filtering.hrefWith(`${listPath}/${encodeURIComponent(event.EventId)}`, new Map(), scope)
}

type EventViewName = 'list' | 'decisions' | 'month' | 'standing' | 'subscribe'

export function eventViews(current: EventViewName, filters: filtering.Filters): Html {
  const views = [
    ['list', 'List', listPath],
    ['decisions', 'Decisions', decisionsPath],
    ['month', 'Month', `${listPath}/month`],
    ['standing', 'Standing', `${listPath}/standing`],
    ['subscribe', 'Subscribe', `${listPath}/subscribe`],
  ] as const
  return tabs(
    'Views of corporate actions',
    views.map(([id, name, path]) => {
      const kept = { decisions: filtering.scopeOnly(filters), standing: new Map() } as const
      const href = filtering.hrefWith(path, id === 'decisions' || id === 'standing' ? kept[id] : filters)
      return { name, href, current: id === current }
    }),
  )
}

export function eventListBody(list: EventList): Html {
  const { form, errors } = list
  const isValid = errors.length === 0
  return html`${eventViews('list', form.filters)}
${isValid && list.decisions && nextDecision(list.decisions, list)}
${errorNotice(errors)}
${filtering.filterForm(form)}
${filtering.filterChips(listPath, form, form.top === undefined ? {} : { $top: form.top })}
${isValid && (list.events.length === 0 ? html`${nothingFound(list)}${list.why}` : results(list))}`
}

/** The decision with the earliest deadline, and what happens without an election. */
function nextDecision({ due, until }: Decisions, { form, reader, acceptsElections }: EventList): Html {
  const [next, second] = due
  if (!next)
    return html`<section class="card answer calm"><h2>Needs your decision</h2>
<p>No pending decisions. Events without your election appear here, with their deadline.</p></section>`
  const { event, at } = next
  const fallback = deadlines.defaultOption(event)
  const all = filtering.hrefWith(decisionsPath, filtering.scopeOnly(form.filters))
  return html`<section class="card answer"><div><h2>Needs your decision</h2>
<p class="answer-event"><a href="${eventHref(event, form.filters)}">${labels.typeName(event)}, <bdi>${labels.instrumentName(event)}</bdi></a> ${labels.statusTag(event, reader)}</p>
<p>${
    fallback
      ? html`If you do nothing, option <strong>${labels.optionName(fallback)}</strong> applies${event.ElectionStatus === 'PartialElected' && ' to the rest'}.`
      : 'No option is marked as the default.'
  }</p></div>
<p class="answer-by"><span class="small">Elect by</span> <strong><time datetime="${at}">${labels.dateAndTime(at, reader.zone)}</time></strong>
<span class="small">${deadlines.hasTime(at) ? `${zoneName(reader.zone)} time` : 'end of day UTC'}, ${deadlines.timeLeft(at, reader.now)}</span></p>
${second && html`<p class="small answer-more"><a href="${all}">All ${figure(due.length)} pending decisions${until !== undefined && ` until ${day(until)}`}</a>. Next: ${labels.instrumentName(second.event)} by ${day(second.at)}.</p>`}
<p class="small quiet answer-more">${labels.howToElect(acceptsElections)}</p>
</section>`
}

function results(list: EventList): Html {
  const { form, events, count, next, isFirstPage } = list
  const pageHref = ($skiptoken?: string) => filtering.hrefWith(listPath, form.filters, { $top: form.top, $skiptoken })
  return html`<section class="flow" aria-label="Events"><div class="row between"><p><strong>${figure(count)}</strong> ${count === 1 ? 'event' : 'events'} ${orderText(form)}</p>
${exportLinks(form.filters, count)}</div>
${eventTable(events, list)}
${pageLinks({ 'First page': !isFirstPage && pageHref(), 'Next page': next && pageHref(next) })}
</section>`
}

function exportLinks(filters: filtering.Filters, count: number): Html {
  return html`<p class="small exports">Export: <a href="${filtering.hrefWith(`${listPath}.ics`, filters)}" download="events.ics">calendar (.ics)</a>
<a href="${filtering.hrefWith(`${listPath}.csv`, filters)}" download="events.csv">table (.csv)</a>
<a href="${filtering.hrefWith(`${listPath}/subscribe`, filtering.withoutOrder(filters))}">Subscribe</a>
${count > maxExported && html`<span class="quiet">Files contain the first ${figure(maxExported)} events. Narrow the list to export the others.</span>`}</p>`
}

/** The API's default order is by date, descending. */
const orderOf = (filters: filtering.Filters) => ({
  column: filtering.first(filters, 'SortColumn') ?? 'Date',
  isAscending: filtering.isSame(filtering.first(filters, 'SortType') ?? 'Desc', 'Asc'),
})

function orderText({ filters, choices }: filtering.FilterForm): string {
  const { column, isAscending } = orderOf(filters)
  const name = choices.SortColumn?.find(([value]) => filtering.isSame(value, column))?.[1] ?? column
  const [up, down] = /date/i.test(column) ? ['earliest first', 'latest first'] : ['ascending', 'descending']
  return `by ${name.toLowerCase()}, ${isAscending ? up : down}`
}

const nameColumns = ['EventType', 'InstrumentDescription', 'CorporateActionType']

function eventTable(events: readonly Event[], { form, reader }: EventList): Html {
  const order = orderOf(form.filters)
  const head = (name: string, ...columns: string[]) =>
    columns.some((column) => filtering.isSame(column, order.column))
      ? html`${name} <span aria-hidden="true">${order.isAscending ? '↑' : '↓'}</span>`
      : name
  const hasTotals = form.filters.has('IncludeSubAccounts')
  const columns: (Column<Event> | false)[] = [
    [head('Event', ...nameColumns), (event) => eventCell(event, form.filters), 'name'],
    [deadlineHead(reader.zone), (event) => deadlineCell(event, reader), 'figure'],
    [head('Date', 'Date'), keyDateCell, 'figure'],
    ['Payment', paymentCell, 'figure'],
    ['Status', (event) => labels.statusTag(event, reader)],
    hasTotals && [head('Accounts', 'AffectedAccounts'), (event) => figure(event.AffectedAccounts ?? 0), 'figure'],
    hasTotals && [head('Held', 'EligibleHoldings'), (event) => figure(event.EligibleHoldings ?? 0), 'figure'],
  ]
  const rowClass = (event: Event) => (needsDecision(event, reader.now) ? 'awaits' : undefined)
  return html`<div class="event-table">${table('Corporate actions', columns, events, { rowClass })}</div>`
}

/** Event and instrument in one cell, so that the deadline is visible on a phone. */
export const eventCell = (event: Event, filters: filtering.Filters): Html =>
  html`<a href="${eventHref(event, filters)}">${labels.typeName(event)}</a> ${labels.participationTag(event)}
<span class="of"><bdi>${labels.instrumentName(event)}</bdi> <span class="num quiet"><bdi>${event.DisplayAndFormat?.Symbol}</bdi></span></span>`

export const deadlineHead = (zone: string): string => `Deadline, ${zoneName(zone)}`

function keyDateCell(event: Event): Html | undefined {
  const key = deadlines.keyDateOf(event)
  return key && html`${deadlines.isSet(key.on) ? day(key.on) : 'not set yet'}<br><span class="quiet">${key.word}</span>`
}

export function deadlineCell(event: Event, { now, zone }: Reader): Html | undefined {
  const at = deadlines.deadlineOf(event, now)
  if (at === undefined) return undefined
  const left =
    deadlines.isAhead(at, now) && `${deadlines.timeLeft(at, now)}${deadlines.hasTime(at) ? '' : ', end of day UTC'}`
  return html`${labels.dateAndTime(at, zone)}${left && html`<br><span class="quiet">${left}</span>`}`
}

function paymentCell(event: Event): Html | undefined {
  const [next, ...more] = deadlines.paymentsOf(event)
  if (next === undefined) return undefined
  return html`${day(next)}${more.length > 0 && html`<br><span class="quiet">and ${more.length} more</span>`}`
}

const clearAll: Link = ['Clear all filters', listPath]

function nothingFound({ form }: EventList): Html {
  if (filtering.withoutOrder(form.filters).size > 0)
    return emptyState('No events match these filters.', 'Remove a filter above, or clear all of them.', clearAll)
  return emptyState(
    'No corporate actions.',
    'Events of the past and the coming year that affect your holdings appear here. Lapsed events are hidden.',
    ['Show lapsed events', filtering.hrefWith(listPath, new Map(), { IncludeLapsedEvents: 'true' })],
  )
}
