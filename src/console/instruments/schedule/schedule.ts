import { type Html, html } from '../../../http/html/html.ts'
import type { InstrumentDetails } from '../../../instruments/api/schema.ts'
import { emptyState, notice, selectField, table, tag } from '../../shared/elements.ts'
import { day, dayOf, fromNow, weekdayName, zoneName } from '../../shared/format.ts'
import { nameOf } from '../pages/names.ts'
import { notesIn, type SpecialDay } from './holidays.ts'
import { comingMoment, haveSameClock, isPresent, momentText, type Present, presentSentence } from './state.ts'
import { weekChart, weekLegend } from './week.ts'
import type { WeekSession } from './week-rows.ts'

export type ScheduleView = Readonly<{
  details: InstrumentDetails
  sessions: readonly WeekSession[]
  present: Present | undefined
  exchangeZone: string
  zone: string
  /** What was asked for as a zone and is none. */
  unknownZone: string | undefined
  special: readonly SpecialDay[]
  now: Temporal.Instant
}>

export function schedulePage(view: ScheduleView): Html {
  const { sessions, exchangeZone, zone, now, special } = view
  const { Exchange: exchange } = view.details
  const isSame = haveSameClock(exchangeZone, zone, [now, ...sessions.map(({ end }) => end)])
  return html`${opening(view, isSame)}
${view.unknownZone !== undefined && notice('warn', `“${view.unknownZone}” is no time zone that is known here; ${zone} is shown. Choose one below.`)}
<section class="card flow"><h2>At the exchange <span class="quiet small">${clockText(exchangeZone, now)}</span></h2>
${week(view, exchangeZone)}${weekLegend(sessions)}</section>
<section class="card flow"><h2>In your time <span class="quiet small">${clockText(zone, now)}</span></h2>
${isSame ? html`<p>All week the clocks of ${zoneName(zone)} and of the exchange show the same: the week above is yours too.</p>` : week(view, zone)}
${zoneForm(view)}</section>
<section class="flow" id="holidays"><div class="row between"><h2>When <bdi>${exchange.Name}</bdi> is closed or keeps other hours</h2>
<a href="/console/instruments?ExchangeId=${encodeURIComponent(exchange.ExchangeId)}">What is traded there</a></div>${differentDays(special, exchangeZone, now)}</section>
<section class="flow"><h2>All sessions of the week</h2>${sessionTable(view, isSame)}</section>`
}

function opening({ present, exchangeZone, zone, now }: ScheduleView, isSame: boolean): Html | undefined {
  if (!present) return undefined
  const alsoHere = !isSame && present.until && `, ${comingMoment(zone, present.until, now)} in ${zoneName(zone)}`
  return html`<p class="lead-line"><strong>${presentSentence(present, exchangeZone, now)}</strong>${alsoHere}.</p>`
}

/** `New York, UTC-05:00` */
function clockText(zone: string, now: Temporal.Instant): string {
  const { offset } = now.toZonedDateTimeISO(zone)
  return zoneName(zone) === 'UTC' ? 'UTC' : `${zoneName(zone)}, UTC${offset.replace('-', '−')}`
}

function week({ sessions, special, exchangeZone, now, details }: ScheduleView, zone: string): Html {
  // Generous by two days on both sides, since the two clocks may be on different days.
  const today = now.toZonedDateTimeISO('UTC').toPlainDate()
  const [first, last] = [today.subtract({ days: 2 }).toString(), today.add({ days: 9 }).toString()]
  const near = special.filter(({ date }) => date >= first && date <= last)
  return weekChart({
    caption: `Trading week of ${nameOf(details)}, by the clock of ${zoneName(zone)}; the table below says the same`,
    sessions,
    zone,
    now,
    notes: notesIn(near, exchangeZone, zone),
  })
}

const commonZones = [
  'America/Los_Angeles',
  'America/Chicago',
  'America/New_York',
  'America/Toronto',
  'America/Sao_Paulo',
  'Europe/London',
  'Europe/Copenhagen',
  'Europe/Paris',
  'Europe/Berlin',
  'Europe/Zurich',
  'Europe/Helsinki',
  'Africa/Johannesburg',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Singapore',
  'Asia/Hong_Kong',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
]

function zoneForm({ zone, details }: ScheduleView): Html {
  const zones = [...new Set(['UTC', zone, ...commonZones])]
  const choices = zones.map((value) => ({ value, name: value.replaceAll('_', ' ') }))
  return html`<form class="row zone-form" method="get" action="/console/schedule/${details.Uic}/${details.AssetType}">
${selectField('zone', 'Your time zone', choices, zone)}<button class="button plain">Show</button></form>`
}

const mostDays = 8

function differentDays(special: readonly SpecialDay[], exchangeZone: string, now: Temporal.Instant): Html {
  const today = now.toZonedDateTimeISO(exchangeZone).toPlainDate().toString()
  const coming = special.filter(({ date }) => date >= today).slice(0, mostDays)
  if (coming.length === 0)
    return emptyState('No holiday is known that is still to come.', 'Every day is traded as in the week above.')
  return table(
    `The next holidays and short days of the exchange`,
    [
      { head: 'Day', cell: ({ date }) => html`${weekdayName(dayOf(date))} ${day(date)}`, isRowHead: true },
      { head: 'Name', cell: ({ name }) => html`<bdi>${name}</bdi>` },
      { head: 'Exchange', cell: ({ at }) => (at ? tag(`${at.verb} ${at.time}`) : tag('closed', 'warn')) },
      { head: 'When', cell: ({ date }) => daysFrom(today, date) },
    ],
    coming,
  )
}

function daysFrom(today: string, date: string): string {
  const { days } = dayOf(today).until(dayOf(date), { largestUnit: 'days' })
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`
}

function sessionTable({ sessions, exchangeZone, zone, now }: ScheduleView, isSame: boolean): Html {
  return table<WeekSession>(
    'Sessions from now through the coming week',
    [
      {
        head: 'What',
        cell: (session) => html`${session.name} ${isPresent(session, now) && tag('now', 'accent')}`,
        isRowHead: true,
      },
      { head: `Exchange, ${zoneName(exchangeZone)}`, cell: (session) => spanText(session, exchangeZone) },
      ...(isSame ? [] : [{ head: `You, ${zoneName(zone)}`, cell: (session: WeekSession) => spanText(session, zone) }]),
      { head: 'Begins', cell: ({ start }) => fromNow(start, now) },
    ],
    sessions,
    { rowClass: ({ kind }) => (kind === 'closed' ? 'closed' : undefined) },
  )
}

/** `Mon 16 Nov, 09:30 – 16:00`: in a table every line says its day. */
function spanText({ start, end }: WeekSession, zone: string): string {
  const from = start.toZonedDateTimeISO(zone)
  return `${momentText(from)} – ${momentText(end.toZonedDateTimeISO(zone), from)}`
}
