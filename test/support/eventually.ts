import { setTimeout as sleep } from 'node:timers/promises'

/** Long, because the machine may be busy: a condition that is never met is a failure anyway. */
const limitMs = 240_000

/** Repeats an attempt until it returns a value. Fails with its last error, or with `what` did not happen. The pauses grow
 *  with the time that has passed, because each attempt takes processor time from what the test waits for. A test that has
 *  to notice a short state limits them. */
export async function eventually<T>(
  attempt: () => Promise<T | undefined>,
  what = 'the condition',
  maxPauseMs = 250,
): Promise<T> {
  const since = performance.now()
  for (;;) {
    const isLast = performance.now() - since > limitMs
    const value = await attempt().catch((error: unknown) => {
      if (isLast) throw error
    })
    if (value !== undefined) return value
    if (isLast) throw new Error(`${what} was not met in ${limitMs / 1000} seconds`)
    await sleep(Math.min(Math.max((performance.now() - since) / 4, 5), maxPauseMs))
  }
}
