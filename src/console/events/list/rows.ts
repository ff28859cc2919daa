import { wallClock } from '../../../core/time/wall-clock.ts'
import type { Event } from '../../../events/api/schema.ts'
import * as deadlines from '../../../events/rules/status/deadlines.ts'
import type { StatusTexts } from '../../../events/rules/status/texts.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import { assetTypeName } from '../../instruments/pages/names.ts'
import { dayIn, dayOf, figure, type Reader, time, zoneName } from '../../shared/format.ts'
import * as labels from '../labels.ts'
import { type Filters, hrefWith, isSame } from './filters.ts'
import { eventHref, listPath } from './views.ts'

/** A row between groups of events: a heading, or the line of today. */
type Group = Readonly<{ heading?: HtmlValue; isToday?: boolean; events: readonly Event[] }>
export type Order = Readonly<{ column: string; isAscending: boolean }>
type RowView = Readonly<{
  filters: Filters
  reader: Reader
  /** Undefined where the list has an order of its own. */
  order: Order | undefined
}>

type Column = Readonly<{
  name: string
  /** By which the API can sort. */
  sort?: string
  isFigure?: boolean
  cell: (event: Event, status: StatusTexts) => HtmlValue
}>

function columnsOf({ filters, reader }: RowView, ambiguous: ReadonlySet<string>): Column[] {
  const { year } = wallClock(reader.now, reader.zone).date
  const totals: Column[] = [
    {
      name: 'Accounts',
      sort: 'AffectedAccounts',
      isFigure: true,
      cell: (event) => figure(event.AffectedAccounts ?? 0),
    },
    { name: 'Held', sort: 'EligibleHoldings', isFigure: true, cell: (event) => figure(event.EligibleHoldings ?? 0) },
  ]
  return [
    {
      name: 'Event',
      sort: 'EventType',
      cell: (event) => html`<a href="${eventHref(event, filters)}">${labels.typeName(event)}</a>`,
    },
    { name: 'Instrument', sort: 'InstrumentDescription', cell: (event) => instrumentCell(event, ambiguous) },
    { name: 'Status', cell: (_event, status) => labels.tagOf(status) },
    { name: `Deadline, ${zoneName(reader.zone)}`, cell: (event) => deadlineCell(event, reader, year) },
    { name: 'Date', sort: 'Date', cell: (event) => keyDateCell(event, year) },
    { name: 'Payment', isFigure: true, cell: (event) => paymentCell(event, year) },
    ...(filters.has('IncludeSubAccounts') ? totals : []),
  ]
}

/** Events in one table, which is cards on a phone. */
export function eventTable(groups: readonly Group[], view: RowView): Html {
  const columns = columnsOf(view, ambiguousIn(groups))
  // Created once per column, not once per cell.
  const starts = columns.map(
    ({ name, isFigure }) => html`<td data-name="${name.split(',')[0]}"${isFigure && html` class="n"`}>`,
  )
  const row = (event: Event) => {
    const status = labels.describe(event, view.reader)
    return html`<tr${status.progress === 'Decide' && html` class="awaits"`}>${columns.map(({ cell }, index) => {
      const value = cell(event, status)
      return index === 0 ? html`<th scope="row">${value}</th>` : html`${starts[index]}${value}</td>`
    })}</tr>`
  }
  return html`<div class="scroll event-table" role="region" aria-label="Corporate actions" tabindex="0"><table>
<caption class="unseen">Corporate actions</caption>
<thead><tr>${columns.map((column) => head(column, view))}</tr></thead>
${groups.map(
  ({ heading, isToday, events }) =>
    html`<tbody>${heading && html`<tr class="${isToday ? 'today-line' : 'group'}"><th scope="rowgroup" colspan="${columns.length}">${heading}</th></tr>`}${events.map(row)}</tbody>`,
)}</table></div>`
}

/** A column that can be sorted: a click sorts ascending, then descending. */
function head({ name, sort, isFigure }: Column, { filters, order }: RowView): Html {
  const align = isFigure && html` class="n"`
  if (sort === undefined) return html`<th scope="col"${align}>${name}</th>`
  const isSorted = order !== undefined && isSame(order.column, sort)
  const isUp = isSorted && order.isAscending
  const href = hrefWith(listPath, filters, { SortColumn: sort, SortType: isUp ? 'Desc' : 'Asc' })
  const direction = isSorted && html` aria-sort="${isUp ? 'ascending' : 'descending'}"`
  return html`<th scope="col"${align}${direction}><a class="sort" href="${href}">${name}</a></th>`
}

const rowName = (event: Event): string => `${labels.typeName(event)}, ${labels.instrumentName(event)}`

/** The names of rows that differ in their asset type alone, such as of a stock and a CFD on it. */
function ambiguousIn(groups: readonly Group[]): ReadonlySet<string> {
  const byName = Map.groupBy(
    groups.flatMap(({ events }) => events),
    rowName,
  )
  const isAmbiguous = (events: readonly Event[]) => events.some(({ AssetType }) => AssetType !== events[0]?.AssetType)
  return new Set([...byName].flatMap(([name, events]) => (isAmbiguous(events) ? [name] : [])))
}

const instrumentCell = (event: Event, ambiguous: ReadonlySet<string>): Html =>
  html`<span class="of"><bdi>${labels.instrumentName(event)}</bdi> <span class="num quiet"><bdi>${event.DisplayAndFormat?.Symbol}</bdi></span>${ambiguous.has(rowName(event)) && html` <span class="small quiet">${assetTypeName(event.AssetType)}</span>`}</span>`

function keyDateCell(event: Event, year: number): Html | undefined {
  const key = deadlines.keyDateOf(event)
  const on = key && (deadlines.isSet(key.on) ? dayIn(year, dayOf(key.on)) : 'not set yet')
  return key && html`${on} <span class="quiet">${key.word}</span>`
}

/** `20 Nov, 13:00 in 2 days`. A day is that of UTC. */
function deadlineCell(event: Event, { now, zone }: Reader, year: number): Html | undefined {
  const at = deadlines.deadlineOf(event, now)
  if (at === undefined) return undefined
  const end = deadlines.hasTime(at) ? deadlines.endOf(at) : undefined
  const local = end ? wallClock(end, zone).date : dayOf(at)
  const clock = end ? `, ${time(end, zone)}` : zone === 'UTC' ? '' : ' UTC'
  const left = deadlines.isAhead(at, now) && html` <span class="quiet">${deadlines.timeLeft(at, now)}</span>`
  return html`<time datetime="${at}">${dayIn(year, local)}${clock}</time>${left}`
}

function paymentCell(event: Event, year: number): Html | undefined {
  const [next, ...more] = deadlines.paymentsOf(event)
  if (next === undefined) return undefined
  return html`${dayIn(year, dayOf(next))}${more.length > 0 && html` <span class="quiet">+${more.length}</span>`}`
}
