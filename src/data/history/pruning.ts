import { singleFlight } from '../../core/async/single-flight.ts'
import type { Db } from '../../database/open.ts'
import { pruneHistory } from '../store/prune-history.ts'

const intervalMs = 600_000

type Log = { warn(detail: object, message: string): void }

/** Removes versions older than HISTORY_DAYS in small batches, by real time. Every node tries; one at a time does. */
export function startPruning(db: Db, days: number, log: Log): { stop(): Promise<void> } {
  let stopped = false
  const run = singleFlight(async () => {
    try {
      while (!stopped && (await pruneHistory(db, days))) {}
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'pruning the history failed; will retry')
    }
  })
  const timer = setInterval(() => void run(), intervalMs)
  return {
    stop() {
      stopped = true
      clearInterval(timer)
      return run()
    },
  }
}
