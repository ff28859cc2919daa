import type { AuthContext } from './context.ts'
import { removeExpired } from './store/housekeeping.ts'

const everyMs = 30_000

type Log = { warn(detail: object, message: string): void }

/** Keeps the tables small and the keys young: one node at a time, in small steps, in real time. */
export function startHousekeeping(context: AuthContext, log: Log): { stop(): Promise<void> } {
  let round: Promise<void> | undefined
  let stopped = false
  const tidy = async () => {
    try {
      while (!stopped && (await removeExpired(context.db, context.clock.real.now(), context.clock.now()))) {}
      if (!stopped) await context.tokens.tend()
      context.ended.forgetOld()
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'housekeeping failed; it is tried again')
    }
  }
  const timer = setInterval(() => {
    round ??= tidy().finally(() => {
      round = undefined
    })
  }, everyMs)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await round
    },
  }
}
