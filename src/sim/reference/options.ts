import type { Details, ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../../instruments/import/schema.ts'
import { expiryCalendar } from './futures-months.ts'
import { decimalsOf } from './futures-terms.ts'
import type { RootSpec } from './options-roots.ts'
import { futuresOptionRoots } from './options-roots-futures.ts'
import { indexOptionRoots } from './options-roots-indices.ts'
import { stockOptionRoots } from './options-roots-stocks.ts'
import { seriesOf } from './options-series.ts'
import { optionTerms, strategies } from './options-terms.ts'

export const optionRootSpecs = [...stockOptionRoots, ...indexOptionRoots, ...futuresOptionRoots]

/** Options rank behind whatever they are written on: who types a share's symbol means the share. */
const behindUnderlyings = 100_000

/** The option roots of the demo with their whole chains: those whose underlying and exchange are among the given. */
export function demoOptionRoots(
  today: Temporal.PlainDate,
  exchanges: ExchangeRecord[],
  underlyings: InstrumentRecord[],
): OptionRootRecord[] {
  const bySymbol = new Map(underlyings.map((record) => [record.Symbol, record]))
  return optionRootSpecs.flatMap((root) => {
    const exchange = exchanges.find(({ ExchangeId }) => ExchangeId === root.exchangeId)
    const underlying = bySymbol.get(root.underlying)
    if (!exchange || !underlying) return []
    const calendar = expiryCalendar(exchanges, root.exchangeId)
    const Series = seriesOf(root, { today, exchange, calendar, bySymbol }, underlying)
    return [{ ...recordOf(root, exchange, underlying, relatedUics(underlying, Series)), Series }]
  })
}

function recordOf(
  root: RootSpec,
  exchange: ExchangeRecord,
  underlying: InstrumentRecord,
  related: number[],
): Omit<OptionRootRecord, 'Series'> {
  const AssetType = underlying.As[0]?.AssetType ?? 'Stock'
  const name = root.name ?? underlying.Description?.replace(' - Continuous', '') ?? root.code
  return {
    OptionRootId: root.id,
    AssetType: root.assetType,
    Rank: behindUnderlyings + (underlying.Rank ?? behindUnderlyings),
    ...(root.group && { GroupOptionRootId: root.group }),
    ...(root.hours && { Hours: root.hours }),
    ...optionTerms,
    ...root.ticks,
    ...multiLeg(root),
    ContractSize: root.contractSize,
    CurrencyCode: underlying.CurrencyCode ?? 'USD',
    Description: `${name} - Options`,
    ExchangeId: root.exchangeId,
    ExerciseStyle: root.style,
    Format: formatOf(root, underlying),
    PriceCurrency: underlying.CurrencyCode ?? 'USD',
    PriceToContractFactor: root.pointValue ?? root.contractSize,
    RelatedInstruments: related.map((Uic) => ({ AssetType, Uic })),
    SettlementStyle: root.settlement,
    Symbol: `${root.code}:${(exchange.Mic ?? exchange.ExchangeId).toLowerCase()}`,
    TradingStatus: root.adjusted ? 'ReduceOnly' : 'Tradable',
    UnderlyingAssetType: AssetType,
    UnderlyingUic: underlying.Uic,
  }
}

function multiLeg(root: RootSpec): Details {
  if (root.singleLegOnly) return { CanParticipateInMultiLegOrder: false }
  return { CanParticipateInMultiLegOrder: true, SupportedStrategies: strategies }
}

/** The underlying, and of futures options the futures that are delivered. */
function relatedUics(underlying: InstrumentRecord, series: OptionRootRecord['Series']): number[] {
  const delivered = series.flatMap(({ Options }) => Options[0]?.UnderlyingUic ?? [])
  return [...new Set([underlying.Uic, ...delivered])]
}

function formatOf(root: RootSpec, underlying: InstrumentRecord): NonNullable<Details['Format']> {
  const decimals = decimalsOf(root.ticks.TickSize ?? 0.01)
  const fractions = underlying.Format?.Format === 'ModernFractions' && { Format: 'ModernFractions' as const }
  return { Decimals: decimals, OrderDecimals: decimals, StrikeDecimals: decimalsOf(root.strikeUnit), ...fractions }
}
