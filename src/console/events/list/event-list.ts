import type { Event } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { emptyState, refusals, table, tabs } from '../../shared/elements.ts'
import { day, dayAndTime, figure, zoneName } from '../../shared/format.ts'
import * as said from '../labels.ts'
import { type FilterForm, filterChips, filterForm } from './filter-form.ts'
import { type Asked, first, hrefWith, isSame, narrowing, parametersOf, scopeOnly } from './filters.ts'

export type Reader = Readonly<{ now: Temporal.Instant; zone: string }>

export type EventList = Readonly<{
  form: FilterForm
  events: readonly Event[]
  count: number
  next: string | undefined
  isFirstPage: boolean
  /** On the first page: what is to be answered, whatever the filters say. */
  awaiting: said.Awaiting | undefined
  refused: readonly string[]
  reader: Reader
}>

export const listPath = '/console/events'
export const answerPath = `${listPath}/answer`
/** What one page of the API, and so one file, holds at most. */
export const mostExported = 1_000

/** The story of an event; whose accounts are looked at goes with it. */
export function storyHref(event: Event, asked: Asked): string {
  const { AccountGroupKey: _, ...scope } = parametersOf(scopeOnly(asked))
  return hrefWith(`${listPath}/${encodeURIComponent(event.EventId)}`, new Map(), scope)
}

/** The ways to look at events; the filters go with the reader. */
export function eventViews(current: 'list' | 'answer' | 'month' | 'subscribe', asked: Asked): Html {
  const views = [
    ['list', 'List', listPath],
    ['answer', 'To answer', answerPath],
    ['month', 'Month', `${listPath}/month`],
    ['subscribe', 'Subscribe', `${listPath}/subscribe`],
  ] as const
  return tabs(
    'Views of corporate actions',
    views.map(([id, name, path]) => {
      // What awaits an answer does so whatever is filtered for.
      const href = hrefWith(path, id === 'answer' ? scopeOnly(asked) : asked)
      return { name, href, current: id === current }
    }),
  )
}

export function eventListBody(list: EventList): Html {
  const { form, refused } = list
  return html`${eventViews('list', form.asked)}
${refused.length === 0 && list.awaiting && answerNext(list.awaiting, list)}
${refusals(refused)}
${filterForm(form)}
${filterChips(listPath, form.asked, form.choices, form.top === undefined ? {} : { $top: form.top })}
${refused.length === 0 && (list.events.length === 0 ? nothingFound(list) : found(list))}`
}

/** What people come for: what is to be answered next, by when, and what happens else. */
function answerNext({ due, until }: said.Awaiting, { form, reader }: EventList): Html {
  const [next, ...others] = due
  if (!next)
    return html`<section class="card answer calm"><h2>Answer next</h2>
<p>Nothing awaits an answer from you. What can be elected and is not shows here, with its deadline.</p></section>`
  const { event, at } = next
  const fallback = said.defaultOption(event)
  const all = hrefWith(answerPath, scopeOnly(form.asked))
  return html`<section class="card answer"><div><h2>Answer next</h2>
<p class="answer-event"><a href="${storyHref(event, form.asked)}">${said.typeName(event)}, <bdi>${said.instrumentName(event)}</bdi></a> ${said.electionTag(event.ElectionStatus)}</p>
<p>${
    fallback
      ? html`If you do nothing, option <strong>${said.optionName(fallback)}</strong> applies${event.ElectionStatus === 'PartialElected' && ' to the rest'}.`
      : 'No option is marked as the default.'
  }</p></div>
<p class="answer-by"><span class="small">Answer by</span> <strong><time datetime="${at}">${dayAndTime(at, reader.zone)}</time></strong>
<span class="small">${zoneName(reader.zone)} time, ${said.daysLeft(at, reader.now, reader.zone)}</span></p>
${others.length > 0 && html`<p class="small answer-more"><a href="${all}">All ${figure(due.length)} that await an answer${until !== undefined && ` by ${day(until)}`}</a>, then ${said.instrumentName(others[0]?.event ?? event)} by ${day(others[0]?.at ?? at)}.</p>`}
<p class="small quiet answer-more">${said.howToAnswer}</p>
</section>`
}

function found(list: EventList): Html {
  const { form, events, count, next, isFirstPage } = list
  return html`<section class="flow" aria-label="Events"><div class="row between"><p><strong>${figure(count)}</strong> ${count === 1 ? 'event' : 'events'} ${orderText(form)}</p>
${exportLinks(form.asked, count)}</div>
${eventTable(events, list)}
<nav class="row" aria-label="Pages">${!isFirstPage && html`<a class="button plain" href="${hrefWith(listPath, form.asked, { $top: form.top })}">First page</a>`}
${next && html`<a class="button plain" rel="next" href="${hrefWith(listPath, form.asked, { $top: form.top, $skiptoken: next })}">Next page</a>`}</nav>
</section>`
}

function exportLinks(asked: Asked, count: number): Html {
  return html`<p class="small exports">Export: <a href="${hrefWith(`${listPath}.ics`, asked)}" download="events.ics">calendar (.ics)</a>
<a href="${hrefWith(`${listPath}.csv`, asked)}" download="events.csv">table (.csv)</a>
<a href="${hrefWith(`${listPath}/subscribe`, narrowing(asked))}">Subscribe</a>
${count > mostExported && html`<span class="quiet">A file has the first ${figure(mostExported)}; narrow the list for the others.</span>`}</p>`
}

type Order = Readonly<{ column: string; isRising: boolean }>

/** As the API sorts where the address does not say. */
const orderOf = (asked: Asked): Order => ({
  column: first(asked, 'SortColumn') ?? 'Date',
  isRising: isSame(first(asked, 'SortType') ?? 'Desc', 'Asc'),
})

/** `by date, latest first` */
function orderText({ asked, choices }: FilterForm): string {
  const { column, isRising } = orderOf(asked)
  const name = choices.SortColumn?.find(({ value }) => isSame(value, column))?.name ?? column
  const isTime = /date/i.test(column)
  const way = isRising ? (isTime ? 'earliest first' : 'ascending') : isTime ? 'latest first' : 'descending'
  return `by ${name.toLowerCase()}, ${way}`
}

function eventTable(events: readonly Event[], { form, reader }: EventList): Html {
  const { now, zone } = reader
  const order = orderOf(form.asked)
  /** A head shows when its column is what the list is sorted by. */
  const head = (name: string, ...columns: string[]) =>
    columns.some((column) => isSame(column, order.column))
      ? html`${name} <span aria-hidden="true">${order.isRising ? '↑' : '↓'}</span>`
      : name
  const hasSubAccounts = form.asked.has('IncludeSubAccounts')
  return html`<div class="event-table">${table<Event>(
    'Corporate actions',
    [
      {
        head: head('Event', 'EventType', 'InstrumentDescription', 'CorporateActionType'),
        isRowHead: true,
        cell: (event) => eventCell(event, form.asked),
      },
      { head: deadlineHead(zone), cell: (event) => deadlineCell(event, reader), isFigure: true },
      { head: head('Date', 'Date'), cell: (event) => keyDateCell(said.keyDateOf(event)), isFigure: true },
      { head: 'Payment', cell: (event) => paymentCell(said.paymentsOf(event)), isFigure: true },
      { head: 'Status', cell: (event) => html`${event.EventStatus}<br>${said.stateTag(event)}` },
      ...(hasSubAccounts
        ? [
            {
              head: head('Accounts', 'AffectedAccounts'),
              cell: (event: Event) => figure(event.AffectedAccounts ?? 0),
              isFigure: true,
            },
            {
              head: head('Held', 'EligibleHoldings'),
              cell: (event: Event) => figure(event.EligibleHoldings ?? 0),
              isFigure: true,
            },
          ]
        : []),
      { head: 'Election', cell: (event) => said.electionTag(event.ElectionStatus) },
    ],
    events,
    { rowClass: (event) => (said.awaitsAnswer(event, now) ? 'awaits' : undefined) },
  )}</div>`
}

/** What happens to what: both in one cell, so that the deadline is in view on a phone. */
export const eventCell = (event: Event, asked: Asked): Html =>
  html`<a href="${storyHref(event, asked)}">${said.typeName(event)}</a> ${said.kindTag(event)}
<span class="of"><bdi>${said.instrumentName(event)}</bdi> <span class="num quiet"><bdi>${event.DisplayAndFormat?.Symbol}</bdi></span></span>`

export const deadlineHead = (zone: string): string => `Deadline, ${zoneName(zone)}`

const keyDateCell = (key: ReturnType<typeof said.keyDateOf>): Html | undefined =>
  key && html`${said.isSet(key.on) ? day(key.on) : 'not set yet'}<br><span class="quiet">${key.word}</span>`

export function deadlineCell(event: Event, { now, zone }: Reader): Html | undefined {
  const at = said.deadlineOf(event, now)
  if (at === undefined) return undefined
  const left = said.isAhead(at, now) && said.daysLeft(at, now, zone)
  return html`${dayAndTime(at, zone)}${left && html`<br><span class="quiet">${left}</span>`}`
}

const paymentCell = ([next, ...more]: readonly string[]): Html | undefined =>
  next === undefined
    ? undefined
    : html`${day(next)}${more.length > 0 && html`<br><span class="quiet">and ${more.length} more</span>`}`

function nothingFound({ form }: EventList): Html {
  if (narrowing(form.asked).size > 0)
    return emptyState('No event matches all of these filters.', 'Remove one of them above, or begin again.', {
      href: listPath,
      name: 'Clear all filters',
    })
  return emptyState(
    'Nothing is happening to what you hold.',
    'Events of the past and the coming year are listed here for what your accounts hold. Lapsed ones are left out.',
    { href: hrefWith(listPath, new Map(), { IncludeLapsedEvents: 'true' }), name: 'Look at lapsed events too' },
  )
}
