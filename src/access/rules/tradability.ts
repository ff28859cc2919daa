import type { TradingStatus } from '../../core/trading-status.ts'

/** What tells whether an instrument can be traded at all, whoever asks. */
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

/** An index is a figure and a continuous future a series of futures: neither has anything to deliver (contract §5, §6). */
const isOnlyAFigure = ({ AssetType, DisplayHint }: TradingFacts): boolean =>
  AssetType === 'StockIndex' || DisplayHint === 'Continuous'

/** The first reason that applies, in the order of contract §5; without one it is tradable. */
function reasonAgainst(facts: TradingFacts, tradingAccounts: readonly string[]): Tradability['NonTradableReason'] {
  if (facts.isExpired) return 'ExpiredInstrument'
  if (facts.TradingStatus === 'ReduceOnly') return 'ReduceOnlyInstrument'
  if (tradingAccounts.length === 0) return 'NotOnlineClientTradable'
  if (facts.TradingStatus === 'NonTradable' || isOnlyAFigure(facts)) return 'OtherReason'
  return 'None'
}

/** Whether the caller may trade an instrument on any of the accounts in question, and if not why (contract §5). */
export function tradability(facts: TradingFacts, tradingAccounts: readonly string[]): Tradability {
  const NonTradableReason = reasonAgainst(facts, tradingAccounts)
  return { IsTradable: NonTradableReason === 'None', NonTradableReason }
}
