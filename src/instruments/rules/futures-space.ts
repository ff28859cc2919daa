import { Problem } from '../../core/problem.ts'
import { dayText } from '../../core/time/days.ts'

export type FutureFacts = Readonly<{ Uic: number; Symbol: string; expiry: number }>

export type FuturesElement = Readonly<{ DaysToExpiry: number; ExpiryDate: string; Symbol: string; Uic: number }>

/** Something expires with the end of its last day, by the exchange's own calendar (contract §2, §6). */
export const isExpired = (lastDay: number, today: number): boolean => lastDay < today

/** The futures of a space by expiry, expired ones left out; today is that of the exchange's zone (contract §6). */
export function futuresElements(futures: readonly FutureFacts[], today: number): FuturesElement[] {
  return futures
    .filter(({ expiry }) => !isExpired(expiry, today))
    .sort((a, b) => a.expiry - b.expiry || a.Uic - b.Uic)
    .map(({ Uic, Symbol, expiry }) => ({ DaysToExpiry: expiry - today, ExpiryDate: dayText(expiry), Symbol, Uic }))
}

/** Only the continuous parent of futures has a space: a ContractFutures with DisplayHint Continuous (contract §6). */
export function requireContinuous(uic: number, facts: { AssetType: string; DisplayHint?: string | undefined }): void {
  if (facts.AssetType === 'ContractFutures' && facts.DisplayHint === 'Continuous') return
  throw new Problem(
    'InvalidContinuousFuturesUic',
    `Instrument ${uic} is not a continuous future. Search with AssetTypes=ContractFutures and IncludeNonTradable=true for one that has DisplayHint Continuous.`,
  )
}
