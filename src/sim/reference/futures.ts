import type { Details, ExchangeRecord, InstrumentRecord } from '../../instruments/import/schema.ts'
import { type TradingCalendar, tradingDaysBefore } from './expiries.ts'
import { expiryCalendar, type FuturesMonth, futureSymbol, futuresMonths } from './futures-months.ts'
import { type FuturesSpace, futuresSpaces } from './futures-spaces.ts'
import { decimalsOf, futuresTerms } from './futures-terms.ts'

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const firstContinuousUic = 5000
const firstUic = 5100
/** Each space has a Uic for every delivery month of eight years: a contract keeps its Uic whatever the day. */
const uicsPerSpace = 100
/** The first contracts of some spaces are offered as contracts for difference too. */
const cfdMonths = 3

type Setting = { space: FuturesSpace; place: number; calendar: TradingCalendar; today: Temporal.PlainDate }

/**
 * The futures of the demo: of every space its continuous parent, the contract that expired last, and those that are
 * listed. The index or currency pair by which they are settled is looked up in `underlyings`.
 */
export function demoFutures(
  today: Temporal.PlainDate,
  exchanges: ExchangeRecord[],
  underlyings: InstrumentRecord[] = [],
): InstrumentRecord[] {
  const bySymbol = new Map(underlyings.map((record) => [record.Symbol, record]))
  return futuresSpaces.flatMap((space, place) => {
    const setting = { space, place, calendar: expiryCalendar(exchanges, space.exchangeId), today }
    const underlying = space.underlying === undefined ? undefined : bySymbol.get(space.underlying)
    const shared = { ...sharedByAll(space, place), ...underlyingOf(underlying) }
    const mic = exchanges.find((exchange) => exchange.ExchangeId === space.exchangeId)?.Mic ?? space.exchangeId
    const months = futuresMonths(space, setting.calendar, today)
    return [
      { ...shared, ...continuousFuture(space, place, mic) },
      ...months.map((month, nth) => ({ ...shared, ...future(setting, month, nth) })),
    ]
  })
}

/** A continuous parent's Uic is also the group of its futures: who finds one is shown the others. */
function sharedByAll(space: FuturesSpace, place: number): Details & Pick<InstrumentRecord, 'ExchangeId' | 'Hours'> {
  const decimals = decimalsOf(space.tickSize)
  return {
    ...futuresTerms,
    CurrencyCode: space.currencyCode,
    ExchangeId: space.exchangeId,
    Format: { Decimals: decimals, OrderDecimals: decimals, ...(space.fractions && { Format: 'ModernFractions' }) },
    GroupId: firstContinuousUic + place,
    PriceCurrency: space.currencyCode,
    TickSize: space.tickSize,
    ...(space.hours && { Hours: space.hours }),
  }
}

function continuousFuture(space: FuturesSpace, place: number, mic: string): InstrumentRecord {
  return {
    Uic: firstContinuousUic + place,
    Rank: 100 + place,
    ReferencePrice: space.price,
    BaseIdentifier: space.code,
    Symbol: `${space.code}:${mic.toLowerCase()}`,
    Description: `${space.name} - Continuous`,
    DisplayHint: 'Continuous',
    TradingStatus: 'NonTradable',
    As: [{ AssetType: 'ContractFutures', ...contractOf(space) }],
  }
}

function future(setting: Setting, { month, expiry }: FuturesMonth, nth: number): InstrumentRecord {
  const { space, place, calendar, today } = setting
  const Uic = firstUic + place * uicsPerSpace + ((month.year * 12 + month.month) % uicsPerSpace)
  const notice = space.rule.firstNotice?.(calendar, month)
  const years = Math.max(0, today.until(expiry).total('days') / 365)
  const contract = { ...contractOf(space), ...(notice && { NoticeDate: notice.toString() }) }
  return {
    Uic,
    Rank: 120 + place + nth * 400,
    ReferencePrice: toTick(space.price * (1 + space.carry * years), space.tickSize),
    ContinuousFuturesUic: firstContinuousUic + place,
    Symbol: futureSymbol(space, month),
    Description: `${space.name} - ${monthNames[month.month - 1]} ${month.year}`,
    ExpiryDate: expiry.toString(),
    TradingStatus: statusOf(today, expiry, notice),
    As: [
      { AssetType: 'ContractFutures', ...contract },
      ...(nth <= cfdMonths ? cfdOn(Uic, setting, expiry, notice) : []),
    ],
  }
}

/** Nobody opens a position for which goods may be delivered: from the first notice on they are only closed. */
function statusOf(today: Temporal.PlainDate, expiry: Temporal.PlainDate, notice?: Temporal.PlainDate) {
  if (Temporal.PlainDate.compare(expiry, today) < 0) return 'NonTradable'
  return notice && Temporal.PlainDate.compare(notice, today) <= 0 ? 'ReduceOnly' : 'Tradable'
}

function contractOf(space: FuturesSpace): Details {
  return {
    ContractSize: space.contractSize,
    PriceToContractFactor: space.pointValue ?? space.contractSize,
    SettlementStyle: space.rule.firstNotice ? 'PhysicalDelivery' : 'CashDelivery',
  }
}

/** The contract for difference on a future ends the day before anything can be delivered. */
function cfdOn(
  UnderlyingUic: number,
  setting: Setting,
  expiry: Temporal.PlainDate,
  notice = expiry,
): InstrumentRecord['As'] {
  const { space, calendar, today } = setting
  const firstEnd = Temporal.PlainDate.compare(notice, expiry) < 0 ? notice : expiry
  const lastTrade = tradingDaysBefore(calendar, firstEnd, 1)
  if (space.cfdSize === undefined || Temporal.PlainDate.compare(lastTrade, today) < 0) return []
  const size = { ContractSize: space.cfdSize, PriceToContractFactor: space.cfdSize }
  const settled = { ExpiryDate: lastTrade.toString(), SettlementStyle: 'CashDelivery' } as const
  return [{ AssetType: 'CfdOnFutures', ...size, ...settled, UnderlyingAssetType: 'ContractFutures', UnderlyingUic }]
}

function underlyingOf(record: InstrumentRecord | undefined): Details {
  const mainType = record?.As[0]?.AssetType
  return record && mainType ? { UnderlyingAssetType: mainType, UnderlyingUic: record.Uic } : {}
}

function toTick(price: number, tickSize: number): number {
  return Number((Math.round(price / tickSize) * tickSize).toFixed(decimalsOf(tickSize)))
}
