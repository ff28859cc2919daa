import { type Static, Type } from 'typebox'
import { AssetType, assetTypes } from '../../core/asset-type.ts'
import { invalid, notFound } from '../../core/problem.ts'
import { optional } from '../../core/schema.ts'
import { wireTimeZoneId } from '../../core/time/time-zones.ts'
import { operation } from '../../http/operation.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { FeedOf, feed, feedBytes, pageOf, pageQuery, wholeListMaxRows } from '../../http/output/feed.ts'
import type { ExchangeFacts } from '../catalogue/exchanges.ts'
import { visibleExchanges, visibleTypes } from '../catalogue/search/visible.ts'
import { daysWithin, findAnyCase } from '../rules/holidays.ts'
import { assetTypeNamed } from '../rules/search-criteria.ts'
import type { Calendar } from '../rules/trading-day.ts'
import { datedSchedule } from '../rules/trading-schedule.ts'
import { InstrumentParams } from './fields/parameters.ts'
import { Day } from './fields/values.ts'
import { type HandlerOf, read, requireVisible, sendHashed, viewFor } from './request-view.ts'
import { Exchange, ExchangeHolidays, ExchangeSchedule } from './schema.ts'

const path = '/ref/v1/exchanges'
const page = pageQuery({ defaultTop: wholeListMaxRows, maxTop: wholeListMaxRows })

const ExchangeParams = Type.Object({
  ExchangeId: Type.String({ maxLength: 100, description: 'The exchange id, in any case.', examples: ['NASDAQ'] }),
})

const typesOf = (description: string) => Type.Array(AssetType, { description })
const Entitlement = Type.Object(
  {
    Entitlements: Type.Array(
      Type.Object(
        {
          Greeks: typesOf('Options among the visible asset types.'),
          RealTimeFullBook: typesOf('Always empty.'),
          RealTimeTopOfBook: typesOf('The visible asset types.'),
        },
        { title: 'EntitledAssetTypes' },
      ),
      { description: 'One entry.' },
    ),
    ExchangeId: Type.String({ description: 'The exchange.' }),
  },
  {
    title: 'Entitlement',
    examples: [
      {
        Entitlements: [{ Greeks: ['StockOption'], RealTimeFullBook: [], RealTimeTopOfBook: ['Stock', 'StockOption'] }],
        ExchangeId: 'AMS',
      },
    ],
  },
)

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

export const listEntitlements = operation({
  ...read,
  path: '/port/v1/users/me/entitlements',
  operationId: 'listEntitlements',
  summary: 'List the entitlements of the user',
  description:
    'Returns, for each exchange, the asset types that the caller may see there. They follow from access rights: refdesk has no prices.',
  query: Type.Object(page),
  responses: { 200: FeedOf(Entitlement) },
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

export const handleListEntitlements: HandlerOf<typeof listEntitlements> = async (deps, request, reply) => {
  const types = visibleTypes(await viewFor(deps, request))
  const ids = [...types.keys()].sort()
  const page = pageOf(request, `${deps.baseUrl}${listEntitlements.path}`, ids)
  const data = page.data.map((ExchangeId) => {
    const RealTimeTopOfBook = assetTypes.filter((type) => types.get(ExchangeId)?.has(type))
    const Greeks = RealTimeTopOfBook.filter((type) => type.endsWith('Option'))
    return { Entitlements: [{ Greeks, RealTimeFullBook: [], RealTimeTopOfBook }], ExchangeId }
  })
  return sendWithBodyEtag(request, reply, feed({ ...page, data, maxRows: wholeListMaxRows }))
}

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
