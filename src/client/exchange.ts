import { type RawAnswer, RefdeskError, retryAfterSeconds } from './errors.ts'

/** What is sent, and with how much patience. */
export interface Attempt {
  url: string
  init: { method: string; headers: HeadersInit; body?: string }
  /** Whether it may be sent again when nobody knows what became of it. */
  isRepeatable: boolean
  patience: Patience
  signal?: AbortSignal | undefined
}

export interface Patience {
  fetch: typeof fetch
  /** Of one try, its answer included. */
  timeoutMs: number
  /** So many more tries after the first. */
  retries: number
  /** Of all waits between the tries of a call; a service that asks for more is not waited for. */
  maxWaitSeconds: number
}

/** A timer of browsers and of Node that is set longer goes off at once. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Sends a request and reads its whole answer, whatever its status. 429 and 503 with Retry-After mean that nothing was
 * done, so anything is sent again then. Without it, as from a proxy, they tell nothing, and no more does a connection that
 * breaks: then only what may be repeated is sent again.
 */
export async function exchange(attempt: Attempt): Promise<RawAnswer> {
  const { retries, maxWaitSeconds } = attempt.patience
  let waited = 0
  for (let tries = 0; ; tries++) {
    const outcome = await tryOnce(attempt)
    const seconds = tries < retries ? secondsToWait(outcome, tries, attempt.isRepeatable) : undefined
    if (seconds === undefined || waited + seconds > maxWaitSeconds) {
      if (outcome instanceof RefdeskError) throw outcome
      return outcome
    }
    waited += seconds
    await sleep(seconds * 1000, attempt.signal)
  }
}

/** How long to wait before the next try; undefined when there is to be none. */
function secondsToWait(outcome: RawAnswer | RefdeskError, tries: number, isRepeatable: boolean): number | undefined {
  // Not all at the same time: whoever lost the same connection would come back together.
  const backoff = isRepeatable ? 0.25 * 2 ** tries * (0.5 + Math.random()) : undefined
  if (outcome instanceof RefdeskError) return backoff
  if (outcome.status !== 429 && outcome.status !== 503) return undefined
  return retryAfterSeconds(outcome.headers) ?? backoff
}

/** The answer, or the error when none came. Only a caller who gives up makes it reject. */
async function tryOnce({ url, init, patience, signal }: Attempt): Promise<RawAnswer | RefdeskError> {
  const { fetch, timeoutMs } = patience
  signal?.throwIfAborted()
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, Math.min(timeoutMs, longestTimerMs))
  signal?.addEventListener('abort', end)
  try {
    const response = await fetch(url, { ...init, signal: ending.signal })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    signal?.throwIfAborted()
    const call = `${init.method} ${url.split('?', 1)[0]}`
    if (ending.signal.aborted)
      return new RefdeskError(0, 'Timeout', `${call} was not answered within ${timeoutMs} ms.`, { cause: error })
    return new RefdeskError(0, 'NetworkError', `${call} was not answered: ${told(error)}.`, { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** Node says what happened in the cause of its error. */
function told(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, longestTimerMs))
  })
  return untilAborted(over, signal).finally(() => clearTimeout(timer))
}

/** The same promise for a caller who may give up before it is settled. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
