import { setTimeout as sleep } from 'node:timers/promises'

/** Long, because the machine may be busy: a condition that is never met is a failure anyway. */
const limitMs = 240_000

/** Repeats an attempt until it returns a value. Fails with its last error, or with `what` did not happen. */
export async function eventually<T>(attempt: () => Promise<T | undefined>, what = 'the condition'): Promise<T> {
  const since = performance.now()
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const isLast = performance.now() - since > limitMs
    const value = await attempt().catch((error: unknown) => {
      if (isLast) throw error
    })
    if (value !== undefined) return value
    if (isLast) throw new Error(`${what} was not met in ${limitMs / 1000} seconds`)
    await sleep(pauseMs)
  }
}
