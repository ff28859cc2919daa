import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../http/html/html.ts'
import type { ExchangeHolidays, InstrumentDetails, TradingSchedule } from '../../../instruments/api/schema.ts'
import type { PageContext } from '../../shared/context.ts'
import { emptyState, notice, table, tag } from '../../shared/elements.ts'
import { type Choice, selectField } from '../../shared/fields.ts'
import { day, dayOf, daysFromToday, fromNow, weekdayName, zoneName } from '../../shared/format.ts'
import { headingOf, instrumentHref, instrumentsCrumb, nameOf } from '../pages/names.ts'
import { notesIn, type SpecialDay, specialDays } from './holidays.ts'
import * as state from './state.ts'
import { type WeekSession, weekChart, weekLegend } from './week.ts'

export async function showSchedule(ctx: PageContext): Promise<FastifyReply> {
  const view = await readSchedule(ctx)
  const { details, current } = view
  const symbol = details.Symbol ?? nameOf(details)
  return ctx.render({
    title: `Trading hours of ${nameOf(details)}`,
    heading: html`Trading hours of ${headingOf(details)}`,
    crumbs: [instrumentsCrumb, [symbol, instrumentHref(details.Uic, details.AssetType)]],
    aside: html`${current && tag(`${current.name} now`, current.kind === 'open' ? 'good' : undefined)}${tag(html`<bdi>${details.Exchange.Name}</bdi>`)}`,
    body: schedulePage(view),
  })
}

type ScheduleView = Awaited<ReturnType<typeof readSchedule>>

async function readSchedule(ctx: PageContext) {
  const instrument = `${encodeURIComponent(ctx.param('Uic'))}/${encodeURIComponent(ctx.param('AssetType'))}`
  const [details, schedule] = await Promise.all([
    ctx.api.get<InstrumentDetails>(`/ref/v1/instruments/details/${instrument}`),
    ctx.api.get<TradingSchedule>(`/ref/v1/instruments/tradingschedule/${instrument}`),
  ])
  const { now, today } = ctx
  const holidays = await ctx.api.find<ExchangeHolidays>(
    `/x/v1/holidays/instruments/${instrument}`,
    // The exchange's date may be one day off.
    { FromDate: today.subtract({ days: 1 }).toString(), ToDate: today.add({ years: 1 }).toString() },
  )
  const sessions = state.sessionsOf(schedule)
  const wanted = ctx.query('zone')
  return {
    ...{ details, sessions, now, zone: ctx.zone },
    current: state.currentStateOf(sessions, now),
    exchangeZone: holidays?.TimeZone ?? 'UTC',
    unknownZone: wanted && wanted !== ctx.zone ? wanted : undefined,
    special: holidays ? specialDays(holidays) : [],
  }
}

function schedulePage(view: ScheduleView): Html {
  const { sessions, exchangeZone, zone, now, special } = view
  const { Exchange: exchange } = view.details
  const isSame = state.haveSameClock(exchangeZone, zone, [now, ...sessions.map(({ end }) => end)])
  return html`${leadLine(view, isSame)}
${view.unknownZone !== undefined && notice('warn', `“${view.unknownZone}” is not a known time zone; showing ${zone}. Choose one below.`)}
<section class="card flow"><h2>At the exchange <span class="quiet small">${clockText(exchangeZone, now)}</span></h2>
${week(view, exchangeZone)}${weekLegend(sessions)}</section>
<section class="card flow"><h2>In your time zone <span class="quiet small">${clockText(zone, now)}</span></h2>
${isSame ? html`<p>${zoneName(zone)} and the exchange have the same time all week: see above.</p>` : week(view, zone)}
${zoneForm(view)}</section>
<section class="flow" id="holidays"><div class="row between"><h2>Holidays and short days</h2>
<a href="/console/instruments?ExchangeId=${encodeURIComponent(exchange.ExchangeId)}">Instruments on this exchange</a></div>${specialDayTable(special, exchangeZone, now)}</section>
<section class="flow"><h2>All sessions of the week</h2>${sessionTable(view, isSame)}</section>`
}

function leadLine({ current, exchangeZone, zone, now }: ScheduleView, isSame: boolean): Html | undefined {
  if (!current) return undefined
  const local = !isSame && current.until && `, ${state.comingMoment(zone, current.until, now)} in ${zoneName(zone)}`
  return html`<p class="lead-line"><strong>${state.stateSentence(current, exchangeZone, now)}</strong>${local}.</p>`
}

/** `New York, UTC−05:00` */
function clockText(zone: string, now: Temporal.Instant): string {
  const { offset } = now.toZonedDateTimeISO(zone)
  return zoneName(zone) === 'UTC' ? 'UTC' : `${zoneName(zone)}, UTC${offset.replace('-', '−')}`
}

function week({ sessions, special, exchangeZone, now, details }: ScheduleView, zone: string): Html {
  // Two extra days on both sides, because the two zones may be on different dates.
  const today = now.toZonedDateTimeISO('UTC').toPlainDate()
  const [first, last] = [today.subtract({ days: 2 }).toString(), today.add({ days: 9 }).toString()]
  const near = special.filter(({ date }) => date >= first && date <= last)
  return weekChart({
    caption: `Trading hours of ${nameOf(details)} in ${zoneName(zone)} time; the table below lists the same data`,
    sessions,
    zone,
    now,
    notes: notesIn(near, exchangeZone, zone),
  })
}

const commonZones = [
  ...['America/Los_Angeles', 'America/Chicago', 'America/New_York', 'America/Toronto', 'America/Sao_Paulo'],
  ...['Europe/London', 'Europe/Copenhagen', 'Europe/Paris', 'Europe/Berlin', 'Europe/Zurich', 'Europe/Helsinki'],
  ...['Africa/Johannesburg', 'Asia/Dubai', 'Asia/Kolkata', 'Asia/Singapore', 'Asia/Hong_Kong', 'Asia/Tokyo'],
  ...['Australia/Sydney', 'Pacific/Auckland'],
]

function zoneForm({ zone, details }: ScheduleView): Html {
  const zones = [...new Set(['UTC', zone, ...commonZones])]
  const choices = zones.map((value): Choice => [value, value.replaceAll('_', ' ')])
  return html`<form class="row zone-form" method="get" action="/console/schedule/${details.Uic}/${details.AssetType}">
${selectField('zone', 'Your time zone', choices, zone)}<button class="button plain">Show</button></form>`
}

const maxDays = 8

function specialDayTable(special: readonly SpecialDay[], exchangeZone: string, now: Temporal.Instant): Html {
  const today = now.toZonedDateTimeISO(exchangeZone).toPlainDate()
  const coming = special.filter(({ date }) => date >= today.toString()).slice(0, maxDays)
  if (coming.length === 0) return emptyState('No upcoming holidays.', 'The hours above apply every week.')
  return table<SpecialDay>(
    'Upcoming holidays and short days',
    [
      ['Date', ({ date }) => html`${weekdayName(dayOf(date))} ${day(date)}`, 'name'],
      ['Name', ({ name }) => html`<bdi>${name}</bdi>`],
      ['Exchange', ({ at }) => (at ? tag(`${at.verb} ${at.time}`) : tag('closed', 'warn'))],
      ['When', ({ date }) => daysFromToday(today, dayOf(date))],
    ],
    coming,
  )
}

function sessionTable({ sessions, exchangeZone, zone, now }: ScheduleView, isSame: boolean): Html {
  return table<WeekSession>(
    'Sessions of the coming week',
    [
      ['Session', (session) => html`${session.name} ${state.isCurrent(session, now) && tag('now', 'accent')}`, 'name'],
      [`Exchange, ${zoneName(exchangeZone)}`, (session) => spanText(session, exchangeZone)],
      !isSame && [`You, ${zoneName(zone)}`, (session) => spanText(session, zone)],
      ['Starts', ({ start }) => fromNow(start, now)],
    ],
    sessions,
    { rowClass: ({ kind }) => (kind === 'closed' ? 'closed' : undefined) },
  )
}

/** `Mon 16 Nov, 09:30 – 16:00` */
function spanText({ start, end }: WeekSession, zone: string): string {
  const from = start.toZonedDateTimeISO(zone)
  return `${state.momentText(from)} – ${state.momentText(end.toZonedDateTimeISO(zone), from)}`
}
