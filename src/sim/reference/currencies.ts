import type { Details, Hours, InstrumentRecord } from '../../instruments/import/schema.ts'
import { cryptoPairs, currencyNames, currencyPairs, metals, type PairRow } from './currencies-pairs.ts'
import { cryptoTerms, fxForwardTerms, fxOptionTerms, fxSpotTerms, fxSwapTerms, fxTerms, metalTerms } from './terms.ts'

export function currencyRecords(today: Temporal.PlainDate): InstrumentRecord[] {
  return [
    ...currencyPairs.map((row) => currencyPair(row, today)),
    ...metals.map((row) => metal(row, today)),
    ...cryptoPairs.map(cryptoPair),
  ]
}

function pair([Uic, base, quote, rate]: PairRow) {
  return {
    Uic,
    ReferencePrice: rate,
    Symbol: `${base}${quote}`,
    Description: `${currencyNames[base]}/${currencyNames[quote]}`,
    CurrencyCode: quote,
  } satisfies Partial<InstrumentRecord>
}

function currencyPair(row: PairRow, today: Temporal.PlainDate): InstrumentRecord {
  const [uic, base, quote] = row
  const isMajor = uic < 4010
  const isRuble = quote === 'RUB'
  const decimals = quote === 'JPY' || quote === 'HUF' ? 2 : 4
  const pip = Number(`1e-${decimals}`)
  const Format = { Decimals: decimals, Format: 'AllowDecimalPips' as const, OrderDecimals: decimals }
  const option: Details = { ...fxOptionTerms, TickSize: pip, Format: { ...Format, StrikeDecimals: decimals } }
  return {
    ...pair(row),
    ...fxTerms,
    ...forwardDates(base, quote, today),
    ExchangeId: 'FX',
    DisplayHint: 'Forex',
    OrderSetting: { Currency: base, MaxOrderSize: isMajor ? 50_000_000 : 25_000_000 },
    TradingStatus: isRuble ? 'ReduceOnly' : 'Tradable',
    As: [
      { AssetType: 'FxSpot', ...fxSpotTerms, TickSize: pip / 2, Format },
      { AssetType: 'FxForwards', ...fxForwardTerms, TickSize: pip, Format },
      ...(isRuble ? [] : [{ AssetType: 'FxVanillaOption' as const, ...option }]),
      ...(isMajor
        ? [
            {
              AssetType: 'FxSwap' as const,
              ...fxSwapTerms,
              TickSize: pip,
              Format: { ...Format, Format: 'AllowTwoDecimalPips' as const },
            },
            { AssetType: 'FxKnockInOption' as const, ...option },
            { AssetType: 'FxKnockOutOption' as const, ...option },
          ]
        : []),
    ],
  }
}

/** Sunday to Friday evening New York, with a pause of one hour each day, as the metal futures. */
const metalHours: Hours = [
  { Days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], Start: '18:00', End: '17:00', StartsDayBefore: true },
]

function metal(row: PairRow, today: Temporal.PlainDate): InstrumentRecord {
  const [, base, quote] = row
  const ounces = base === 'XAG' ? 500 : 10
  const decimals = base === 'XAG' ? 3 : 2
  const amounts: Details = {
    DefaultAmount: ounces,
    IncrementSize: 1,
    MinimumTradeSize: ounces / 10,
    StandardAmounts: [1, 5, 10, 25, 50, 100].map((multiple) => multiple * ounces),
  }
  return {
    ...pair(row),
    ...metalTerms,
    ...forwardDates(base, quote, today),
    ExchangeId: 'FX',
    Hours: metalHours,
    ...amounts,
    OrderSetting: { Currency: quote, MaxOrderValue: 20_000_000 },
    TickSize: Number(`1e-${decimals}`),
    Format: { Decimals: decimals, OrderDecimals: decimals },
    TradingStatus: 'Tradable',
    As: [
      { AssetType: 'FxSpot', ...fxSpotTerms },
      { AssetType: 'FxForwards', ...fxForwardTerms },
      { AssetType: 'FxVanillaOption', ...fxOptionTerms, ...amounts },
    ],
  }
}

/** A step of about a hundred-thousandth of the price. */
function cryptoPair(row: PairRow): InstrumentRecord {
  const [, , quote, rate] = row
  const decimals = Math.min(5, Math.max(0, 5 - Math.ceil(Math.log10(rate))))
  const lot = rate > 1000 ? 0.1 : rate > 10 ? 1 : 1000
  return {
    ...pair(row),
    ExchangeId: 'CRYPTO',
    DefaultAmount: lot,
    IncrementSize: lot / 100,
    MinimumTradeSize: lot / 10,
    StandardAmounts: [1, 2, 5, 10, 25, 50].map((multiple) => Math.round(multiple * lot * 10) / 10),
    OrderSetting: { Currency: quote, MaxOrderValue: 500_000 },
    TickSize: Number(`1e-${decimals}`),
    Format: { Decimals: decimals, OrderDecimals: decimals },
    TradingStatus: 'Tradable',
    As: [{ AssetType: 'FxCrypto', ...cryptoTerms }],
  }
}

/** Pairs that settle one day after the trade; all others take two. */
const nextDayPairs = new Set(['USDCAD', 'USDRUB', 'USDTRY'])

/** From the spot date to a year after it. */
function forwardDates(base: string, quote: string, today: Temporal.PlainDate): Details {
  let spot = today
  for (let days = nextDayPairs.has(base + quote) ? 1 : 2; days > 0; days -= 1) spot = weekday(spot.add({ days: 1 }))
  return {
    FxForwardMinForwardDate: spot.toString(),
    FxForwardMaxForwardDate: weekday(spot.add({ years: 1 })).toString(),
  }
}

/** The day itself or the Monday after it. */
function weekday(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.dayOfWeek > 5 ? day.add({ days: 8 - day.dayOfWeek }) : day
}
