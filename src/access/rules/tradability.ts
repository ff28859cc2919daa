import type { TradingStatus } from '../../core/trading-status.ts'

/** What decides whether an instrument can be traded, independent of the caller. */
export type TradingFacts = Readonly<{
  AssetType: string
  TradingStatus?: TradingStatus | undefined
  DisplayHint?: string | undefined
  isExpired: boolean
}>

export type Tradability = Readonly<{
  IsTradable: boolean
  NonTradableReason: 'ExpiredInstrument' | 'ReduceOnlyInstrument' | 'NotOnlineClientTradable' | 'OtherReason' | 'None'
}>

/** Indices and continuous futures cannot be traded themselves (§5.3). */
const isNotTradedItself = ({ AssetType, DisplayHint }: TradingFacts): boolean =>
  AssetType === 'StockIndex' || DisplayHint === 'Continuous'

/** The first reason that applies, in the order of §5.3. */
function reasonAgainst(facts: TradingFacts, tradingAccounts: readonly string[]): Tradability['NonTradableReason'] {
  if (facts.isExpired) return 'ExpiredInstrument'
  if (facts.TradingStatus === 'ReduceOnly') return 'ReduceOnlyInstrument'
  if (tradingAccounts.length === 0) return 'NotOnlineClientTradable'
  if (facts.TradingStatus === 'NonTradable' || isNotTradedItself(facts)) return 'OtherReason'
  return 'None'
}

/** Whether the caller may trade an instrument on any of the given accounts, and if not, why (§5.3). */
export function tradability(facts: TradingFacts, tradingAccounts: readonly string[]): Tradability {
  const NonTradableReason = reasonAgainst(facts, tradingAccounts)
  return { IsTradable: NonTradableReason === 'None', NonTradableReason }
}
