import { Problem } from '../../core/problem.ts'

/** Of a future, days are written YYYY-MM-DD. */
export type FutureFacts = Readonly<{ Uic: number; Symbol: string; ExpiryDate: string }>

export type FuturesElement = Readonly<{ DaysToExpiry: number; ExpiryDate: string; Symbol: string; Uic: number }>

/** Something expires with the end of its last day, by the exchange's own calendar (contract §2, §6). */
export function isExpired(lastDay: string | undefined, today: Temporal.PlainDate): boolean {
  return lastDay !== undefined && lastDay < today.toString()
}

/** Calendar days from today; below zero when the day has passed. */
export function daysUntil(day: string | Temporal.PlainDate, today: Temporal.PlainDate): number {
  return today.until(day, { largestUnit: 'days' }).days
}

/** The futures of a space by expiry, expired ones left out; today is that of the exchange's zone (contract §6). */
export function futuresElements(futures: readonly FutureFacts[], today: Temporal.PlainDate): FuturesElement[] {
  return futures
    .filter(({ ExpiryDate }) => !isExpired(ExpiryDate, today))
    .toSorted((a, b) => Number(a.ExpiryDate > b.ExpiryDate) - Number(a.ExpiryDate < b.ExpiryDate) || a.Uic - b.Uic)
    .map((future) => ({
      DaysToExpiry: daysUntil(future.ExpiryDate, today),
      ExpiryDate: future.ExpiryDate,
      Symbol: future.Symbol,
      Uic: future.Uic,
    }))
}

/** Only the continuous parent of futures has a space: a ContractFutures with DisplayHint Continuous (contract §6). */
export function requireContinuous(uic: number, facts: { AssetType: string; DisplayHint?: string | undefined }): void {
  if (facts.AssetType === 'ContractFutures' && facts.DisplayHint === 'Continuous') return
  throw new Problem(
    'InvalidContinuousFuturesUic',
    `Instrument ${uic} is not a continuous future. Ask for one that has DisplayHint Continuous.`,
  )
}
