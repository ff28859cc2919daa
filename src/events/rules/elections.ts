import type { ElectionStatus } from '../api/enums.ts'

/** How far the elections have come; only electable events have a status (contract §7). What is held short is below zero,
 *  and so is what was elected of it; of several accounts both are summed up without their signs. */
export function electionStatus(isElectable: boolean, amount: number, elected: number): ElectionStatus | undefined {
  if (!isElectable) return undefined
  if (elected === 0) return 'NotElected'
  return Math.abs(elected) < Math.abs(amount) ? 'PartialElected' : 'Elected'
}
