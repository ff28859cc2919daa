import { dayText, epochDay } from '../../core/time/days.ts'
import { type ClosedDays, takeSteps } from '../../core/time/relative-days.ts'
import type { ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../../instruments/import/schema.ts'
import { expiriesOf, type FuturesSchedule, futuresExpiriesOf, type Schedule } from './expiries.ts'
import { type Calendar, stopOn } from './market.ts'
import { equitySteps, type StrikeCounts, type StrikeSteps, strikeUnits } from './strikes.ts'

/** A line of demo/templates/option-roots.ndjson: an option root, whose chain is generated. Other members are those of
 *  the option root. */
export type OptionTemplate = Omit<OptionRootRecord, 'Series'> &
  Readonly<{
    Code: string
    /** Symbol of the underlying; for options on futures, of the continuous future. */
    Underlying: string
    /** Where it is not that of the underlying. */
    Name?: string
    Expiries: Schedule | FuturesSchedule
    ContractSize: number
    /** The finest step between strikes. Must not change: the Uics of the contracts count in it. */
    StrikeUnit: number
    StrikeSteps?: StrikeSteps
    Strikes: StrikeCounts
    /** Local time and time zone at which an expiring series stops trading. */
    Stops: string
    /** The same on a day that closes early, if that is before the close. */
    HalfDayStops?: string
    /** Settled by the opening prices of the expiry: stops trading on the business day before. */
    SettledAtOpening?: boolean
    /** The outermost strikes cannot be opened, or not traded. */
    RestrictedWings?: boolean
    /** Of before a corporate action: contracts can only be closed. */
    Adjusted?: boolean
  }>

type Series = OptionRootRecord['Series'][number]
type Option = Series['Options'][number]

type OptionMarket = Readonly<{
  today: number
  exchange: ExchangeRecord
  calendar: Calendar
  closed: ClosedDays
  underlying: InstrumentRecord
  /** The contract that an option on futures delivers, by the option's month and expiry. */
  deliveredBy(month: number, expiry: number): InstrumentRecord | undefined
}>

/** Search results have options after their underlyings. */
const behindUnderlyings = 100_000
const firstUic = 100_000
/** A Uic is made of root, expiry, strike and side: the same whenever the demo is loaded. */
const [daysPerRoot, strikesPerDay] = [1600, 5000]
const epoch = epochDay('2020-01-01')

export function optionRootOf(template: OptionTemplate, market: OptionMarket): OptionRootRecord {
  const { Code, Underlying, Name, Expiries, StrikeUnit, StrikeSteps, Strikes, Stops, ...others } = template
  const { HalfDayStops, SettledAtOpening, RestrictedWings, Adjusted, ...members } = others
  const { underlying, exchange } = market
  const AssetType = underlying.As[0]?.AssetType ?? 'Stock'
  const Series = seriesOf(template, market)
  const delivered = Series.flatMap(({ Options }) => Options[0]?.UnderlyingUic ?? [])
  const currency = underlying.CurrencyCode ?? 'USD'
  const decimals = decimalsOf(template.TickSize ?? 0.01)
  const isFractional = underlying.Format?.Format === 'ModernFractions'
  return {
    TradingStatus: 'Tradable',
    ...members,
    Rank: behindUnderlyings + (underlying.Rank ?? behindUnderlyings),
    Symbol: `${Code}:${(exchange.Mic ?? exchange.ExchangeId).toLowerCase()}`,
    Description: `${Name ?? underlying.Description?.replace(' - Continuous', '')} - Options`,
    CurrencyCode: currency,
    PriceCurrency: currency,
    Format: {
      Decimals: decimals,
      OrderDecimals: decimals,
      StrikeDecimals: decimalsOf(StrikeUnit),
      ...(isFractional && { Format: 'ModernFractions' }),
    },
    UnderlyingAssetType: AssetType,
    UnderlyingUic: underlying.Uic,
    RelatedInstruments: [...new Set([underlying.Uic, ...delivered])].map((Uic) => ({ AssetType, Uic })),
    Series,
  }
}

/** How many decimals a step needs: 2 for 0.25, 7 for 0.0000005. */
function decimalsOf(step: number): number {
  let decimals = 0
  while (Number(step.toFixed(decimals)) !== step) decimals++
  return decimals
}

function seriesOf(template: OptionTemplate, market: OptionMarket): Series[] {
  const { Expiries } = template
  const { closed, today, underlying } = market
  const expiries =
    'FuturesMonths' in Expiries
      ? futuresExpiriesOf(Expiries, closed, today).flatMap(({ month, expiry }) => {
          const delivered = market.deliveredBy(month, expiry)
          return delivered ? [{ day: expiry, underlying: delivered }] : []
        })
      : expiriesOf(Expiries, closed, today).map((day) => ({ day, underlying }))
  return expiries.map(({ day, underlying: delivered }) => ({
    Expiry: dayText(day),
    LastTradeDate: lastTrade(template, market, day),
    Options: optionsOf(template, today, day, delivered),
  }))
}

function lastTrade(template: OptionTemplate, { calendar, closed }: OptionMarket, expiry: number): string {
  const { Stops, HalfDayStops, SettledAtOpening } = template
  const day = SettledAtOpening ? takeSteps(expiry, '-1-0b', closed) : expiry
  return stopOn(calendar, dayText(day), Stops, HalfDayStops)
}

function optionsOf(template: OptionTemplate, today: number, day: number, underlying: InstrumentRecord): Option[] {
  const { OptionRootId, StrikeUnit, Strikes, Adjusted, ContractSize } = template
  const { ReferencePrice = 0, Uic: UnderlyingUic } = underlying
  // The strikes of an adjusted root are still those of a hundred shares.
  const price = Adjusted ? ReferencePrice * (ContractSize / 100) : ReferencePrice
  const all = strikeUnits(price / StrikeUnit, day - today, template.StrikeSteps ?? equitySteps(price), Strikes)
  const firstOfDay = (OptionRootId * daysPerRoot + ((day - epoch) % daysPerRoot)) * strikesPerDay
  return all.flatMap((units, nth): Option[] => {
    const Uic = firstUic + (firstOfDay + units) * 2
    const StrikePrice = Math.round(units * StrikeUnit * 10_000) / 10_000
    const TradingStatus = statusOf(template, day < today, nth, all.length)
    return [
      { Uic, PutCall: 'Call', StrikePrice, UnderlyingUic, TradingStatus },
      { Uic: Uic + 1, PutCall: 'Put', StrikePrice, UnderlyingUic, TradingStatus },
    ]
  })
}

function statusOf({ Adjusted, RestrictedWings }: OptionTemplate, hasExpired: boolean, nth: number, count: number) {
  if (hasExpired) return 'NonTradable'
  if (Adjusted) return 'ReduceOnly'
  if (!RestrictedWings) return 'Tradable'
  if (nth === 0) return 'NonTradable'
  return nth === count - 1 ? 'ReduceOnly' : 'Tradable'
}
