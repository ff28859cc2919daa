import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../http/html/html.ts'
import type { ExchangeHolidays, InstrumentDetails, TradingSchedule } from '../../../instruments/api/schema.ts'
import { type MarketSession, marketStatus } from '../../exchanges/rules/market-status.ts'
import { statusLine, type Zones } from '../../exchanges/status.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { notice, table, tag } from '../../shared/elements.ts'
import { fromNow, zoneName } from '../../shared/format.ts'
import { Remembered } from '../../shared/remembered.ts'
import { detailsCall, findContinuous, instrumentHead, instrumentPath, instrumentTabs } from '../pages/instrument.ts'
import { nameOf } from '../pages/names.ts'
import { type SpecialDay, specialDays } from './holidays.ts'
import { specialDayTable, weekCard } from './parts.ts'
import * as state from './state.ts'

export async function showSchedule(ctx: PageContext): Promise<FastifyReply> {
  const view = await readSchedule(ctx)
  return ctx.render({
    ...instrumentHead(view),
    title: `Trading hours of ${nameOf(view.details)}`,
    body: html`${instrumentTabs(view, 'Schedule')}${schedulePage(view)}`,
  })
}

const none: readonly SpecialDay[] = []

type ScheduleView = Awaited<ReturnType<typeof readSchedule>>

async function readSchedule(ctx: PageContext) {
  const instrument = instrumentPath(ctx)
  const [details, schedule] = await Promise.all([
    ctx.api.getShared<InstrumentDetails>(detailsCall(ctx)),
    ctx.api.getShared<TradingSchedule>(`/ref/v1/instruments/tradingschedule/${instrument}`),
  ])
  const { now, today } = ctx
  const [holidays, continuousUic] = await Promise.all([
    ctx.api.findShared<ExchangeHolidays>(
      withQuery(`/x/v1/holidays/instruments/${instrument}`, {
        // The exchange's date may be one day off.
        FromDate: today.subtract({ days: 1 }).toString(),
        ToDate: today.add({ years: 1 }).toString(),
      }),
    ),
    findContinuous(ctx, details),
  ])
  const sessions = state.sessionsOf(schedule)
  const wanted = ctx.query('zone')
  return {
    ...{ details, sessions, now, continuousUic },
    zones: { reader: ctx.zone, exchange: holidays?.TimeZone ?? 'UTC' },
    status: marketStatus(sessions, now),
    unknownZone: wanted && wanted !== ctx.zone ? wanted : undefined,
    special: holidays ? specialDays(holidays) : none,
  }
}

function schedulePage(view: ScheduleView): Html {
  const { sessions, zones, now, special, status } = view
  const isSame = state.haveSameClock(zones.exchange, zones.reader, [now, ...sessions.map(({ end }) => end)])
  return html`${status && html`<p class="lead-line">${statusLine(status, now, zones)}</p>`}
${view.unknownZone !== undefined && notice('warn', `“${view.unknownZone}” is not a known time zone; showing ${zones.reader}. Choose one in the header.`)}
${weekCard(nameOf(view.details), sessions, special, now, zones)}
<section class="flow" id="holidays"><h2>Holidays and short days</h2>${specialDayTable(special, zones.exchange, now)}</section>
<section class="flow"><h2>All sessions of the week</h2>${sessionTable(view, isSame)}</section>`
}

type Spans = ReadonlyMap<MarketSession, Readonly<{ exchange: string; reader: string }>>

const spans = new Remembered<Spans>()

const spansOf = (sessions: readonly MarketSession[], { exchange, reader }: Zones): Spans =>
  spans.get(sessions, [exchange, reader], () => {
    const textsOf = (session: MarketSession) => ({
      exchange: spanText(session, exchange),
      reader: spanText(session, reader),
    })
    return new Map(sessions.map((session) => [session, textsOf(session)]))
  })

const sessionTables = new Remembered<Html>()

function sessionTable({ sessions, zones, now, status }: ScheduleView, isSame: boolean): Html {
  const starts = sessions.map(({ start }) => fromNow(start, now))
  const inputs = [zones.exchange, zones.reader, isSame, status?.current, starts.join()]
  return sessionTables.get(sessions, inputs, () => {
    const texts = spansOf(sessions, zones)
    const startsOf = new Map(sessions.map((session, index) => [session, starts[index]]))
    return table<MarketSession>(
      'Sessions of the coming week',
      [
        ['Session', (session) => html`${session.name} ${session === status?.current && tag('now', 'accent')}`, 'name'],
        [`Exchange, ${zoneName(zones.exchange)}`, (session) => texts.get(session)?.exchange],
        !isSame && [`You, ${zoneName(zones.reader)}`, (session) => texts.get(session)?.reader],
        ['Starts', (session) => startsOf.get(session)],
      ],
      sessions,
      { rowClass: ({ kind }) => (kind === 'closed' ? 'closed' : undefined) },
    )
  })
}

/** `Mon 16 Nov, 09:30 – 16:00` */
function spanText({ start, end }: MarketSession, zone: string): string {
  const from = start.toZonedDateTimeISO(zone).toPlainDateTime()
  return `${state.momentText(from)} – ${state.momentText(end.toZonedDateTimeISO(zone).toPlainDateTime(), from)}`
}
