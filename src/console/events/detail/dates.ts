import type { Event } from '../../../events/api/schema.ts'
import { type EventOption, hasTime, isAhead, isSet, timeLeft } from '../../../events/rules/status/deadlines.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { table, tag } from '../../shared/elements.ts'
import { capital, day, dayAndTime, groupsOf, type Reader, words } from '../../shared/format.ts'
import { dateAndTime, momentIn, optionName } from '../labels.ts'
import { type Moment, type Span, type Timeline, timelineChart } from './timeline.ts'

/** A named date of an event. It may have no day yet, only a status such as `ongoing`. */
type EventDate = Readonly<{
  name: string
  at: string | undefined
  until?: string | undefined
  isSpan?: boolean
  status?: string | undefined
  options: readonly EventOption[]
  isDeadline?: boolean
}>

/** `only` names the options that it applies to, unless it applies to all. */
type DateRow = EventDate & Readonly<{ only: string | undefined }>

type DateAndStatus = Readonly<{ Date?: string; Status?: string }> | undefined
type Period = Readonly<{ Start?: DateAndStatus; End?: DateAndStatus }> | undefined

const names = {
  Ex: 'ex date',
  Record: 'record date',
  Effective: 'effective date',
  TradingSuspended: 'trading suspended',
  ClaimPeriod: 'claim period',
  InterestPeriod: 'interest period',
  ElectionPeriod: 'election period',
  TradingPeriod: 'rights trading',
  Deadline: 'response deadline',
  MarketDeadline: 'market deadline',
  IssuerDeadline: 'issuer deadline',
  Payment: 'payment',
  AvailableForTrade: 'new securities tradable',
  LastTrade: 'last trading day',
  PariPassu: 'ranks equally',
} as const
/** What the dates of an event and its options are called, by their member. */
export const dateNames: Readonly<Record<string, string>> = names

export function datesOf(event: Event): EventDate[] {
  const { Options = [] } = event
  const own = [
    point('announced', event.AnnouncedDate === undefined ? undefined : { Date: event.AnnouncedDate }),
    point(names.Ex, event.Ex),
    point(names.Record, event.Record),
    point(names.Effective, event.Effective),
    point(names.TradingSuspended, event.TradingSuspended),
    period(names.ClaimPeriod, event.ClaimPeriod),
    period(names.InterestPeriod, event.InterestPeriod),
  ]
  const ofOptions = Options.flatMap((option) =>
    [
      period(names.ElectionPeriod, option.ElectionPeriod),
      period(names.TradingPeriod, option.TradingPeriod),
      { ...point(names.Deadline, option.Deadline), isDeadline: true },
      point(names.MarketDeadline, option.MarketDeadline),
      point(names.IssuerDeadline, option.IssuerDeadline),
      point(names.Payment, option.Payment),
      ...(option.SecurityMovements ?? []).flatMap((movement) => [
        point(names.AvailableForTrade, movement.AvailableForTrade),
        point(names.LastTrade, movement.LastTrade),
        point(names.PariPassu, movement.PariPassu),
      ]),
    ].map((date) => ({ ...date, options: [option] })),
  )
  return merged([...own, ...ofOptions].filter(hasValue)).toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
}

const point = (name: string, date: DateAndStatus): EventDate => {
  return { name, at: date?.Date, status: date?.Status, options: [] }
}

const period = (name: string, { Start, End }: NonNullable<Period> = {}): EventDate => ({
  name,
  isSpan: true,
  at: Start?.Date,
  until: End?.Date,
  status: [Start?.Status && `from ${Start.Status}`, End?.Status && `to ${End.Status}`].filter(Boolean).join(', '),
  options: [],
})

const hasValue = ({ at, until, status }: EventDate): boolean =>
  at !== undefined || until !== undefined || (status !== undefined && status !== '')

/** Dates without a day sort last. */
const startOf = ({ at, until }: EventDate): string => at ?? until ?? '~'

function merged(dates: readonly EventDate[]): EventDate[] {
  const same = groupsOf(dates, ({ name, at, until, status }) => JSON.stringify([name, at, until, status]))
  const optionsIn = (together: readonly EventDate[]) => [...new Set(together.flatMap(({ options }) => options))]
  return same.map((together) => ({ ...together[0], options: optionsIn(together) }))
}

const instantOf = (date: string): Temporal.Instant =>
  Temporal.Instant.from(date.length === 10 ? `${date}T00:00:00Z` : date)

/** The election period comes first: it is drawn on the line itself. */
function timelineOf(dates: readonly EventDate[], now: Temporal.Instant): Timeline {
  const moments: Moment[] = dates.flatMap(({ at, name, isSpan, isDeadline = false }) =>
    !isSpan && isSet(at) ? [{ at: instantOf(at), name, isDeadline }] : [],
  )
  const endOf = (date: string | undefined) => (isSet(date) ? instantOf(date) : undefined)
  const periods = dates.filter(({ isSpan, at, until }) => isSpan && (isSet(at) || isSet(until)))
  const spans: Span[] = periods.map(({ at, until, name }) => ({ from: endOf(at), to: endOf(until), name }))
  const isElection = ({ name }: Span) => name === names.ElectionPeriod
  return { moments, spans: [...spans.filter(isElection), ...spans.filter((span) => !isElection(span))], now }
}

export function dateText(date: string | undefined, zone: string): Html | string {
  if (date === undefined) return 'open'
  if (!isSet(date)) return 'not set yet'
  return hasTime(date) ? momentIn(date, zone) : day(date)
}

function whenText({ at, until, isSpan }: EventDate, zone: string): Html | string | undefined {
  if (at === undefined && (!isSpan || until === undefined)) return undefined
  return isSpan ? html`${dateText(at, zone)} to ${dateText(until, zone)}` : dateText(at, zone)
}

export function datesCard(event: Event, now: Temporal.Instant, zone: string): Html | undefined {
  const dates = datesOf(event)
  if (dates.length === 0) return undefined
  const timeline = timelineOf(dates, now)
  const isDrawn = timeline.moments.length + timeline.spans.length > 0
  const rows: DateRow[] = dates.map((date) => ({ ...date, only: optionsOf(date, event) }))
  const dateTable = table<DateRow>(
    'Dates of this event, in chronological order',
    [
      ['Date', ({ name }) => capital(name), 'name'],
      ['When', (row) => html`${whenText(row, zone)}${row.status && html` ${tag(words(row.status))}`}`],
      ['Options', (row) => row.only ?? (row.options.length > 0 && 'all')],
    ],
    rows,
  )
  return html`<section class="card"><h2>Dates</h2>
${isDrawn && html`${timelineChart(timeline, timelineText(dates))}${dayList(rows, now, zone)}`}
<details class="fold"${!isDrawn && html` open`}><summary>Dates as a table</summary>
${dateTable}</details></section>`
}

/** The dates at a glance, next to the rest on a wide screen: each name once, with its first day. */
export function keyDates(event: Event, { now, zone }: Reader): Html | undefined {
  const known = datesOf(event).filter(({ at, isSpan }) => !isSpan && isSet(at))
  const first = groupsOf(known, ({ name }) => name).map(([date]) => date)
  if (first.length === 0) return undefined
  const next = first.find(({ at }) => isSet(at) && isAhead(at, now))
  const item = (date: EventDate) => {
    const { name, at = '', isDeadline } = date
    const state = [!isAhead(at, now) && 'past', date === next && 'next', isDeadline && 'deadline'].filter(Boolean)
    return html`<li class="${state.join(' ')}"><span>${capital(name)}</span> <time datetime="${at}">${dateAndTime(at, zone)}</time>${date === next && html` <span class="quiet">${timeLeft(at, now)}</span>`}</li>`
  }
  return html`<aside class="card key-dates" aria-label="Key dates"><h2>Key dates</h2><ol class="plain">${first.map(item)}</ol><p class="hint">In ${zone}.</p></aside>`
}

function optionsOf({ options }: EventDate, event: Event): string | undefined {
  const isPartial = options.length > 0 && options.length < (event.Options?.length ?? 0)
  return isPartial ? options.map(optionName).join(', ') : undefined
}

function dayList(dates: readonly DateRow[], now: Temporal.Instant, zone: string): Html {
  const shown = dates.filter(({ at, until }) => isSet(at) || isSet(until))
  const isPast = (date: EventDate) => startOf(date) < now.toString()
  const item = (date: DateRow) =>
    html`<li class="${[date.isDeadline && 'deadline', date.isSpan && 'span'].filter(Boolean).join(' ')}"><strong>${capital(date.name)}</strong> <span>${whenText(date, zone)}</span>${date.only && html`<span>${date.only}</span>`}</li>`
  return html`<ol class="day-list" aria-hidden="true">${shown.filter(isPast).map(item)}<li class="now">Today</li>${shown.filter((date) => !isPast(date)).map(item)}</ol>`
}

/** The timeline for screen readers: `Timeline: announced 3 Nov 2026, ex date 17 Nov 2026`. */
function timelineText(dates: readonly EventDate[]): string {
  const textOf = (date: string | undefined) =>
    isSet(date) ? (hasTime(date) ? `${dayAndTime(date, 'UTC')} UTC` : day(date)) : 'open'
  const texts = dates.flatMap(({ name, at, until, isSpan }) => {
    if (isSpan) return [`${name} ${textOf(at)} to ${textOf(until)}`]
    return isSet(at) ? [`${name} ${textOf(at)}`] : []
  })
  return `Timeline: ${texts.join(', ')}`
}
