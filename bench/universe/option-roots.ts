import type { InstrumentRecord, OptionRootRecord } from '../../src/instruments/import/schema.ts'
import type { UniverseRecord } from './record.ts'

/** The facts of a stock that its option root needs. */
export type Underlying = Readonly<
  Required<Pick<InstrumentRecord, 'Uic' | 'Rank' | 'Symbol' | 'Description' | 'CurrencyCode' | 'ExchangeId'>>
>
export type OptionShape = Readonly<{ roots: number; contractsPerRoot: number; firstUic: number }>
export const fullShape: OptionShape = { roots: 4_000, contractsPerRoot: 500, firstUic: 100_000_000 }

/** Passes records on and collects the stocks, for option roots on the most liquid of them. */
export async function* collectStocks(
  records: AsyncIterable<UniverseRecord> | Iterable<UniverseRecord>,
  stocks: Underlying[],
): AsyncGenerator<UniverseRecord> {
  for await (const record of records) {
    if (record.kind === 'instrument' && record.As[0]?.AssetType === 'Stock') {
      const { Uic, Rank, Symbol: symbol, Description, CurrencyCode, ExchangeId } = record
      if (Rank && symbol && Description && CurrencyCode && ExchangeId)
        stocks.push({ Uic, Rank, Symbol: symbol, Description, CurrencyCode, ExchangeId })
    }
    yield record
  }
}

/** Roots with whole chains on the most liquid stocks: 10 to 20 expiries, weekly first, then monthly. */
export function* optionRoots(
  stocks: readonly Underlying[],
  today: Temporal.PlainDate,
  shape: OptionShape = fullShape,
): Generator<UniverseRecord> {
  const best = stocks.toSorted((a, b) => a.Rank - b.Rank).slice(0, shape.roots)
  const days = expiryDays(today, 20)
  for (const [index, stock] of best.entries()) {
    const expiries = days.slice(0, 10 + (index % 11))
    const firstUic = shape.firstUic + index * shape.contractsPerRoot
    yield {
      kind: 'optionRoot',
      ...optionRoot(stock, index, seriesOf(expiries, stock, firstUic, shape.contractsPerRoot)),
    }
  }
}

function optionRoot(stock: Underlying, index: number, Series: OptionRootRecord['Series']): OptionRootRecord {
  return {
    OptionRootId: index + 1,
    AssetType: 'StockOption',
    Rank: stock.Rank,
    Symbol: stock.Symbol,
    Description: stock.Description,
    CurrencyCode: stock.CurrencyCode,
    ExchangeId: stock.ExchangeId,
    GroupId: 0,
    CanParticipateInMultiLegOrder: true,
    ContractSize: 100,
    ExerciseStyle: 'American',
    Format: { Decimals: 2, StrikeDecimals: 2 },
    LotSize: 1,
    SettlementStyle: 'PhysicalDelivery',
    SupportedOrderTypes: ['Market', 'Limit'],
    TickSize: 0.01,
    TradingStatus: 'Tradable',
    UnderlyingAssetType: 'Stock',
    UnderlyingUic: stock.Uic,
    Series,
  }
}

/** Calls and puts at the same strikes around a synthetic price, spread evenly over the expiries. */
function seriesOf(expiries: readonly string[], stock: Underlying, firstUic: number, contracts: number) {
  const step = [0.5, 1, 2.5, 5, 10][stock.Uic % 5] ?? 1
  const pairs = Math.floor(contracts / 2)
  let uic = firstUic
  return expiries.map((Expiry, index) => {
    const share = Math.floor((pairs * (index + 1)) / expiries.length) - Math.floor((pairs * index) / expiries.length)
    const Options = Array.from({ length: share }, (_, strike) => (30 + strike) * step).flatMap((StrikePrice) => [
      { Uic: uic++, PutCall: 'Call' as const, StrikePrice, UnderlyingUic: stock.Uic },
      { Uic: uic++, PutCall: 'Put' as const, StrikePrice, UnderlyingUic: stock.Uic },
    ])
    return { Expiry, LastTradeDate: `${Expiry}T20:00:00Z`, Options }
  })
}

/** The next six Fridays, then third Fridays. */
function expiryDays(today: Temporal.PlainDate, count: number): string[] {
  const friday = today.add({ days: 1 + ((11 - today.dayOfWeek) % 7) })
  const weekly = Array.from({ length: 6 }, (_, week) => friday.add({ weeks: week }))
  const last = weekly[5] ?? friday
  const monthly = Array.from({ length: count }, (_, month) => {
    const first = last.with({ day: 1 }).add({ months: month })
    return first.add({ days: ((12 - first.dayOfWeek) % 7) + 14 })
  }).filter((day) => Temporal.PlainDate.compare(day, last) > 0)
  return [...weekly, ...monthly].slice(0, count).map(String)
}
