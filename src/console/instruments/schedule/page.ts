import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../http/html/html.ts'
import type { ExchangeHolidays, InstrumentDetails, TradingSchedule } from '../../../instruments/api/schema.ts'
import { exchangeHref } from '../../exchanges/paths.ts'
import { isCurrent, type MarketSession, marketStatus } from '../../exchanges/rules/market-status.ts'
import { isOpen, statusLine } from '../../exchanges/status.ts'
import type { PageContext } from '../../shared/context.ts'
import { notice, table, tag } from '../../shared/elements.ts'
import { type Choice, selectField } from '../../shared/fields.ts'
import { fromNow, zoneName } from '../../shared/format.ts'
import { headingOf, instrumentHref, instrumentsCrumb, nameOf } from '../pages/names.ts'
import { specialDays } from './holidays.ts'
import { specialDayTable, weekCard } from './parts.ts'
import * as state from './state.ts'

export async function showSchedule(ctx: PageContext): Promise<FastifyReply> {
  const view = await readSchedule(ctx)
  const { details, status } = view
  const symbol = details.Symbol ?? nameOf(details)
  return ctx.render({
    title: `Trading hours of ${nameOf(details)}`,
    heading: html`Trading hours of ${headingOf(details)}`,
    crumbs: [instrumentsCrumb, [symbol, instrumentHref(details.Uic, details.AssetType)]],
    aside: html`${status && tag(`${status.current.name} now`, isOpen(status) ? 'good' : undefined)}<a href="${exchangeHref(details.Exchange.ExchangeId)}"><bdi>${details.Exchange.Name}</bdi></a>`,
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
    ...{ details, sessions, now },
    zones: { reader: ctx.zone, exchange: holidays?.TimeZone ?? 'UTC' },
    status: marketStatus(sessions, now),
    unknownZone: wanted && wanted !== ctx.zone ? wanted : undefined,
    special: holidays ? specialDays(holidays) : [],
  }
}

function schedulePage(view: ScheduleView): Html {
  const { sessions, zones, now, special, status } = view
  const isSame = state.haveSameClock(zones.exchange, zones.reader, [now, ...sessions.map(({ end }) => end)])
  return html`${status && html`<p class="lead-line">${statusLine(status, now, zones)}</p>`}
${view.unknownZone !== undefined && notice('warn', `“${view.unknownZone}” is not a known time zone; showing ${zones.reader}. Choose one below.`)}
${weekCard(nameOf(view.details), sessions, special, now, zones, zoneForm(view))}
<section class="flow" id="holidays"><h2>Holidays and short days</h2>${specialDayTable(special, zones.exchange, now)}</section>
<section class="flow"><h2>All sessions of the week</h2>${sessionTable(view, isSame)}</section>`
}

const commonZones = [
  ...['America/Los_Angeles', 'America/Chicago', 'America/New_York', 'America/Toronto', 'America/Sao_Paulo'],
  ...['Europe/London', 'Europe/Copenhagen', 'Europe/Paris', 'Europe/Berlin', 'Europe/Zurich', 'Europe/Helsinki'],
  ...['Africa/Johannesburg', 'Asia/Dubai', 'Asia/Kolkata', 'Asia/Singapore', 'Asia/Hong_Kong', 'Asia/Tokyo'],
  ...['Australia/Sydney', 'Pacific/Auckland'],
]

function zoneForm({ zones: { reader: zone }, details }: ScheduleView): Html {
  const choices = [...new Set(['UTC', zone, ...commonZones])].map(
    (value): Choice => [value, value.replaceAll('_', ' ')],
  )
  return html`<form class="row zone-form" method="get" action="/console/schedule/${details.Uic}/${details.AssetType}">
${selectField('zone', 'Your time zone', choices, zone)}<button class="button plain">Show</button></form>`
}

function sessionTable({ sessions, zones, now }: ScheduleView, isSame: boolean): Html {
  return table<MarketSession>(
    'Sessions of the coming week',
    [
      ['Session', (session) => html`${session.name} ${isCurrent(session, now) && tag('now', 'accent')}`, 'name'],
      [`Exchange, ${zoneName(zones.exchange)}`, (session) => spanText(session, zones.exchange)],
      !isSame && [`You, ${zoneName(zones.reader)}`, (session) => spanText(session, zones.reader)],
      ['Starts', ({ start }) => fromNow(start, now)],
    ],
    sessions,
    { rowClass: ({ kind }) => (kind === 'closed' ? 'closed' : undefined) },
  )
}

/** `Mon 16 Nov, 09:30 – 16:00` */
function spanText({ start, end }: MarketSession, zone: string): string {
  const from = start.toZonedDateTimeISO(zone)
  return `${state.momentText(from)} – ${state.momentText(end.toZonedDateTimeISO(zone), from)}`
}
