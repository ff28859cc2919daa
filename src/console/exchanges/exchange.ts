import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../http/html/html.ts'
import type { Exchange, ExchangeHolidays, TradingSchedule } from '../../instruments/api/schema.ts'
import { specialDays } from '../instruments/schedule/holidays.ts'
import { specialDayTable, weekCard } from '../instruments/schedule/parts.ts'
import { sessionsOf } from '../instruments/schedule/state.ts'
import { withQuery } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { apiCalls, copyValue, facts } from '../shared/elements.ts'
import { dayAndTime, zoneName } from '../shared/format.ts'
import { exchangesCall, exchangesPath } from './paths.ts'
import { marketStatus } from './rules/market-status.ts'
import { statusLine } from './status.ts'

export async function showExchange(ctx: PageContext): Promise<FastifyReply> {
  const id = encodeURIComponent(ctx.param('ExchangeId'))
  const { now, today } = ctx
  const calls = [
    `${exchangesCall}/${id}`,
    `/x/v1/tradingschedule/${id}`,
    // The date at the exchange may be one day off.
    withQuery(`/x/v1/holidays/${id}`, {
      FromDate: today.subtract({ days: 1 }).toString(),
      ToDate: today.add({ years: 1 }).toString(),
    }),
  ] as const
  const [exchange, schedule, holidays] = await Promise.all([
    ctx.api.getShared<Exchange>(calls[0]),
    ctx.api.getShared<TradingSchedule>(calls[1]),
    ctx.api.getShared<ExchangeHolidays>(calls[2]),
  ])
  const sessions = sessionsOf(schedule)
  const zones = { reader: ctx.zone, exchange: holidays.TimeZone }
  const status = marketStatus(sessions, now)
  const special = specialDays(holidays)
  return ctx.render({
    title: exchange.Name,
    heading: html`<bdi>${exchange.Name}</bdi> <span class="quiet symbol">${copyValue(exchange.ExchangeId, 'exchange id')}</span>`,
    crumbs: [['Exchanges', exchangesPath]],
    aside: html`<a class="button plain" href="/console/instruments?ExchangeId=${encodeURIComponent(exchange.ExchangeId)}">Instruments on this exchange</a>`,
    body: html`${status && html`<p class="lead-line">${statusLine(status, now, zones)}</p>`}
${weekCard(exchange.Name, sessions, special, now, zones)}
<div class="chain-side"><section class="flow" id="holidays"><h2>Holidays and short days</h2>${specialDayTable(special, zones.exchange, now)}</section>
<section class="card"><h2>About</h2>${aboutExchange(exchange, zones.exchange, now)}</section></div>
${apiCalls(...calls)}`,
  })
}

function aboutExchange(exchange: Exchange, zone: string, now: Temporal.Instant): Html {
  return facts([
    ['Exchange id', copyValue(exchange.ExchangeId, 'exchange id')],
    ['MIC', exchange.Mic && copyValue(exchange.Mic, 'MIC')],
    ['Country', exchange.CountryCode],
    ['Currency', exchange.Currency],
    ['Local time', html`${dayAndTime(now, zone)} <span class="quiet">${zoneName(zone)}</span>`],
    ['Time zone', html`${zone} <span class="quiet">${exchange.TimeZoneAbbreviation}</span>`],
    ['Hours', 'Regular hours. Some instruments have others: see the schedule of each.'],
  ])
}
