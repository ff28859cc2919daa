import { singleFlight } from '../core/async/single-flight.ts'
import type { AuthContext } from './context.ts'
import { removeExpired } from './store/housekeeping.ts'

const intervalMs = 30_000

type Log = { warn(detail: object, message: string): void }

/** Deletes expired rows in small batches and rotates signing keys, one node at a time, by real time. */
export function startHousekeeping(context: AuthContext, log: Log): { stop(): Promise<void> } {
  let stopped = false
  const run = singleFlight(async () => {
    try {
      while (!stopped && (await removeExpired(context.db, context.clock.real.now(), context.clock.now()))) {}
      if (!stopped) await context.tokens.maintainKeys()
      context.ended.forgetOld()
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'housekeeping failed; will retry')
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
