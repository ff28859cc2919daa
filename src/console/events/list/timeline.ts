import type { FastifyReply } from 'fastify'
import { hasTime, isCalledOff } from '../../../events/rules/status/deadlines.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { PageContext } from '../../shared/context.ts'
import { emptyState, errorNotice, hiddenText, notice } from '../../shared/elements.ts'
import { day, figure, shortDay, time } from '../../shared/format.ts'
import { choicesFor, filtersOf } from '../event-data.ts'
import { instrumentName, statusTag, typeName } from '../labels.ts'
import * as filtering from './filters.ts'
import { type GanttRow, ganttRows, mondaysIn, positionOf, type Window } from './gantt.ts'
import { markLegend, marks } from './marks.ts'
import { readBetween } from './range.ts'
import { type FilterForm, toolbar } from './toolbar.ts'
import { eventHref, eventViews, listPath } from './views.ts'

export const timelinePath = `${listPath}/timeline`
const windowDays = 60
const daysBeforeToday = 7
const maxRows = 100

export async function showTimeline(ctx: PageContext): Promise<FastifyReply> {
  const wanted = ctx.query('from') || undefined
  const known = parseDay(wanted)
  const from = known ?? ctx.today.subtract({ days: daysBeforeToday })
  const page = await readTimeline(ctx, { from, days: windowDays })
  const isInvalid = wanted !== undefined && !known
  const errors = [...(isInvalid ? [`from: Enter a day, such as ${from}.`] : []), ...page.errors]
  return ctx.render({
    title: 'Timeline of corporate actions',
    status: isInvalid && page.status === 200 ? 400 : page.status,
    aside: eventViews('timeline', page.form.filters),
    body: timelineBody({ ...page, errors }),
  })
}

function parseDay(text: string | undefined): Temporal.PlainDate | undefined {
  if (!filtering.isDate(text) || !/^(19|20)/.test(text)) return undefined
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

async function readTimeline(ctx: PageContext, window: Window) {
  const filters = filtersOf(ctx)
  const days = { start: window.from.toString(), end: window.from.add({ days: window.days - 1 }).toString() }
  const [choices, found] = await Promise.all([choicesFor(ctx, filters), readBetween(ctx, filters, days)])
  const { events, status, errors, isTruncated } = found
  const form: FilterForm = { action: timelinePath, filters, choices, hasPages: false, kept: { from: days.start } }
  return { window, status, errors, isTruncated, form, rows: ganttRows(events, window), reader: ctx.reader }
}

type TimelinePage = Omit<Awaited<ReturnType<typeof readTimeline>>, 'status'>

export function timelineBody(page: TimelinePage): Html {
  const { form, rows, errors, isTruncated } = page
  return html`${toolbar(form, { isOpen: errors.length > 0 })}
${errorNotice(errors)}
<div class="month-bar">${windowLinks(page)}${markLegend(['announced', 'ex', 'record', 'due', 'pay'])}</div>
${(isTruncated || rows.length > maxRows) && notice('warn', `There are too many events: the first ${figure(maxRows)} are shown. Use the filters above.`)}
${rows.length === 0 ? errors.length === 0 && emptyState('No events in these 60 days.', 'No ex date, deadline or payment matches.') : gantt(page)}`
}

function windowLinks({ window, form, reader }: TimelinePage): Html {
  const today = reader.now.toZonedDateTimeISO('UTC').toPlainDate()
  const to = (from: Temporal.PlainDate) => filtering.hrefWith(timelinePath, form.filters, { from: from.toString() })
  const start = today.subtract({ days: daysBeforeToday })
  return html`<nav class="row" aria-label="Days">
<a class="button plain" rel="prev" href="${to(window.from.subtract({ days: 30 }))}"><span aria-hidden="true">←</span>30 days</a>
${!window.from.equals(start) && html`<a class="button plain" href="${filtering.hrefWith(timelinePath, form.filters)}">Today</a>`}
<a class="button plain" rel="next" href="${to(window.from.add({ days: 30 }))}">30 days<span aria-hidden="true">→</span></a>
<span class="small quiet">${day(window.from)} to ${day(window.from.add({ days: window.days - 1 }))}</span></nav>`
}

/** A table with a drawing in each row. Its dates are also there as text. */
function gantt(page: TimelinePage): Html {
  const { window, rows, reader } = page
  const now = positionOf(reader.now.epochMilliseconds, window)
  const today = now >= 0 && now <= 100 ? now : undefined
  const weeks = mondaysIn(window)
  // The last label would be cut off. A label begins at its day; the word for today is centred.
  const isFree = (x: number) => today === undefined || x < today - 10 || x > today + 4
  const named = weeks.filter(({ x }) => x < 95 && isFree(x))
  const axis = html`<svg class="gantt-axis" aria-hidden="true" focusable="false">${named.map(({ x, date }) => html`<text x="${x}%" y="13">${shortDay(date)}</text>`)}
${today !== undefined && html`<text class="now-word" x="${today}%" y="13" text-anchor="middle">today</text>`}</svg>`
  const grid = html`${weeks.map(({ x }) => html`<line class="week" x1="${x}%" x2="${x}%" y1="0" y2="100%"/>`)}${today !== undefined && html`<line class="now" x1="${today}%" x2="${today}%" y1="0" y2="100%"/>`}`
  return html`<div class="scroll gantt" role="region" aria-label="Timeline" tabindex="0"><table>
<caption class="unseen">Dates of corporate actions from ${day(window.from)}</caption>
<thead><tr><th scope="col">Event</th><th scope="col">Status</th><th scope="col">${hiddenText('Dates')}${axis}</th></tr></thead>
<tbody>${rows.slice(0, maxRows).map((row) => ganttRow(row, grid, page))}</tbody></table></div>`
}

/** Where marks are: on the bar, above and below it. */
const lanes = [12, 2, 22]

function ganttRow({ event, dates, marks: placed, bar }: GanttRow, grid: Html, { form, reader }: TimelinePage): Html {
  const texts = dates.map(({ kind, at }) => `${marks[kind].name} ${dateText(at)}`)
  const width = Math.round((bar.to - bar.from) * 100) / 100
  return html`<tr><th scope="row"><a href="${eventHref(event, form.filters)}">${typeName(event)}</a> <span class="of"><bdi>${instrumentName(event)}</bdi></span></th>
<td>${statusTag(event, reader)}</td>
<td class="gantt-cell">${hiddenText(texts.join(', '))}<svg class="gantt-row${isCalledOff(event) && ' off'}" aria-hidden="true" focusable="false">${grid}
<rect class="bar" x="${bar.from}%" y="15" width="${width}%" height="4" rx="2"/>
${placed.map(({ kind, at, x, lane }) => html`<svg class="mark ${kind}" x="${x}%" y="${lanes[lane % lanes.length]}" overflow="visible"><g transform="translate(-5)"><title>${marks[kind].name} ${dateText(at)}</title>${marks[kind].shape}</g></svg>`)}</svg></td></tr>`
}

const dateText = (at: string): string => (hasTime(at) ? `${day(at)}, ${time(at, 'UTC')} UTC` : day(at))
