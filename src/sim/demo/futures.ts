import { dayText } from '../../core/time/days.ts'
import { type ClosedDays, takeSteps } from '../../core/time/relative-days.ts'
import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { type Calendar, stopOn } from './market.ts'
import { firstDayOf, futureSymbol, monthCode, monthNames, monthOf, monthsFrom } from './months.ts'

/** A line of demo/templates/futures.ndjson: a product, whose contracts are generated. Other members are those of the
 *  instruments. */
export type FuturesTemplate = Omit<InstrumentRecord, 'As'> &
  Readonly<{
    Uic: number
    Code: string
    Name: string
    /** The letters of the delivery months, and how many months are listed. */
    Months: string
    Listed: number
    /** Steps from the first day of the delivery month. What has no first notice is settled in cash. */
    LastTrade: string
    /** Local time and time zone at which an expiring contract stops trading. */
    Stops: string
    FirstNotice?: string
    ReferencePrice: number
    /** How much the price rises with each year to delivery, as a fraction of it. */
    Carry: number
    TickSize: number
    /** Symbol of the instrument that the contract is settled by. */
    Underlying?: string
    /** Size of the contract for difference on the next futures. */
    CfdSize?: number
    /** What its size counts: barrel, barrels. */
    Units?: readonly [string, string]
  }>

/** A delivery month and its last trading day. */
type FuturesMonth = Readonly<{ month: number; expiry: number }>

const [firstProductUic, firstContractUic] = [5000, 5100]
/** One Uic for every month of eight years, so a contract has the same Uic whenever the demo is loaded. */
const uicsPerProduct = 100
const cfdMonths = 3

type Setting = Readonly<{ template: FuturesTemplate; calendar: Calendar; closed: ClosedDays; today: number }>

/** The contract that expired last, then the listed ones, by expiry. */
export function futuresMonths({ template, closed, today }: Omit<Setting, 'calendar'>): FuturesMonth[] {
  const { Months, Listed, LastTrade } = template
  const months = monthsFrom(monthOf(today) - 6, 12 * (Math.ceil(Listed / Months.length) + 2))
    .filter((month) => Months.includes(monthCode(month)))
    .slice(0, Listed + Months.length)
    .map((month) => ({ month, expiry: takeSteps(firstDayOf(month), LastTrade, closed) }))
  const next = months.findIndex(({ expiry }) => expiry >= today)
  return months.slice(next - 1, next + Listed)
}

/** The continuous future of a product, its last expired contract and its listed contracts. */
export function futuresOf(setting: Setting, mic: string, underlying: InstrumentRecord | undefined): InstrumentRecord[] {
  const { template } = setting
  const { Code, Name, Months, Listed, LastTrade, FirstNotice, Carry, Underlying, CfdSize, Units, ...others } = template
  const { Stops, ContractSize, PriceToContractFactor, ...members } = others
  const [index] = underlying?.As ?? []
  const shared = {
    ...members,
    PriceCurrency: template.CurrencyCode,
    GroupId: template.Uic,
    ...(underlying && index && { UnderlyingAssetType: index.AssetType, UnderlyingUic: underlying.Uic }),
  }
  const contract = {
    AssetType: 'ContractFutures' as const,
    ContractSize,
    PriceToContractFactor,
    SettlementStyle: FirstNotice === undefined ? ('CashDelivery' as const) : ('PhysicalDelivery' as const),
  }
  const continuous = {
    ...shared,
    Rank: 100 + template.Uic - firstProductUic,
    BaseIdentifier: Code,
    Symbol: `${Code}:${mic}`,
    Description: `${Name} - Continuous`,
    DisplayHint: 'Continuous',
    TradingStatus: 'NonTradable',
    As: [contract],
  }
  const contracts = futuresMonths(setting).map((month, nth) => ({
    ...shared,
    ...future(setting, contract, month, nth),
  }))
  return [continuous, ...contracts] as InstrumentRecord[]
}

function future(setting: Setting, contract: object, { month, expiry }: FuturesMonth, nth: number) {
  const { template, closed, today } = setting
  const { Code, Name, FirstNotice, TickSize, ReferencePrice, Carry } = template
  const place = template.Uic - firstProductUic
  const Uic = firstContractUic + place * uicsPerProduct + ((month + 1) % uicsPerProduct)
  const notice = FirstNotice === undefined ? undefined : takeSteps(firstDayOf(month), FirstNotice, closed)
  const price = ReferencePrice * (1 + Carry * (Math.max(0, expiry - today) / 365))
  return {
    Uic,
    Rank: 120 + place + nth * 400,
    ReferencePrice: Number((Math.round(price / TickSize) * TickSize).toFixed(template.Format?.Decimals)),
    ContinuousFuturesUic: template.Uic,
    Symbol: futureSymbol(Code, month),
    Description: `${Name} - ${monthNames[month % 12]} ${Math.floor(month / 12)}`,
    ExpiryDate: dayText(expiry),
    TradingStatus: statusOf(today, expiry, notice),
    As: [
      {
        ...contract,
        ExpiryDateTime: stopOf(setting, expiry),
        ...(notice !== undefined && { NoticeDate: dayText(notice) }),
      },
      ...(nth <= cfdMonths ? cfdOn(Uic, setting, Math.min(expiry, notice ?? expiry)) : []),
    ],
  }
}

const stopOf = ({ template, calendar }: Setting, day: number): string => stopOn(calendar, dayText(day), template.Stops)

/** From the first notice on, goods may be delivered: positions can only be closed. */
function statusOf(today: number, expiry: number, notice = expiry + 1): InstrumentRecord['TradingStatus'] {
  if (expiry < today) return 'NonTradable'
  return notice <= today ? 'ReduceOnly' : 'Tradable'
}

/** Ends on the business day before anything can be delivered. */
function cfdOn(UnderlyingUic: number, setting: Setting, end: number): object[] {
  const { template, closed, today } = setting
  const { CfdSize, Units } = template
  const lastTrade = takeSteps(end, '-1-0b', closed)
  if (CfdSize === undefined || lastTrade < today) return []
  return [
    {
      AssetType: 'CfdOnFutures',
      DefaultSlippage: 0.1,
      DefaultSlippageType: 'Percentage',
      ContractSize: CfdSize,
      PriceToContractFactor: CfdSize,
      ExpiryDate: dayText(lastTrade),
      ExpiryDateTime: stopOf(setting, lastTrade),
      SettlementStyle: 'CashDelivery',
      UnderlyingAssetType: 'ContractFutures',
      UnderlyingUic,
      ...(Units && { TradingUnitsSingular: Units[0], TradingUnitsPlural: Units[1] }),
    },
  ]
}
