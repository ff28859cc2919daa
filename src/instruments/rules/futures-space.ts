import { Problem, type ProblemCode } from '../../core/problem.ts'
import { dayText } from '../../core/time/days.ts'
import type { FuturesSpace } from '../api/schema.ts'

type FutureFacts = Readonly<{ Uic: number; Symbol: string; expiry: number }>

/** An instrument expires at the end of its last day, in the exchange's time zone (§2.2). */
export const isExpired = (lastDay: number, today: number): boolean => lastDay < today

/** The unexpired futures, by expiry; `today` is in the exchange's time zone (§6.4). */
export function futuresElements(futures: readonly FutureFacts[], today: number): FuturesSpace['Elements'] {
  return futures
    .filter(({ expiry }) => !isExpired(expiry, today))
    .sort((a, b) => a.expiry - b.expiry || a.Uic - b.Uic)
    .map(({ Uic, Symbol, expiry }) => ({ DaysToExpiry: expiry - today, ExpiryDate: dayText(expiry), Symbol, Uic }))
}

/** Only a continuous future has a futures space: a ContractFutures with DisplayHint Continuous (§6.4). The wire profile
 *  decides the error for the other futures (§3). */
export function requireContinuous(
  uic: number,
  { AssetType, DisplayHint }: { AssetType: string; DisplayHint?: string | undefined },
  datedFutureError: ProblemCode,
): void {
  const isFuture = AssetType === 'ContractFutures'
  if (isFuture && DisplayHint === 'Continuous') return
  throw new Problem(
    isFuture ? datedFutureError : 'InvalidContinuousFuturesUic',
    `Instrument ${uic} is not a continuous future. To find one, search with AssetTypes=ContractFutures and IncludeNonTradable=true for DisplayHint Continuous.`,
  )
}
