import type { FastifyReply } from 'fastify'
import { html } from '../../http/html/html.ts'
import type { InstrumentDetails, TradingSchedule } from '../../instruments/api/schema.ts'
import type { PageContext } from '../shared/context.ts'
import { tag } from '../shared/elements.ts'
import type { PageRouter } from '../shared/router.ts'
import { headingOf, nameOf } from './pages/names.ts'
import { type Holidays, specialDays } from './schedule/holidays.ts'
import { schedulePage } from './schedule/schedule.ts'
import { currentStateOf, sessionsOf } from './schedule/state.ts'

export function scheduleRoutes(router: PageRouter): void {
  router.get('/console/schedule/:Uic/:AssetType', showSchedule)
}

async function showSchedule(ctx: PageContext): Promise<FastifyReply> {
  const instrument = `${encodeURIComponent(ctx.param('Uic'))}/${encodeURIComponent(ctx.param('AssetType'))}`
  const [details, schedule] = await Promise.all([
    ctx.api.get<InstrumentDetails>(`/ref/v1/instruments/details/${instrument}`),
    ctx.api.get<TradingSchedule>(`/ref/v1/instruments/tradingschedule/${instrument}`),
  ])
  const { now, today } = ctx
  const holidays = await ctx.api.find<Holidays>(
    `/x/v1/holidays/${encodeURIComponent(details.Exchange.ExchangeId)}`,
    // The exchange's date may be one day off.
    { FromDate: today.subtract({ days: 1 }).toString(), ToDate: today.add({ years: 1 }).toString() },
  )
  const sessions = sessionsOf(schedule)
  const current = currentStateOf(sessions, now)
  const wanted = ctx.query('zone')
  return ctx.render({
    title: `Trading hours of ${nameOf(details)}`,
    heading: html`Trading hours of ${headingOf(details)}`,
    section: 'instruments',
    crumbs: [
      ['Instruments', '/console/instruments'],
      [details.Symbol ?? nameOf(details), `/console/instruments/${details.Uic}/${details.AssetType}`],
    ],
    aside: html`${current && tag(`${current.name} now`, current.kind === 'open' ? 'good' : undefined)}${tag(html`<bdi>${details.Exchange.Name}</bdi>`)}`,
    body: schedulePage({
      details,
      sessions,
      current,
      exchangeZone: holidays?.TimeZone ?? 'UTC',
      zone: ctx.zone,
      unknownZone: wanted !== undefined && wanted !== '' && wanted !== ctx.zone ? wanted : undefined,
      special: holidays ? specialDays(holidays) : [],
      now,
    }),
  })
}
