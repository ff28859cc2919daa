import { systemClock } from '../../src/core/clock.ts'
import type { InstrumentRecord, OptionRootRecord } from '../../src/instruments/import/schema.ts'
import type { UniverseRecord } from './record.ts'

type Stock = Readonly<InstrumentRecord>
const [contractsPerRoot, firstContractUic] = [500, 100_000_000]

/** Roots with whole chains on the most liquid stocks: 10 to 20 weekly expiries. */
export function* optionRoots(stocks: readonly Stock[], count: number): Generator<UniverseRecord> {
  const best = stocks.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, count)
  const days = expiryDays(systemClock.now().toZonedDateTimeISO('UTC').toPlainDate(), 20)
  for (const [index, stock] of best.entries()) {
    const series = seriesOf(days.slice(0, 10 + (index % 11)), stock, firstContractUic + index * contractsPerRoot)
    yield { kind: 'optionRoot', ...optionRoot(stock, index, series) }
  }
}

const rankOf = ({ Rank = Number.POSITIVE_INFINITY }: Stock): number => Rank

function optionRoot(stock: Stock, index: number, Series: OptionRootRecord['Series']): OptionRootRecord {
  const { Rank, Symbol: symbol, Description, CurrencyCode, ExchangeId } = stock
  return {
    OptionRootId: index + 1,
    AssetType: 'StockOption',
    ...({ Rank, Symbol: symbol, Description, CurrencyCode, ExchangeId } as Required<Stock>),
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
function seriesOf(expiries: readonly string[], stock: Stock, firstUic: number) {
  const step = [0.5, 1, 2.5, 5, 10][stock.Uic % 5] ?? 1
  const pairs = Math.floor(contractsPerRoot / 2)
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

/** The next Fridays. */
function expiryDays(today: Temporal.PlainDate, count: number): string[] {
  const friday = today.add({ days: 1 + ((11 - today.dayOfWeek) % 7) })
  return Array.from({ length: count }, (_, week) => friday.add({ weeks: week }).toString())
}
