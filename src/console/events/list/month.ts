import type { FastifyReply } from 'fastify'
import { wallClock } from '../../../core/time/wall-clock.ts'
import { hasTime, isCalledOff } from '../../../events/rules/status/deadlines.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { PageContext } from '../../shared/context.ts'
import { emptyState, errorNotice, hiddenText, notice, table } from '../../shared/elements.ts'
import { day, figure, longMonthName, monthName, type Reader, time, weekdayName, zoneName } from '../../shared/format.ts'
import { choicesFor, filtersOf, maxExported } from '../event-data.ts'
import { instrumentName, statusHint, statusTag, typeName } from '../labels.ts'
import * as filtering from './filters.ts'
import { markIcon, markLegend, marks } from './marks.ts'
import { type Entry, entriesIn, weeksOf } from './month-entries.ts'
import { readBetween } from './range.ts'
import { type FilterForm, toolbar } from './toolbar.ts'
import { eventHref, eventViews, listPath } from './views.ts'

type EventMonth = Awaited<ReturnType<typeof readMonth>>
type YearMonth = Temporal.PlainYearMonth

export const monthPath = `${listPath}/month`
const maxPerDay = 4

export async function showMonth(ctx: PageContext): Promise<FastifyReply> {
  const wanted = ctx.query('month')
  const known = parseMonth(wanted)
  const page = await readMonth(ctx, known ?? ctx.today.toPlainYearMonth())
  const isInvalid = wanted !== undefined && !known
  const errors = [...(isInvalid ? [`month: Enter a year and a month, such as ${page.month}.`] : []), ...page.errors]
  return ctx.render({
    title: `Corporate actions in ${monthTitle(page.month)}`,
    status: isInvalid && page.status === 200 ? 400 : page.status,
    aside: eventViews('month', page.form.filters),
    body: monthBody({ ...page, errors }),
  })
}

function parseMonth(text: string | undefined): YearMonth | undefined {
  if (text === undefined || !/^(19|2[01])\d\d-(0[1-9]|1[0-2])$/.test(text)) return undefined
  return Temporal.PlainYearMonth.from(text)
}

async function readMonth(ctx: PageContext, month: YearMonth) {
  const filters = filtersOf(ctx)
  const days = { start: `${month}-01`, end: `${month}-${month.daysInMonth}` }
  const [choices, found] = await Promise.all([choicesFor(ctx, filters), readBetween(ctx, filters, days)])
  const { events, status, errors, isTruncated } = found
  const wantedDay = ctx.query('day')
  const kept = { month: month.toString() }
  return {
    ...{ month, status, errors, reader: ctx.reader },
    form: { action: monthPath, filters, choices, hasPages: false, kept } satisfies FilterForm,
    entries: entriesIn(month, events),
    selectedDay: wantedDay !== undefined && isDayOf(month, wantedDay) ? wantedDay : undefined,
    isTruncated,
  }
}

const isDayOf = (month: YearMonth, day: string): boolean =>
  filtering.isDate(day) && day.startsWith(`${month}-`) && Number(day.slice(8)) <= month.daysInMonth

const monthTitle = ({ month, year }: YearMonth): string => `${longMonthName(month)} ${year}`

const hrefOf = (filters: filtering.Filters, month: YearMonth, day?: string): string =>
  filtering.hrefWith(monthPath, filters, { month: month.toString(), day })

function monthBody(page: EventMonth): Html {
  const { form, entries, errors, isTruncated } = page
  return html`${toolbar(form, { isOpen: errors.length > 0 })}
${errorNotice(errors)}
<div class="month-bar">${monthLinks(page)}${legend}</div>
${isTruncated && notice('warn', `This month has too many events: only the first ${figure(maxExported)} of each kind are shown. Use the filters above.`)}
${entries.size === 0 && errors.length === 0 && noEntries(page)}
${grid(page)}
${page.selectedDay !== undefined && dayTable(page, page.selectedDay)}`
}

function monthLinks({ month, form, reader }: EventMonth): Html {
  const to = (other: YearMonth) => hrefOf(form.filters, other)
  const [before, after] = [month.subtract({ months: 1 }), month.add({ months: 1 })]
  const current = todayOf(reader).toPlainYearMonth()
  return html`<nav class="row" aria-label="Months">
<a class="button plain" rel="prev" href="${to(before)}"><span aria-hidden="true">←</span>${monthTitle(before)}</a>
${!month.equals(current) && html`<a class="button plain" href="${to(current)}">This month</a>`}
<a class="button plain" rel="next" href="${to(after)}">${monthTitle(after)}<span aria-hidden="true">→</span></a></nav>`
}

const todayOf = ({ now }: Reader): Temporal.PlainDate => wallClock(now, 'UTC').date

const legend = markLegend(['ex', 'due', 'pay'])

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

function grid(page: EventMonth): Html {
  const title = monthTitle(page.month)
  return html`<div class="scroll month" role="region" aria-label="${title}" tabindex="0"><table>
<caption class="unseen">Ex dates, deadlines and payments in ${title}</caption>
<thead><tr>${weekdays.map((name) => html`<th scope="col"><abbr title="${name}">${name.slice(0, 3)}</abbr></th>`)}</tr></thead>
<tbody>${weeksOf(page.month).map((week) => html`<tr>${week.map((date) => cell(date, page))}</tr>`)}</tbody></table></div>`
}

function cell(date: Temporal.PlainDate | undefined, page: EventMonth): Html {
  if (!date) return html`<td class="outside free"></td>`
  const entries = page.entries.get(date.toString()) ?? []
  const isToday = date.equals(todayOf(page.reader))
  const classes = [isToday && 'today', date.dayOfWeek > 5 && 'weekend', entries.length === 0 && 'free']
  const shown = entries.length > maxPerDay ? entries.slice(0, maxPerDay - 1) : entries
  const hiddenCount = entries.length - shown.length
  const dayHref = () => `${hrefOf(page.form.filters, page.month, date.toString())}#day`
  return html`<td class="${classes.filter(Boolean).join(' ')}"><span class="day-number"><span class="day-name">${weekdayName(date)} </span>${date.day}<span class="day-name"> ${monthName(date.month)}</span>${isToday && hiddenText(', today')}</span>
${shown.map((entry) => entryLink(entry, page))}
${hiddenCount > 0 && html`<a class="more-link" href="${dayHref()}">+${hiddenCount} more${hiddenText(` on ${day(date)}`)}</a>`}</td>`
}

const entryLink = ({ kind, event }: Entry, { form, reader }: EventMonth): Html =>
  html`<a class="entry status ${kind}${isCalledOff(event) && ' off'}" href="${eventHref(event, form.filters)}">${markIcon(kind)}<span><b>${marks[kind].short}</b> <bdi>${instrumentName(event)}</bdi>${isCalledOff(event) && hiddenText(` (${event.EventState})`)}</span>${statusHint(event, reader)}</a>`

function dayTable({ entries, form, reader }: EventMonth, selected: string): Html {
  const rows = entries.get(selected) ?? []
  const eventCell = ({ event }: Entry) => html`<a href="${eventHref(event, form.filters)}">${typeName(event)}</a>`
  const all = table<Entry>(
    `Events on ${day(selected)}`,
    [
      ['Date', ({ kind }) => html`<span class="entry ${kind}">${markIcon(kind)} ${marks[kind].name}</span>`],
      ['Event', eventCell, 'name'],
      ['Instrument', ({ event }) => html`<bdi>${instrumentName(event)}</bdi>`],
      ['Time', ({ at }) => timeText(at, reader.zone), 'figure'],
      ['Status', ({ event }) => statusTag(event, reader)],
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
  if (filtering.withoutOrder(form.filters).size === 0)
    return emptyState(title, 'Your holdings have no ex date, deadline or payment in this month.')
  const hint = 'No ex date, deadline or payment matches these filters.'
  return emptyState(title, hint, ['Clear all filters', hrefOf(new Map(), month)])
}
