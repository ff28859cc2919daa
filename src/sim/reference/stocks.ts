import type { Details, InstrumentRecord } from '../../instruments/import/schema.ts'
import { decimalsOf } from './futures-terms.ts'
import { johannesburgStocks } from './stocks-africa.ts'
import { saoPauloStocks, torontoStocks } from './stocks-americas.ts'
import { amsterdamStocks, parisStocks } from './stocks-euronext.ts'
import { frankfurtStocks } from './stocks-germany.ts'
import { hongKongStocks } from './stocks-hongkong.ts'
import { londonStocks } from './stocks-london.ts'
import { type Market, type MarketId, markets } from './stocks-markets.ts'
import { nasdaqStocks } from './stocks-nasdaq.ts'
import { copenhagenStocks, stockholmStocks } from './stocks-nordic.ts'
import { nyseStocks } from './stocks-nyse.ts'
import { singaporeStocks, sydneyStocks } from './stocks-pacific.ts'
import { madridStocks, milanStocks } from './stocks-south.ts'
import { zurichStocks } from './stocks-switzerland.ts'
import { tickAt } from './stocks-ticks.ts'
import { tokyoStocks } from './stocks-tokyo.ts'
import { srdTerms, stockCfdTerms, stockTerms } from './terms.ts'

export type ListingMore = {
  /** Of the issuer, where the ISIN does not begin with it. */
  country?: string
  /** Where it is not dealt in the exchange's own currency. */
  currency?: string
  lot?: number
  status?: NonNullable<Details['TradingStatus']>
}
export type StockMore = ListingMore & { srd?: true }

/** [Uic, ticker, name, ISIN, price, what is special]. */
export type StockRow = readonly [number, string, string, string, number, StockMore?]

const stocksByExchange: Partial<Record<MarketId, StockRow[]>> = {
  NASDAQ: nasdaqStocks,
  NYSE: nyseStocks,
  TSX: torontoStocks,
  BVMF: saoPauloStocks,
  LSE: londonStocks,
  PAR: parisStocks,
  AMS: amsterdamStocks,
  XETRA: frankfurtStocks,
  MIL: milanStocks,
  BME: madridStocks,
  SIX: zurichStocks,
  CPH: copenhagenStocks,
  STO: stockholmStocks,
  JSE: johannesburgStocks,
  TYO: tokyoStocks,
  HKEX: hongKongStocks,
  ASX: sydneyStocks,
  SGX: singaporeStocks,
}

export function stockRecords(): InstrumentRecord[] {
  return Object.entries(stocksByExchange).flatMap(([exchange, rows]) =>
    rows.map((row) => stockRecord(exchange as MarketId, row)),
  )
}

function stockRecord(exchange: MarketId, [Uic, ticker, name, Isin, price, more = {}]: StockRow): InstrumentRecord {
  return {
    ...listing(exchange, { Uic, ticker, name, Isin, price, ...more }),
    ...valueChanges(Uic),
    As: [
      { AssetType: 'Stock', ...stockTerms },
      { AssetType: 'CfdOnStock', ...stockCfdTerms },
      ...(more.srd ? [{ AssetType: 'SrdOnStock' as const, ...srdTerms }] : []),
    ],
  }
}

export type Listing = ListingMore & { Uic: number; ticker: string; name: string; Isin: string; price: number }

/** What everything that is listed on an exchange says in all its asset types. */
export function listing(exchange: MarketId, { Uic, ticker, name, Isin, price, ...more }: Listing) {
  const market: Market = markets[exchange]
  const TickSize = tickAt(market.ticks, price)
  const decimals = decimalsOf(TickSize)
  const quotedElsewise = market.priceCurrency !== undefined && more.currency === undefined
  const issuer = more.country ?? Isin.slice(0, 2)
  return {
    Uic,
    ...(Isin === '' ? {} : { Isin }),
    ReferencePrice: Number((Math.round(price / TickSize) * TickSize).toFixed(decimals)),
    Symbol: `${ticker}:${market.mic}`,
    Description: name,
    ExchangeId: exchange,
    CurrencyCode: more.currency ?? market.currency,
    ...(quotedElsewise ? { PriceCurrency: market.priceCurrency } : {}),
    ...(issuer === '' ? {} : { IssuerCountry: issuer }),
    Format: { Decimals: decimals, OrderDecimals: decimals },
    TickSize,
    TickSizeScheme: market.ticks,
    TradingStatus: more.status ?? 'Tradable',
    ...amounts(market, more.currency ?? market.currency, quotedElsewise ? price / 100 : price, more.lot),
  } satisfies Partial<InstrumentRecord>
}

/** Whole shares: of board lots where the exchange takes nothing else. */
function amounts(market: Market, Currency: string, price: number, ownLot: number | undefined): Details {
  const lot = ownLot ?? market.lot
  const step = lot === undefined || market.oddLots ? 1 : lot
  const usual = step === 1 ? (price > 100_000 ? 1 : price > 1000 ? 10 : 100) : step
  return {
    AmountDecimals: 0,
    DefaultAmount: usual,
    IncrementSize: step,
    ...(lot === undefined ? {} : { LotSize: lot, MinimumLotSize: step }),
    LotSizeType: lot === undefined ? 'NotUsed' : market.oddLots ? 'OddLotsAllowed' : 'OddLotsNotAllowed',
    OrderSetting: { Currency, MaxOrderSize: 1000 * usual },
    StandardAmounts: [1, 2, 5, 10, 25, 50, 100].map((multiple) => multiple * usual),
  }
}

/** Figures that look like a market's and are the same on every machine; some instruments have none. */
export function valueChanges(uic: number): Partial<InstrumentRecord> {
  if (uic % 17 === 9) return {}
  return {
    OneWeekTotalValueChange: percentBetween(-4.5, 5, uic, 7),
    OneMonthTotalValueChange: percentBetween(-11, 14, uic, 30),
    OneYearTotalValueChange: percentBetween(-38, 72, uic, 365),
  }
}

/** The finalizer of MurmurHash3 spreads neighbouring Uics evenly. */
function percentBetween(low: number, high: number, uic: number, salt: number): number {
  let mixed = Math.imul(uic * 1000 + salt, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  mixed = (mixed ^ (mixed >>> 16)) >>> 0
  return Math.round((low + (high - low) * (mixed / 0xffffffff)) * 100) / 100
}
