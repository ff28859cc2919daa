import type { AssetType } from '../../src/core/asset-type.ts'
import type { ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../../src/instruments/import/schema.ts'
import { exchangeRecord, type Market } from './markets.ts'
import { seeded } from './random.ts'

export type MainType = 'Etf' | 'FxCrypto' | 'FxSpot' | 'MutualFund' | 'Stock' | 'StockIndex'

/** The facts of an instrument in a file or from the generator. */
export type Facts = Readonly<{
  uic: number
  type: MainType
  symbol: string
  name: string
  market: Market
  currency: string
  isin?: string | undefined
  /** From 0, the largest companies, to 6, unknown. */
  size: number
}>

/** A line of a file for `refdesk import`. */
export type UniverseRecord =
  | Readonly<{ kind: 'exchange' } & ExchangeRecord>
  | Readonly<{ kind: 'instrument' } & InstrumentRecord>
  | Readonly<{ kind: 'optionRoot' } & OptionRootRecord>

export type Records = AsyncIterable<UniverseRecord> | Iterable<UniverseRecord>

const alsoAs: Partial<Record<MainType, AssetType>> = { Stock: 'CfdOnStock', Etf: 'CfdOnEtf', FxSpot: 'FxForwards' }
/** Display hints; stocks have none. */
const hints: Partial<Record<MainType, InstrumentRecord['DisplayHint']>> = {
  ...{ StockIndex: 'StockIndices', MutualFund: 'Fund', Etf: 'Etf', FxSpot: 'Forex', FxCrypto: 'CryptoCurrencies' },
}
/** A prime above the number of instruments in any file: multiplying modulo it shuffles without ties. */
const rankSpan = 10_000_019

/** Large before small; shuffled within a size. */
const rankOf = ({ uic, size }: Facts): number => 1 + size * rankSpan + ((uic * 48_271) % rankSpan)

/** Yields each exchange once, before its first instrument, and the instruments as a broker would load them. */
export class RecordMaker {
  readonly #exchanges = new Set<string>()
  readonly #groups = new Map<string, number>()

  /** The listings of one company have the same name. */
  #groupOf(name: string): number {
    const key = name.toLowerCase()
    const group = this.#groups.get(key) ?? this.#groups.size + 1
    this.#groups.set(key, group)
    return group
  }

  *records(facts: Facts): Generator<UniverseRecord> {
    const { market } = facts
    if (!this.#exchanges.has(market.id)) {
      this.#exchanges.add(market.id)
      yield { kind: 'exchange', ...exchangeRecord(market) }
    }
    yield { kind: 'instrument', ...this.#instrument(facts) }
  }

  #instrument(facts: Facts): InstrumentRecord {
    const { uic, type, symbol, name, market, currency, isin } = facts
    const random = seeded(uic)
    const percent = (width: number) => Math.round((random() - 0.48) * width * 100) / 100
    const also = alsoAs[type]
    return {
      Uic: uic,
      ...(isin && { Isin: isin }),
      Rank: rankOf(facts),
      OneWeekTotalValueChange: percent(8),
      OneMonthTotalValueChange: percent(20),
      OneYearTotalValueChange: percent(90),
      Symbol: symbol,
      Description: name,
      CurrencyCode: currency,
      ExchangeId: market.id,
      IssuerCountry: market.country,
      GroupId: type === 'Stock' ? this.#groupOf(name) : 0,
      ...detailsOf(type),
      As: [{ AssetType: type }, ...(also ? [{ AssetType: also, IsComplex: true }] : [])],
    }
  }
}

const [distance, type] = [0.5, 'Percentage'] as const
const orderDistances = {
  ...{ EntryDefaultDistance: distance, EntryDefaultDistanceType: type },
  ...{ StopLossDefaultDistance: distance, StopLossDefaultDistanceType: type, StopLossDefaultEnabled: false },
  ...{ TakeProfitDefaultDistance: distance, TakeProfitDefaultDistanceType: type },
}

function detailsOf(type: MainType): Partial<InstrumentRecord> {
  const decimals = type === 'FxSpot' ? 4 : 2
  const hint = hints[type]
  const isTraded = type !== 'StockIndex'
  return {
    ...(hint && { DisplayHint: hint }),
    Format: type === 'FxSpot' ? { Decimals: decimals, Format: 'AllowDecimalPips' } : { Decimals: decimals },
    IsComplex: type === 'FxSpot' || type === 'FxCrypto',
    TradingStatus: isTraded ? 'Tradable' : 'NonTradable',
    ...(isTraded && {
      AmountDecimals: type === 'MutualFund' ? 4 : 0,
      DefaultAmount: type === 'FxSpot' ? 100_000 : 100,
      LotSize: 1,
      LotSizeType: 'NotUsed',
      MinimumTradeSize: type === 'FxSpot' ? 1_000 : 1,
      OrderDistances: orderDistances,
      SupportedOrderTypes:
        type === 'MutualFund' ? ['Market'] : ['Market', 'Limit', 'Stop', 'StopLimit', 'TrailingStop'],
      TickSize: 10 ** -decimals,
    }),
  }
}
