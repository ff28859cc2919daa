import type { Event } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { table } from '../../shared/elements.ts'
import { day, dayAndTime, words } from '../../shared/format.ts'
import { type EventOption, isSet, momentIn, optionName } from '../labels.ts'
import { type Moment, type Span, type Timeline, timelineChart } from './timeline.ts'

/** All dates of an event, in the order of time: drawn on a line, and told in a table. */

/** A date with what it means. One without a day is told all the same: not set yet, or ongoing. */
export type EventDate = Readonly<{
  word: string
  /** A day, or a moment where it is known to the minute. */
  at: string | undefined
  /** The end of what lasts. */
  until?: string | undefined
  isSpan?: boolean
  status?: string | undefined
  options: readonly EventOption[]
  isDeadline?: boolean
}>

type DateAndStatus = Readonly<{ Date?: string; Status?: string }> | undefined
type Period = Readonly<{ Start?: DateAndStatus; End?: DateAndStatus }> | undefined

export function datesOf(event: Event): EventDate[] {
  const { Options = [] } = event
  const own = [
    point('announced', event.AnnouncedDate === undefined ? undefined : { Date: event.AnnouncedDate }),
    point('ex date', event.Ex),
    point('record date', event.Record),
    point('effective', event.Effective),
    point('trading suspended', event.TradingSuspended),
    period('claim period', event.ClaimPeriod),
    period('interest period', event.InterestPeriod),
  ]
  const ofOptions = Options.flatMap((option) =>
    [
      period('election period', option.ElectionPeriod),
      period('trading of rights', option.TradingPeriod),
      { ...point('your deadline', option.Deadline), isDeadline: true },
      point('market deadline', option.MarketDeadline),
      point('issuer deadline', option.IssuerDeadline),
      point('payment', option.Payment),
      ...(option.SecurityMovements ?? []).flatMap((movement) => [
        point('new securities can be traded', movement.AvailableForTrade),
        point('last trade', movement.LastTrade),
      ]),
    ].map((date) => ({ ...date, options: [option] })),
  )
  return merged([...own, ...ofOptions].filter(isTold)).toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
}

const point = (word: string, told: DateAndStatus): EventDate => ({
  word,
  at: told?.Date,
  status: told?.Status,
  options: [],
})

const period = (word: string, told: Period): EventDate => ({
  word,
  isSpan: true,
  at: told?.Start?.Date,
  until: told?.End?.Date,
  status: [told?.Start?.Status && `from ${told.Start.Status}`, told?.End?.Status && `to ${told.End.Status}`]
    .filter(Boolean)
    .join(', '),
  options: [],
})

const isTold = ({ at, until, status }: EventDate): boolean =>
  at !== undefined || until !== undefined || (status !== undefined && status !== '')

/** What has no day comes last. */
const startOf = ({ at, until }: EventDate): string => at ?? until ?? '~'

/** Options that share a date share a line. */
function merged(dates: readonly EventDate[]): EventDate[] {
  const same = Map.groupBy(dates, ({ word, at, until, status }) => JSON.stringify([word, at, until, status]))
  return [...same.values()].flatMap((together) => {
    const [first] = together
    return first ? [{ ...first, options: [...new Set(together.flatMap(({ options }) => options))] }] : []
  })
}

const instantOf = (date: string): Temporal.Instant =>
  Temporal.Instant.from(date.length === 10 ? `${date}T00:00:00Z` : date)

/** The election stands on the line itself, so it is the first of the spans. */
export function timelineOf(dates: readonly EventDate[], now: Temporal.Instant): Timeline {
  const moments: Moment[] = dates.flatMap(({ at, word, isSpan, isDeadline = false }) =>
    !isSpan && isSet(at) ? [{ at: instantOf(at), word, isDeadline }] : [],
  )
  const spans: Span[] = dates.flatMap(({ at, until, word, isSpan }) => {
    if (!isSpan || (!isSet(at) && !isSet(until))) return []
    return [{ from: isSet(at) ? instantOf(at) : undefined, to: isSet(until) ? instantOf(until) : undefined, word }]
  })
  const isElection = ({ word }: Span) => word === 'election period'
  return { moments, spans: [...spans.filter(isElection), ...spans.filter((span) => !isElection(span))], now }
}

/** A deadline has a time of day, and is told in the reader's zone too. A day may come with a time of zero and is told by
 *  having no fraction (contract §2): a deadline may be at midnight. */
export const hasTime = (date: string): boolean => date.length > 10 && !date.endsWith('T00:00:00Z')

export function dateText(date: string | undefined, zone: string): Html | string {
  if (date === undefined) return 'open'
  if (!isSet(date)) return 'not set yet'
  return hasTime(date) ? momentIn(date, zone) : day(date)
}

const whenText = ({ at, until, isSpan }: EventDate, zone: string): Html | string | undefined => {
  if (isSpan)
    return at === undefined && until === undefined ? undefined : html`${dateText(at, zone)} to ${dateText(until, zone)}`
  return at === undefined ? undefined : dateText(at, zone)
}

export function datesCard(event: Event, now: Temporal.Instant, zone: string): Html | undefined {
  const dates = datesOf(event)
  if (dates.length === 0) return undefined
  const timeline = timelineOf(dates, now)
  const isDrawn = timeline.moments.length + timeline.spans.length > 0
  const rows = dates.map((date) => ({ ...date, only: onlyFor(date, event) }))
  return html`<section class="card"><h2>Dates</h2>
${
  isDrawn &&
  html`${timelineChart(timeline, inWords(dates))}${dayList(rows, now, zone)}
<p class="hint">Long gaps are drawn shorter than they are.</p>`
}
<details class="fold"${!isDrawn && html` open`}><summary>The dates as a table</summary>
${table(
  'Dates of this event, in the order of time',
  [
    { head: 'What', cell: (row) => capital(row.word), isRowHead: true },
    {
      head: 'When',
      cell: (row) => html`${whenText(row, zone)}${row.status && html` <span class="tag">${words(row.status)}</span>`}`,
    },
    {
      head: 'Options',
      cell: (row) => row.only ?? (row.options.length > 0 && 'all'),
    },
  ],
  rows,
)}</details></section>`
}

/** The options that a date is of, where it is not of all. */
function onlyFor({ options }: EventDate, event: Event): string | undefined {
  const isOfSome = options.length > 0 && options.length < (event.Options?.length ?? 0)
  return isOfSome ? options.map(optionName).join(', ') : undefined
}

/** The same line for a narrow screen: from top to bottom, today among the days. */
function dayList(
  dates: readonly (EventDate & { only: string | undefined })[],
  now: Temporal.Instant,
  zone: string,
): Html {
  const today = now.toString()
  const told = dates.filter(({ at, until }) => isSet(at) || isSet(until))
  const isPast = (date: EventDate) => startOf(date) < today
  const item = (date: (typeof dates)[number]) =>
    html`<li class="${[date.isDeadline && 'deadline', date.isSpan && 'span'].filter(Boolean).join(' ')}"><strong>${capital(date.word)}</strong> <span>${whenText(date, zone)}</span>${date.only && html`<span>${date.only}</span>`}</li>`
  return html`<ol class="day-list" aria-hidden="true">${told.filter(isPast).map(item)}<li class="now">Today</li>${told.filter((date) => !isPast(date)).map(item)}</ol>`
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The same for those who hear the page: `announced 3 Nov 2026, ex date 17 Nov 2026, ...`. */
function inWords(dates: readonly EventDate[]): string {
  const textOf = (date: string | undefined) =>
    isSet(date) ? (hasTime(date) ? `${dayAndTime(date, 'UTC')} UTC` : day(date)) : 'open'
  const told = dates.flatMap((date) => {
    if (date.isSpan) return [`${date.word} ${textOf(date.at)} to ${textOf(date.until)}`]
    return isSet(date.at) ? [`${date.word} ${textOf(date.at)}`] : []
  })
  return `Timeline: ${told.join(', ')}`
}
