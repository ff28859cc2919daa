import type { ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../../instruments/import/schema.ts'
import { instantOf, monthsFrom, type TradingCalendar, tradingDaysBefore } from './expiries.ts'
import { futureSymbol, futuresMonths, monthCode } from './futures-months.ts'
import { futuresSpaces } from './futures-spaces.ts'
import { expiriesOf } from './options-expiries.ts'
import type { FuturesOptionRule } from './options-futures-rules.ts'
import type { RootSpec } from './options-roots.ts'
import { equitySteps, strikeUnits } from './options-strikes.ts'

type SeriesRecord = OptionRootRecord['Series'][number]
type Option = SeriesRecord['Options'][number]
/** An expiry and the instrument that its options are on. */
type Expiry = { day: Temporal.PlainDate; underlying: InstrumentRecord }

export type Market = {
  today: Temporal.PlainDate
  exchange: ExchangeRecord
  calendar: TradingCalendar
  bySymbol: ReadonlyMap<string | undefined, InstrumentRecord>
}

const firstUic = 100_000
/** A contract's Uic is its root, expiry, strike and side: the same whatever day the demo is loaded. */
const daysPerRoot = 1600
const strikesPerDay = 5000
const epoch = Temporal.PlainDate.from('2020-01-01')

export function seriesOf(root: RootSpec, market: Market, underlying: InstrumentRecord): SeriesRecord[] {
  return expiriesIn(root, market, underlying).map((expiry) => ({
    Expiry: expiry.day.toString(),
    LastTradeDate: lastTradeOf(root, market, expiry.day),
    Options: optionsOf(root, market.today, expiry),
  }))
}

function expiriesIn({ expiries }: RootSpec, market: Market, underlying: InstrumentRecord): Expiry[] {
  if ('optionMonths' in expiries) return expiriesOnFutures(expiries, market, underlying)
  return expiriesOf(expiries, market.calendar, market.today).map((day) => ({ day, underlying }))
}

function expiriesOnFutures(rule: FuturesOptionRule, market: Market, continuous: InstrumentRecord): Expiry[] {
  const { calendar, today, bySymbol } = market
  const space = futuresSpaces.find(({ code }) => code === continuous.BaseIdentifier)
  if (!space) return []
  const futures = futuresMonths(space, calendar, today)
  return optionMonths(rule, market).flatMap(({ month, expiry }) => {
    const delivered = futures.find(
      (future) =>
        Temporal.PlainYearMonth.compare(future.month, month) >= 0 &&
        Temporal.PlainDate.compare(future.expiry, expiry) >= 0,
    )
    const underlying = delivered && bySymbol.get(futureSymbol(space, delivered.month))
    return underlying ? [{ day: expiry, underlying }] : []
  })
}

/** An option of this month or the next may have expired before its month began. */
function optionMonths({ optionMonths, listed, lastTrade }: FuturesOptionRule, { calendar, today }: Market) {
  return monthsFrom(today.toPlainYearMonth(), 40)
    .filter((month) => optionMonths.includes(monthCode(month)))
    .slice(0, listed + 2)
    .map((month) => ({ month, expiry: lastTrade(calendar, month) }))
    .filter(({ expiry }) => Temporal.PlainDate.compare(expiry, today) >= 0)
    .slice(0, listed)
}

/** The hour at which an expiring series stops, or that of the exchange on a day that ends early. */
function lastTradeOf(root: RootSpec, { exchange, calendar }: Market, expiry: Temporal.PlainDate): string {
  const day = root.settledAtOpening ? tradingDaysBefore(calendar, expiry, 1) : expiry
  const isoDay = day.toString()
  const usual = instantOf(day, root.stops.at, root.stops.in)
  const early = exchange.EarlyCloses?.find(({ Date: date }) => date === isoDay)
  if (early === undefined) return usual
  const closes = instantOf(day, early.Close, exchange.TimeZone)
  return closes < usual ? closes : usual
}

function optionsOf(root: RootSpec, today: Temporal.PlainDate, { day, underlying }: Expiry): Option[] {
  const price = priceOf(root, underlying)
  const days = today.until(day).days
  const all = strikeUnits(price / root.strikeUnit, days, root.steps ?? equitySteps(price), root.reach)
  const firstOfDay = (root.id * daysPerRoot + (epoch.until(day).days % daysPerRoot)) * strikesPerDay
  const options: Option[] = []
  for (const [nth, units] of all.entries()) {
    const Uic = firstUic + (firstOfDay + units) * 2
    const StrikePrice = Math.round(units * root.strikeUnit * 10_000) / 10_000
    const TradingStatus = statusOf(root, days, nth, all.length)
    options.push({ Uic, PutCall: 'Call', StrikePrice, UnderlyingUic: underlying.Uic, TradingStatus })
    options.push({ Uic: Uic + 1, PutCall: 'Put', StrikePrice, UnderlyingUic: underlying.Uic, TradingStatus })
  }
  return options
}

/** Strikes of an adjusted root are still those of a hundred shares. */
function priceOf(root: RootSpec, { ReferencePrice = 0 }: InstrumentRecord): number {
  return root.adjusted ? ReferencePrice * (root.contractSize / 100) : ReferencePrice
}

function statusOf(root: RootSpec, days: number, nth: number, count: number) {
  if (days < 0) return 'NonTradable'
  if (root.adjusted) return 'ReduceOnly'
  if (!root.restrictedWings) return 'Tradable'
  if (nth === 0) return 'NonTradable'
  return nth === count - 1 ? 'ReduceOnly' : 'Tradable'
}
