import type { FastifyReply } from 'fastify'
import type { Event } from '../../../events/api/schema.ts'
import type { Decisions } from '../../../events/rules/status/status.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { whyOf } from '../../explain/why.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { emptyState, errorNotice, type Link, pageLinks, tabs } from '../../shared/elements.ts'
import { day, figure, type Reader } from '../../shared/format.ts'
import { choicesFor, eventsPath, type Feed, filtersOf, maxExported, orErrors, readDecisions } from '../event-data.ts'
import { howToElect } from '../labels.ts'
import { agendaOf, coveredUntil } from './agenda.ts'
import * as filtering from './filters.ts'
import { eventTable, type Order } from './rows.ts'
import { type FilterForm, toolbar } from './toolbar.ts'
import { eventViews, listPath } from './views.ts'

const defaultPageSize = '25'
/** Of each kind. More are on pages of their own. */
const maxAgenda = 100

export type EventList = Readonly<{
  form: FilterForm
  errors: readonly string[]
  reader: Reader
  acceptsElections: boolean
  why?: Html | undefined
  /** A page of the API's list. Undefined where the agenda is shown. */
  page?: Readonly<{ events: readonly Event[]; count: number; next: string | undefined; isFirst: boolean }>
  agenda?: Readonly<{
    events: readonly Event[]
    /** The last day of which all events are known, if there are more. */
    until?: string | undefined
    /** All decisions, unless there are filters. */
    decisions?: Decisions | undefined
  }>
}>

/** What is ahead is the agenda, unless a status, an order or a page is asked for. */
const isAgenda = (ctx: PageContext, filters: filtering.Filters): boolean =>
  ctx.query('$skiptoken') === undefined && !filters.has('EventStatus') && !filters.has('SortColumn')

export async function showList(ctx: PageContext): Promise<FastifyReply> {
  const filters = filtersOf(ctx)
  const [choices, read] = await Promise.all([
    choicesFor(ctx, filters),
    isAgenda(ctx, filters) ? readAgenda(ctx, filters) : readPage(ctx, filters),
  ])
  const { status, errors, ...found } = read
  const top = ctx.query('$top') || undefined
  const hidden = tabOf(filters) === 'past' ? (['EventStatus', 'IncludeLapsedEvents'] as const) : []
  const form = { action: listPath, filters, choices, top, hidden, hasPages: !('agenda' in found) }
  const list = { ...found, form, errors, reader: ctx.reader, acceptsElections: ctx.deps.acceptsElections }
  const aside = eventViews('list', filters)
  return ctx.render({ title: 'Corporate actions', status, aside, body: eventListBody(list) })
}

async function readPage(ctx: PageContext, filters: filtering.Filters) {
  const [top, cursor] = [ctx.query('$top') || defaultPageSize, ctx.query('$skiptoken')]
  const query = { ...filtering.parametersOf(filters), $top: top, $skiptoken: cursor }
  const { body: feed, status, errors } = await orErrors(ctx.api.getShared<Feed<Event>>(withQuery(eventsPath, query)))
  const events = feed?.Data ?? []
  const why = feed && events.length === 0 ? await whyOf(ctx, withQuery(eventsPath, query)) : undefined
  const next = URL.parse(feed?.__next ?? '')?.searchParams.get('$skiptoken') ?? undefined
  const count = feed?.__count ?? events.length
  return { status, errors, why, page: { events, count, next, isFirst: cursor === undefined } }
}

/** Active and upcoming events: the API filters by one status. */
async function readAgenda(ctx: PageContext, filters: filtering.Filters) {
  const order = { SortColumn: 'Date', SortType: 'Asc', $top: maxAgenda }
  const query = { ...filtering.parametersOf(filters), ...order }
  const read = (EventStatus: string) =>
    orErrors(ctx.api.getShared<Feed<Event>>(withQuery(eventsPath, { ...query, EventStatus })))
  // With filters, what needs a decision is among what they find.
  const isFiltered = filtering.withoutScope(filters).size > 0
  const [decisions, ...outcomes] = await Promise.all([
    isFiltered ? undefined : readDecisions(ctx, filters),
    read('Active'),
    read('Upcoming'),
  ])
  const { status, errors } = outcomes.find((outcome) => outcome.status !== 200) ?? { status: 200, errors: [] }
  const feeds = outcomes.flatMap(({ body }) => body ?? [])
  const events = feeds.flatMap(({ Data }) => Data)
  const [until] = feeds.flatMap(({ Data, __next }) => coveredUntil(Data, __next !== undefined) ?? []).toSorted()
  const hasNone = status === 200 && events.length === 0 && !decisions?.body?.due.length
  const why = hasNone ? await whyOf(ctx, withQuery(eventsPath, query)) : undefined
  return { status, errors, why, agenda: { events, until, decisions: decisions?.body } }
}

const tabOf = (filters: filtering.Filters): 'upcoming' | 'past' | 'all' => {
  if (filtering.isSame(filtering.first(filters, 'EventStatus') ?? '', 'Past')) return 'past'
  return filters.has('EventStatus') || filters.has('SortColumn') ? 'all' : 'upcoming'
}

function listTabs({ form, page }: EventList): Html {
  const current = tabOf(form.filters)
  const kept = new Map([...filtering.withoutOrder(form.filters)].filter(([name]) => !form.hidden?.includes(name)))
  kept.delete('EventStatus')
  const to = (more: Record<string, string>) => filtering.hrefWith(listPath, kept, more)
  const note = page && figure(page.count)
  return tabs('Which events', [
    { name: 'Upcoming', href: to({}), current: current === 'upcoming' && !page },
    {
      name: 'Past',
      href: to({ EventStatus: 'Past', IncludeLapsedEvents: 'true' }),
      note: current === 'past' && note,
      current: current === 'past',
    },
    {
      name: 'All',
      href: to({ SortColumn: 'Date', SortType: 'Desc' }),
      note: current === 'all' && note,
      current: current === 'all',
    },
  ])
}

export function eventListBody(list: EventList): Html {
  const { form, errors, page } = list
  const end = exportMenu(form.filters, page?.count ?? 0)
  return html`${toolbar(form, { start: listTabs(list), end, isOpen: errors.length > 0 })}
${errorNotice(errors)}
${errors.length === 0 && (page ? pageBody(list, page) : agendaBody(list))}`
}

function pageBody(list: EventList, { events, next, isFirst }: NonNullable<EventList['page']>): Html {
  const { form, reader } = list
  if (events.length === 0) return html`${nothingFound(form)}${list.why}`
  const pageHref = ($skiptoken?: string) => filtering.hrefWith(listPath, form.filters, { $top: form.top, $skiptoken })
  return html`${eventTable([{ events }], { filters: form.filters, reader, order: orderOf(form.filters) })}
${pageLinks({ 'First page': !isFirst && pageHref(), 'Next page': next && pageHref(next) })}`
}

/** The API's default order is by date, descending. */
const orderOf = (filters: filtering.Filters): Order => ({
  column: filtering.first(filters, 'SortColumn') ?? 'Date',
  isAscending: filtering.isSame(filtering.first(filters, 'SortType') ?? 'Desc', 'Asc'),
})

const maxDecisions = 200

function agendaBody(list: EventList): Html {
  const { form, reader, agenda: { events, until, decisions } = { events: [] } } = list
  const { filters } = form
  const { decide, underWay, ahead } = agendaOf(events, reader.now, until)
  const all = decisions ? decisions.due.map(({ event }) => event) : decide
  if (events.length + all.length === 0) return html`${nothingFound(form)}${list.why}`
  const today = reader.now.toZonedDateTimeISO('UTC').toPlainDate()
  const groups = [
    { heading: decisionHeading(list, all.length), events: all.slice(0, maxDecisions) },
    {
      heading: underWay.length > 0 && html`Under way <span class="quiet">${figure(underWay.length)}</span>`,
      events: underWay,
    },
    { heading: html`Today, ${day(today)}`, isToday: true, events: ahead },
  ]
  const later = { 'Active events': { EventStatus: 'Active' }, 'Upcoming events': { EventStatus: 'Upcoming' } }
  const order = { SortColumn: 'Date', SortType: 'Asc' }
  const links = Object.entries(later).map(([name, more]) => [
    name,
    filtering.hrefWith(listPath, filters, { ...more, ...order }),
  ])
  return html`${eventTable(groups, { filters, reader, order: undefined })}
${until !== undefined && pageLinks(Object.fromEntries(links), { label: 'More events', text: html`<span class="small quiet">There are more events after ${until.startsWith('9999') ? 'these' : day(until)}.</span>` })}`
}

/** How many decisions are pending, and where to elect. */
function decisionHeading({ acceptsElections, agenda }: EventList, count: number): Html {
  if (count === 0) return html`Needs your decision <span class="quiet">nothing to decide</span>`
  const { until, isComplete = true } = agenda?.decisions ?? {}
  const limits = [
    until !== undefined && `deadlines until ${day(until)}`,
    !isComplete && 'incomplete: there are too many events',
    count > maxDecisions && `the first ${maxDecisions} are shown`,
    !acceptsElections && howToElect(false),
  ].filter((text) => text !== false)
  return html`Needs your decision <span class="quiet">${[figure(count), ...limits].join(' · ')}</span>`
}

function exportMenu(filters: filtering.Filters, count: number): Html {
  const href = (path: string) => filtering.hrefWith(path, filtering.withoutOrder(filters))
  return html`<details class="pop end"><summary class="chip-button">Export</summary><div class="card pop-panel small"><ul class="plain">
<li><a href="${filtering.hrefWith(`${listPath}.ics`, filters)}" download="events.ics">Calendar (.ics)</a></li>
<li><a href="${filtering.hrefWith(`${listPath}.csv`, filters)}" download="events.csv">Table (.csv)</a></li>
<li><a href="${href(`${listPath}/subscribe`)}">Subscribe</a></li></ul>
${count > maxExported && html`<p class="quiet">Files contain the first ${figure(maxExported)} events. Narrow the list to export the others.</p>`}</div></details>`
}

const clearAll: Link = ['Clear all filters', listPath]

function nothingFound({ filters }: FilterForm): Html {
  const others = new Map([...filtering.withoutOrder(filters)].filter(([name]) => name !== 'EventStatus'))
  const past: Link = [
    'Show past events',
    filtering.hrefWith(listPath, others, { EventStatus: 'Past', IncludeLapsedEvents: 'true' }),
  ]
  if (filtering.withoutScope(others).size === 0)
    return emptyState(
      'No corporate actions.',
      'Events of the past and the coming year that affect your holdings appear here.',
      past,
    )
  if (tabOf(filters) === 'upcoming')
    return emptyState(
      'No upcoming events match these filters.',
      'Remove a filter above, or look among past events.',
      past,
    )
  return emptyState('No events match these filters.', 'Remove a filter above, or clear all of them.', clearAll)
}
