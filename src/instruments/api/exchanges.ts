import { type Static, Type } from 'typebox'
import { mapInParts } from '../../core/async/in-parts.ts'
import { invalid, notFound } from '../../core/problem.ts'
import { describe, optional } from '../../core/schema.ts'
import { wireTimeZoneId } from '../../core/time/time-zones.ts'
import { operation } from '../../http/operation.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { FeedOf, feed, feedBytes, pageOf, pageQuery, wholeListMaxRows } from '../../http/output/feed.ts'
import type { ExchangeFacts } from '../catalogue/exchanges.ts'
import { visibleExchanges } from '../catalogue/search/visible.ts'
import { daysWithin, findAnyCase } from '../rules/holidays.ts'
import { assetTypeNamed } from '../rules/search-criteria.ts'
import type { Calendar } from '../rules/trading-day.ts'
import { datedSchedule } from '../rules/trading-schedule.ts'
import { earlierSessionsExample } from './fields/examples.ts'
import { InstrumentParams } from './fields/parameters.ts'
import { Day, ExchangeId } from './fields/values.ts'
import { type HandlerOf, read, requireVisible, sendHashed, viewFor } from './request-view.ts'
import { Exchange, ExchangeHolidays, ExchangeSchedule, TradingSchedule } from './schema.ts'

const path = '/ref/v1/exchanges'
const page = pageQuery({ defaultTop: wholeListMaxRows, maxTop: wholeListMaxRows })

const ExchangeParams = Type.Object({
  ExchangeId: Type.String({ maxLength: 100, description: 'The exchange id, in any case.', examples: ['NASDAQ'] }),
})

export const listExchanges = operation({
  ...read,
  path,
  operationId: 'listExchanges',
  summary: 'List exchanges',
  description:
    'Returns the exchanges of the instruments that the caller may see, by ExchangeId, each with its current session and the ' +
    'remaining sessions of the day. `__count` is always included. For a whole week, read the trading schedule of an instrument.',
  query: Type.Object(page),
  responses: { 200: FeedOf(Exchange) },
})

export const getExchange = operation({
  ...read,
  path: `${path}/:ExchangeId`,
  operationId: 'getExchange',
  summary: 'Get an exchange',
  description: 'Returns one exchange. ExchangeId matches in any case.',
  params: ExchangeParams,
  responses: { 200: Exchange },
  errors: ['NoResultFound'],
})

/** Computing the sessions of so many takes about 5 ms. */
const exchangesAtOnce = 50

const EarlierSessions = Type.Object(
  {
    ExchangeId: describe(ExchangeId, 'The exchange.'),
    Sessions: describe(TradingSchedule.properties.Sessions, 'Sessions in order, the latest last, without closures.'),
  },
  {
    title: 'EarlierSessions',
    examples: [earlierSessionsExample],
    description: 'The sessions of an exchange that have ended.',
  },
)

export const listEarlierSessions = operation({
  ...read,
  path: '/x/v1/earliersessions',
  operationId: 'listEarlierSessions',
  summary: 'List the sessions of all exchanges that ended in the last 24 hours',
  description:
    'Returns every exchange, by ExchangeId, with the regular sessions that ended in the last 24 hours: what the list of exchanges, ' +
    'which begins with the current session, does not have. Requires no access right.',
  query: Type.Object(page),
  responses: { 200: FeedOf(EarlierSessions) },
})

const period = Type.Object({
  FromDate: optional(Day, 'The first day to return.'),
  ToDate: optional(Day, 'The last day to return.'),
})

export const listHolidays = operation({
  ...read,
  path: '/x/v1/holidays',
  operationId: 'listHolidays',
  summary: 'List the holidays of all exchanges',
  description:
    'Returns every exchange, by ExchangeId, with its holidays, early closes and late opens, past ones too, or those of a ' +
    'period. Days are in the time zone of the exchange. Requires no access right.',
  query: Type.Object({ ...period.properties, ...page }),
  responses: { 200: FeedOf(ExchangeHolidays) },
})

export const getExchangeSchedule = operation({
  ...read,
  path: '/x/v1/tradingschedule/:ExchangeId',
  operationId: 'getExchangeSchedule',
  summary: 'Get the trading schedule of an exchange',
  description:
    'Returns the regular sessions of an exchange, without gaps, from the start of the current session through the next seven ' +
    'days. Its instruments can have other hours: see their trading schedules. Requires no access right.',
  params: ExchangeParams,
  responses: { 200: ExchangeSchedule },
  errors: ['NoResultFound'],
})

export const getHolidays = operation({
  ...read,
  path: '/x/v1/holidays/:ExchangeId',
  operationId: 'getHolidays',
  summary: 'Get the holidays of an exchange',
  description:
    'Returns the holidays, early closes and late opens of an exchange, past ones too, or those of a period. Days are in the ' +
    'time zone of the exchange. Requires no access right.',
  params: ExchangeParams,
  query: period,
  responses: { 200: ExchangeHolidays },
  errors: ['NoResultFound'],
})

export const getInstrumentHolidays = operation({
  ...read,
  path: '/x/v1/holidays/instruments/:Uic/:AssetType',
  operationId: 'getInstrumentHolidays',
  summary: 'Get the holidays of an instrument',
  description:
    'Returns the holidays, early closes and late opens that the trading schedule of an instrument follows. Products of one ' +
    'exchange can have different ones: grains in Chicago are closed on days on which equity futures are traded.',
  params: InstrumentParams,
  query: period,
  responses: { 200: ExchangeHolidays },
  errors: ['IllegalInstrumentId', 'InvalidAssetType'],
})

export const handleListExchanges: HandlerOf<typeof listExchanges> = async (deps, request, reply) => {
  const view = await viewFor(deps, request)
  const exchanges = [...visibleExchanges(view).values()]
  const { data, next } = pageOf(request, `${deps.baseUrl}${path}`, exchanges)
  const rows = data.map((exchange) => view.snapshot.exchangeText(exchange, view.now))
  const until = Math.min(...rows.map((row) => row.until))
  const texts = rows.map(({ value }) => value)
  const body = feedBytes(texts, { count: exchanges.length, next, maxRows: wholeListMaxRows })
  return sendHashed(request, reply, view, { body, until })
}

export const handleListEarlierSessions: HandlerOf<typeof listEarlierSessions> = async (deps, request, reply) => {
  const snapshot = deps.catalogue.current()
  const now = deps.clock.nowMs()
  const exchanges = [...snapshot.exchanges].sort(byId).map(([, exchange]) => exchange)
  const { data, count, next } = pageOf(request, `${deps.baseUrl}${listEarlierSessions.path}`, exchanges)
  const texts = await mapInParts(data, exchangesAtOnce, (exchange) => snapshot.earlierSessionsText(exchange, now))
  reply.header('content-type', 'application/json; charset=utf-8')
  return sendWithBodyEtag(request, reply, feedBytes(texts, { count, next, maxRows: wholeListMaxRows }))
}

const byId = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1)

export const handleGetExchange: HandlerOf<typeof getExchange> = async (deps, request, reply) => {
  const view = await viewFor(deps, request)
  const exchange = requireExchange(visibleExchanges(view), request.params.ExchangeId)
  const { value, until } = view.snapshot.exchangeText(exchange, view.now)
  return sendHashed(request, reply, view, { body: Buffer.from(value), until })
}

export const handleGetHolidays: HandlerOf<typeof getHolidays> = async ({ catalogue }, request, reply) => {
  requirePeriod(request.query)
  const exchange = requireExchange(catalogue.current().exchanges, request.params.ExchangeId)
  return sendWithBodyEtag(request, reply, holidaysOf(exchange, exchange.calendar, request.query))
}

export const handleListHolidays: HandlerOf<typeof listHolidays> = async ({ catalogue, baseUrl }, request, reply) => {
  requirePeriod(request.query)
  const { exchanges } = catalogue.current()
  const page = pageOf(request, `${baseUrl}${listHolidays.path}`, [...exchanges.keys()].sort())
  const data = page.data.flatMap((id) => {
    const exchange = exchanges.get(id)
    return exchange ? [holidaysOf(exchange, exchange.calendar, request.query)] : []
  })
  return sendWithBodyEtag(request, reply, feed({ ...page, data, maxRows: wholeListMaxRows }))
}

export const handleGetExchangeSchedule: HandlerOf<typeof getExchangeSchedule> = async (deps, request, reply) => {
  const { calendar } = requireExchange(deps.catalogue.current().exchanges, request.params.ExchangeId)
  return sendWithBodyEtag(request, reply, datedSchedule(calendar, deps.clock.now()).schedule)
}

export const handleGetInstrumentHolidays: HandlerOf<typeof getInstrumentHolidays> = async (deps, request, reply) => {
  requirePeriod(request.query)
  const assetType = assetTypeNamed(request.params.AssetType)
  const { reader, row } = requireVisible(await viewFor(deps, request), request.params.Uic, assetType)
  return sendWithBodyEtag(request, reply, holidaysOf(reader.exchangeOf(row), reader.calendarOf(row), request.query))
}

type Period = Static<typeof period>

function requirePeriod({ FromDate, ToDate }: Period): void {
  if (FromDate !== undefined && ToDate !== undefined && ToDate < FromDate)
    throw invalid({ FromDate: ['Must not be after ToDate.'], ToDate: ['Must not be before FromDate.'] })
}

function requireExchange(exchanges: ReadonlyMap<string, ExchangeFacts>, id: string): ExchangeFacts {
  const exchange = findAnyCase(exchanges, id)
  if (exchange) return exchange
  throw notFound(`Exchange ${id}`)
}

function holidaysOf(
  { record: { ExchangeId, Name, Mic, CountryCode } }: ExchangeFacts,
  { TimeZone, Holidays = [], EarlyCloses = [], LateOpens = [] }: Calendar,
  { FromDate: from, ToDate: to }: Period,
): ExchangeHolidays {
  return {
    ExchangeId,
    Name,
    ...(Mic !== undefined && { Mic }),
    CountryCode,
    TimeZone,
    TimeZoneId: String(wireTimeZoneId(TimeZone)),
    Data: daysWithin(Holidays, from, to),
    EarlyCloses: daysWithin(EarlyCloses, from, to).map(({ Close, ...day }) => ({ ...day, Time: Close })),
    LateOpens: daysWithin(LateOpens, from, to).map(({ Open, ...day }) => ({ ...day, Time: Open })),
  }
}
