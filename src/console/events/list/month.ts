import type { FastifyReply } from 'fastify'
import type { Event } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { ApiError } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { emptyState, errorNotice, hiddenText, notice, table, tag } from '../../shared/elements.ts'
import { day, figure, monthName, type Reader, time, weekdayName, zoneName } from '../../shared/format.ts'
import { isCalledOff } from '../deadlines.ts'
import { hasTime } from '../detail/dates.ts'
import { choicesFor, eventsPath, type Feed, filtersOf, orApiError } from '../event-data.ts'
import { electionTag, instrumentName, typeName } from '../labels.ts'
import { eventHref, eventViews, listPath, maxExported } from './event-list.ts'
import { type FilterForm, filterChips, filterForm } from './filter-form.ts'
import { type FilterName, type Filters, first, hrefWith, isDate, parametersOf, withoutOrder } from './filters.ts'
import { type Entry, type EntryKind, entriesIn, weeksOf } from './month-entries.ts'

type EventMonth = Readonly<{
  month: Temporal.PlainYearMonth
  entries: ReadonlyMap<string, readonly Entry[]>
  form: FilterForm
  /** The day that is listed in full below the month. */
  selectedDay: string | undefined
  /** There are more events than one call returns. */
  isTruncated: boolean
  errors: readonly string[]
  reader: Reader
}>

export const monthPath = `${listPath}/month`
const maxPerDay = 4

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]

const monthTitle = ({ month, year }: Temporal.PlainYearMonth): string => `${monthNames[month - 1]} ${year}`

function monthBody(page: EventMonth): Html {
  const { form, month, entries, errors, isTruncated } = page
  return html`${eventViews('month', form.filters)}
${errorNotice(errors)}
<div class="month-bar">${monthLinks(page)}${legend}</div>
${isTruncated && notice('warn', `This month has too many events: only the first ${figure(maxExported)} of each kind are shown. Use the filters below.`)}
${filterChips(monthPath, form.filters, form.choices, { month: month.toString() })}
${entries.size === 0 && errors.length === 0 && noEntries(page)}
${grid(page)}
${page.selectedDay !== undefined && dayTable(page, page.selectedDay)}
<details class="fold"${errors.length > 0 && html` open`}><summary>Filter the month</summary>${filterForm(form)}</details>`
}

function monthLinks({ month, form, reader }: EventMonth): Html {
  const to = (other: Temporal.PlainYearMonth) => hrefWith(monthPath, form.filters, { month: other.toString() })
  const [before, after] = [month.subtract({ months: 1 }), month.add({ months: 1 })]
  const current = todayOf(reader).toPlainYearMonth()
  return html`<nav class="row" aria-label="Months">
<a class="button plain" rel="prev" href="${to(before)}"><span aria-hidden="true">←</span>${monthTitle(before)}</a>
${!month.equals(current) && html`<a class="button plain" href="${to(current)}">This month</a>`}
<a class="button plain" rel="next" href="${to(after)}">${monthTitle(after)}<span aria-hidden="true">→</span></a></nav>`
}

const todayOf = ({ now }: Reader): Temporal.PlainDate => now.toZonedDateTimeISO('UTC').toPlainDate()

const kindNames: Record<EntryKind, string> = { ex: 'Ex date', due: 'Deadline', pay: 'Payment' }
const shortNames: Record<EntryKind, string> = { ex: 'Ex', due: 'Due', pay: 'Pay' }

const shapes: Record<EntryKind, Html> = {
  ex: html`<svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><path d="M5 0l5 5-5 5-5-5z"/></svg>`,
  due: html`<svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><path d="M0 1h10L5 10z"/></svg>`,
  pay: html`<svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4.5"/></svg>`,
}

const legend = html`<ul class="month-legend" aria-label="Legend">${(['ex', 'due', 'pay'] as const).map(
  (kind) => html`<li class="${kind}">${shapes[kind]} ${kindNames[kind]}</li>`,
)}<li class="quiet">Dates in UTC</li></ul>`

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

function grid(page: EventMonth): Html {
  const { month } = page
  return html`<div class="scroll month" role="region" aria-label="${monthTitle(month)}" tabindex="0"><table>
<caption class="unseen">Ex dates, deadlines and payments in ${monthTitle(month)}</caption>
<thead><tr>${weekdays.map((name) => html`<th scope="col"><abbr title="${name}">${name.slice(0, 3)}</abbr></th>`)}</tr></thead>
<tbody>${weeksOf(month).map((week) => html`<tr>${week.map((date) => cell(date, page))}</tr>`)}</tbody></table></div>`
}

function cell(date: Temporal.PlainDate | undefined, page: EventMonth): Html {
  if (!date) return html`<td class="outside free"></td>`
  const entries = page.entries.get(date.toString()) ?? []
  const isToday = date.equals(todayOf(page.reader))
  const classes = [isToday && 'today', date.dayOfWeek > 5 && 'weekend', entries.length === 0 && 'free']
  const shown = entries.length > maxPerDay ? entries.slice(0, maxPerDay - 1) : entries
  const hiddenCount = entries.length - shown.length
  return html`<td class="${classes.filter(Boolean).join(' ')}"><span class="day-number"><span class="day-name">${weekdayName(date)} </span>${date.day}<span class="day-name"> ${monthName(date.month)}</span>${isToday && hiddenText(', today')}</span>
${shown.map((entry) => entryLink(entry, page.form.filters))}
${hiddenCount > 0 && html`<a class="more-link" href="${dayHref(date.toString(), page)}">+${hiddenCount} more${hiddenText(` on ${day(date)}`)}</a>`}</td>`
}

const dayHref = (date: string, { form, month }: EventMonth): string =>
  `${hrefWith(monthPath, form.filters, { month: month.toString(), day: date })}#day`

const entryLink = ({ kind, event }: Entry, filters: Filters): Html =>
  html`<a class="entry ${kind}${isCalledOff(event) && ' off'}" href="${eventHref(event, filters)}">${shapes[kind]}<span><b>${shortNames[kind]}</b> <bdi>${instrumentName(event)}</bdi>${isCalledOff(event) && hiddenText(` (${event.EventState})`)}</span></a>`

function dayTable({ entries, form, reader }: EventMonth, selected: string): Html {
  const rows = entries.get(selected) ?? []
  const all = table<Entry>(
    `Events on ${day(selected)}`,
    [
      ['Date', ({ kind }) => html`<span class="entry ${kind}">${shapes[kind]} ${kindNames[kind]}</span>`],
      [
        'Event',
        ({ event }) =>
          html`<a href="${eventHref(event, form.filters)}">${typeName(event)}</a> ${isCalledOff(event) && tag(event.EventState, 'bad')}`,
        'name',
      ],
      ['Instrument', ({ event }) => html`<bdi>${instrumentName(event)}</bdi>`],
      ['Time', ({ at }) => timeText(at, reader.zone), 'figure'],
      ['Election', ({ event }) => electionTag(event.ElectionStatus)],
    ],
    rows,
  )
  return html`<section class="flow day-entries" id="day"><h2>${day(selected)}</h2>
${rows.length === 0 ? html`<p class="quiet">No events on this day.</p>` : all}</section>`
}

const timeText = (at: string, zone: string): string | undefined =>
  hasTime(at) ? `${time(at, 'UTC')} UTC${zone === 'UTC' ? '' : `, ${time(at, zone)} ${zoneName(zone)}`}` : undefined

function noEntries({ form, month }: EventMonth): Html {
  const title = `No events in ${monthTitle(month)}.`
  if (withoutOrder(form.filters).size === 0)
    return emptyState(title, 'Your holdings have no ex date, deadline or payment in this month.')
  const unfiltered = hrefWith(monthPath, new Map(), { month: month.toString() })
  const hint = 'No ex date, deadline or payment matches these filters.'
  return emptyState(title, hint, ['Clear all filters', unfiltered])
}

export async function showMonth(ctx: PageContext): Promise<FastifyReply> {
  const filters = filtersOf(ctx)
  const wanted = ctx.query('month')
  const month = parseMonth(wanted) ?? ctx.today.toPlainYearMonth()
  const [choices, found] = await Promise.all([choicesFor(ctx, filters), readMonth(ctx, filters, month)])
  const feeds = found.flatMap((one) => (one instanceof ApiError ? [] : [one]))
  const error = found.find((one) => one instanceof ApiError)
  const isInvalid = wanted !== undefined && parseMonth(wanted) === undefined
  const day = ctx.query('day')
  const kept = { month: month.toString() }
  return ctx.render({
    title: `Corporate actions in ${monthTitle(month)}`,
    status: error?.status ?? (isInvalid ? 400 : 200),
    body: monthBody({
      month,
      entries: entriesIn(
        month,
        feeds.flatMap(({ Data }) => Data),
      ),
      form: { action: monthPath, filters, choices, top: undefined, hasOrder: false, kept },
      selectedDay: day !== undefined && isDayOf(month, day) ? day : undefined,
      isTruncated: feeds.some(({ __next }) => __next !== undefined),
      errors: [
        ...(isInvalid ? [`month: Enter a year and a month, such as ${month}.`] : []),
        ...(error?.messages ?? []),
      ],
      reader: ctx.reader,
    }),
  })
}

function parseMonth(text: string | undefined): Temporal.PlainYearMonth | undefined {
  if (text === undefined || !/^(19|2[01])\d\d-(0[1-9]|1[0-2])$/.test(text)) return undefined
  return Temporal.PlainYearMonth.from(text)
}

const isDayOf = (month: Temporal.PlainYearMonth, day: string): boolean =>
  isDate(day) && day.startsWith(`${month}-`) && Number(day.slice(8)) <= month.daysInMonth

const ranges = [
  ['FromExDate', 'ToExDate'],
  ['FromDeadlineDate', 'ToDeadlineDate'],
  ['FromPayDate', 'ToPayDate'],
] as const satisfies readonly (readonly [FilterName, FilterName])[]

/** One call per kind of date, because the API combines all its filters with AND. */
function readMonth(ctx: PageContext, filters: Filters, month: Temporal.PlainYearMonth) {
  const [start, end] = [`${month}-01`, `${month}-${month.daysInMonth}`]
  return Promise.all(
    ranges.map(([from, to]) => {
      // Date filters narrow the month. The API would reject an empty range.
      const days = { [from]: later(start, first(filters, from)), [to]: earlier(end, first(filters, to)) }
      if (isDate(days[from]) && isDate(days[to]) && days[from] > days[to]) return { Data: [] } as Feed<Event>
      const query = { ...parametersOf(filters), ...days, SortColumn: 'Date', SortType: 'Asc', $top: maxExported }
      return orApiError(ctx.api.get<Feed<Event>>(eventsPath, query))
    }),
  )
}

/** Invalid dates pass unchanged: the API explains what is wrong. */
const later = (day: string, other = day): string => (isDate(other) && other < day ? day : other)
const earlier = (day: string, other = day): string => (isDate(other) && other > day ? day : other)
