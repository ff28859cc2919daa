import type { FastifyReply } from 'fastify'
import { html } from '../../http/html/html.ts'
import type { InstrumentDetails, TradingScheduleAnswer } from '../../instruments/api/schema.ts'
import type { Visit } from '../shared/context.ts'
import { tag } from '../shared/elements.ts'
import type { Pages } from '../shared/router.ts'
import { headingOf, nameOf } from './pages/names.ts'
import { type Holidays, specialDays } from './schedule/holidays.ts'
import { schedulePage } from './schedule/schedule.ts'
import { presentOf, sessionsOf } from './schedule/state.ts'

/** When an instrument is traded: the coming week, at the exchange and where the reader is. */
export function schedulePages(pages: Pages): void {
  pages.get('/console/schedule/:Uic/:AssetType', showSchedule)
}

async function showSchedule(visit: Visit): Promise<FastifyReply> {
  const instrument = `${encodeURIComponent(visit.param('Uic'))}/${encodeURIComponent(visit.param('AssetType'))}`
  const [details, schedule] = await Promise.all([
    visit.api.get<InstrumentDetails>(`/ref/v1/instruments/details/${instrument}`),
    visit.api.get<TradingScheduleAnswer>(`/ref/v1/instruments/tradingschedule/${instrument}`),
  ])
  const { now } = visit
  const today = now.toZonedDateTimeISO('UTC').toPlainDate()
  const holidays = await visit.api.find<Holidays>(
    `/x/v1/holidays/${encodeURIComponent(details.Exchange.ExchangeId)}`,
    // The exchange's own day may be the one before or after.
    { FromDate: today.subtract({ days: 1 }).toString(), ToDate: today.add({ years: 1 }).toString() },
  )
  const sessions = sessionsOf(schedule)
  const present = presentOf(sessions, now)
  const asked = visit.asked('zone')
  return visit.show({
    title: `Trading schedule of ${nameOf(details)}`,
    heading: html`Trading week of ${headingOf(details)}`,
    place: 'instruments',
    crumbs: [
      ['Instruments', '/console/instruments'],
      [details.Symbol ?? nameOf(details), `/console/instruments/${details.Uic}/${details.AssetType}`],
    ],
    aside: html`${present && tag(`${present.name} now`, present.kind === 'open' ? 'good' : undefined)}${tag(html`<bdi>${details.Exchange.Name}</bdi>`)}`,
    body: schedulePage({
      details,
      sessions,
      present,
      exchangeZone: holidays?.TimeZone ?? 'UTC',
      zone: visit.zone,
      unknownZone: asked !== undefined && asked !== '' && asked !== visit.zone ? asked : undefined,
      special: holidays ? specialDays(holidays) : [],
      now,
    }),
  })
}
