import { type Html, html } from '../../../http/html/html.ts'
import { emptyState, notice, refusals, table, tag } from '../../shared/elements.ts'
import { day, figure, monthName, time, weekdayName } from '../../shared/format.ts'
import { hasTime } from '../detail/dates.ts'
import { electionTag, instrumentName, isOff, typeName } from '../labels.ts'
import { eventViews, listPath, mostExported, type Reader, storyHref } from './event-list.ts'
import { type FilterForm, filterChips, filterForm } from './filter-form.ts'
import { type Asked, hrefWith, narrowing } from './filters.ts'
import { type Entry, type EntryKind, weeksOf } from './month-entries.ts'

export type EventMonth = Readonly<{
  month: Temporal.PlainYearMonth
  entries: ReadonlyMap<string, readonly Entry[]>
  form: FilterForm
  /** The day whose entries are all told below the month. */
  chosen: string | undefined
  /** More events than are read at a time. */
  isCut: boolean
  refused: readonly string[]
  reader: Reader
}>

export const monthPath = `${listPath}/month`
/** So many entries leave a week as high as a week should be. */
const mostInDay = 4

const longNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]

/** `November 2026` */
export const monthTitle = ({ month, year }: Temporal.PlainYearMonth): string => `${longNames[month - 1]} ${year}`

export function monthBody(page: EventMonth): Html {
  const { form, month, entries, refused, isCut } = page
  const kept = { month: month.toString() }
  return html`${eventViews('month', form.asked)}
${refusals(refused)}
<div class="month-bar">${steps(page)}${legend}</div>
${isCut && notice('warn', `There is more than a month can show: only the first ${figure(mostExported)} events of each kind are here. Narrow them down below.`)}
${filterChips(monthPath, form.asked, form.choices, kept)}
${entries.size === 0 && refused.length === 0 && nothing(page)}
${grid(page)}
${page.chosen !== undefined && dayTable(page, page.chosen)}
<details class="fold"${refused.length > 0 && html` open`}><summary>Filter the month</summary>${filterForm(form)}</details>`
}

function steps({ month, form, reader }: EventMonth): Html {
  const to = (other: Temporal.PlainYearMonth) => hrefWith(monthPath, form.asked, { month: other.toString() })
  const [before, after] = [month.subtract({ months: 1 }), month.add({ months: 1 })]
  const present = todayOf(reader).toPlainYearMonth()
  return html`<nav class="row" aria-label="Months">
<a class="button plain" rel="prev" href="${to(before)}"><span aria-hidden="true">←</span>${monthTitle(before)}</a>
${!month.equals(present) && html`<a class="button plain" href="${to(present)}">This month</a>`}
<a class="button plain" rel="next" href="${to(after)}">${monthTitle(after)}<span aria-hidden="true">→</span></a></nav>`
}

/** In events today is UTC's. */
const todayOf = ({ now }: Reader): Temporal.PlainDate => now.toZonedDateTimeISO('UTC').toPlainDate()

const words: Record<EntryKind, string> = { ex: 'Ex date', due: 'Deadline', pay: 'Payment' }

/** Each kind has a shape, a colour and a word. */
const shapes: Record<EntryKind, Html> = {
  ex: html`<svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><path d="M5 0l5 5-5 5-5-5z"/></svg>`,
  due: html`<svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><path d="M0 1h10L5 10z"/></svg>`,
  pay: html`<svg class="shape" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4.5"/></svg>`,
}

const legend = html`<ul class="month-legend" aria-label="What the marks mean">${(['ex', 'due', 'pay'] as const).map(
  (kind) => html`<li class="${kind}">${shapes[kind]} ${words[kind]}</li>`,
)}<li class="quiet">Days are UTC</li></ul>`

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
  const kind = [isToday && 'today', date.dayOfWeek > 5 && 'weekend', entries.length === 0 && 'free']
  const shown = entries.length > mostInDay ? entries.slice(0, mostInDay - 1) : entries
  return html`<td class="${kind.filter(Boolean).join(' ')}"><span class="day-number"><span class="day-name">${weekdayName(date)} </span>${date.day}<span class="day-name"> ${monthName(date.month)}</span>${isToday && html`<span class="unseen">, today</span>`}</span>
${shown.map((entry) => entryLink(entry, page.form.asked))}
${shown.length < entries.length && html`<a class="more-link" href="${dayHref(date.toString(), page)}">+${entries.length - shown.length} more<span class="unseen"> on ${day(date)}</span></a>`}</td>`
}

const dayHref = (date: string, { form, month }: EventMonth): string =>
  `${hrefWith(monthPath, form.asked, { month: month.toString(), day: date })}#day`

const shortWords: Record<EntryKind, string> = { ex: 'Ex', due: 'Due', pay: 'Pay' }

const entryLink = ({ kind, event }: Entry, asked: Asked): Html =>
  html`<a class="entry ${kind}${isOff(event) && ' off'}" href="${storyHref(event, asked)}">${shapes[kind]}<span><b>${shortWords[kind]}</b> <bdi>${instrumentName(event)}</bdi>${isOff(event) && html`<span class="unseen"> (${event.EventState})</span>`}</span></a>`

/** All of one day, for which the month has no room. */
function dayTable({ entries, form, reader }: EventMonth, chosen: string): Html {
  const rows = entries.get(chosen) ?? []
  return html`<section class="flow day-entries" id="day"><h2>${day(chosen)}</h2>
${
  rows.length === 0
    ? html`<p class="quiet">Nothing happens on this day.</p>`
    : table<Entry>(
        `All of ${day(chosen)}`,
        [
          { head: 'What', cell: ({ kind }) => html`<span class="entry ${kind}">${shapes[kind]} ${words[kind]}</span>` },
          {
            head: 'Event',
            isRowHead: true,
            cell: ({ event }) =>
              html`<a href="${storyHref(event, form.asked)}">${typeName(event)}</a> ${isOff(event) && tag(event.EventState, 'bad')}`,
          },
          { head: 'Instrument', cell: ({ event }) => html`<bdi>${instrumentName(event)}</bdi>` },
          { head: 'Time', cell: ({ at }) => timeIn(at, reader.zone), isFigure: true },
          { head: 'Election', cell: ({ event }) => electionTag(event.ElectionStatus) },
        ],
        rows,
      )
}</section>`
}

const timeIn = (at: string, zone: string): string | undefined =>
  hasTime(at) ? `${time(at, 'UTC')} UTC${zone === 'UTC' ? '' : `, ${time(at, zone)} here`}` : undefined

function nothing({ form, month }: EventMonth): Html {
  const isNarrow = narrowing(form.asked).size > 0
  return emptyState(
    `Nothing happens in ${monthTitle(month)}.`,
    isNarrow
      ? 'No ex date, deadline or payment matches these filters.'
      : 'No ex date, deadline or payment of what you hold.',
    isNarrow
      ? { href: hrefWith(monthPath, new Map(), { month: month.toString() }), name: 'Clear all filters' }
      : undefined,
  )
}
