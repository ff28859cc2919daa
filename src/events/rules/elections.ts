import type { ElectionStatus } from '../api/enums.ts'

/** Only electable events have an election status (§7.5). Short positions, and elections from them, are negative; over
 *  several accounts both are sums of absolute amounts. */
export function electionStatus(isElectable: boolean, amount: number, elected: number): ElectionStatus | undefined {
  if (!isElectable) return undefined
  if (elected === 0) return 'NotElected'
  return Math.abs(elected) < Math.abs(amount) ? 'PartialElected' : 'Elected'
}
