import { type RawResponse, RefdeskError, retryAfterSeconds } from './errors.ts'

interface Request {
  url: string
  init: { method: string; headers: HeadersInit; body?: string }
  /** Whether it may be sent again if its outcome is unknown. */
  isRepeatable: boolean
  options: RetryOptions
  signal?: AbortSignal | undefined
}

interface RetryOptions {
  fetch: typeof fetch
  timeoutMs: number
  retries: number
  maxWaitSeconds: number
}

/** Longer timers of browsers and Node fire immediately. */
const maxTimerMs = 2 ** 31 - 1

/** Sends a request and reads the response, whatever its status. 429 and 503 with Retry-After mean that nothing was done,
 *  so any request is retried. Without it, and after a lost connection, only repeatable requests are. */
export async function exchange(request: Request): Promise<RawResponse> {
  const { retries, maxWaitSeconds } = request.options
  let waited = 0
  for (let tries = 0; ; tries++) {
    const outcome = await sendOnce(request)
    const seconds = tries < retries ? secondsToWait(outcome, tries, request.isRepeatable) : undefined
    if (seconds === undefined || waited + seconds > maxWaitSeconds) {
      if (outcome instanceof RefdeskError) throw outcome
      return outcome
    }
    waited += seconds
    await sleep(seconds * 1000, request.signal)
  }
}

/** How long to wait before the next attempt; undefined for no retry. */
function secondsToWait(outcome: RawResponse | RefdeskError, tries: number, isRepeatable: boolean): number | undefined {
  // Random, so that clients that lost the same connection do not all return at once.
  const backoff = isRepeatable ? 0.25 * 2 ** tries * (0.5 + Math.random()) : undefined
  if (outcome instanceof RefdeskError) return backoff
  if (outcome.status !== 429 && outcome.status !== 503) return undefined
  return retryAfterSeconds(outcome.headers) ?? backoff
}

/** Returns the response, or the error if there was none. Rejects only if the caller aborts. */
async function sendOnce({ url, init, options, signal }: Request): Promise<RawResponse | RefdeskError> {
  const { fetch, timeoutMs } = options
  signal?.throwIfAborted()
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, Math.min(timeoutMs, maxTimerMs))
  signal?.addEventListener('abort', end)
  try {
    const response = await fetch(url, { ...init, signal: ending.signal })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    signal?.throwIfAborted()
    const call = `${init.method} ${url.split('?', 1)[0]}`
    if (ending.signal.aborted)
      return new RefdeskError(0, 'Timeout', `${call} got no response within ${timeoutMs} ms.`, { cause: error })
    return new RefdeskError(0, 'NetworkError', `${call} got no response: ${reasonOf(error)}.`, { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** Node puts the reason into the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, maxTimerMs))
  })
  return untilAborted(over, signal).finally(() => clearTimeout(timer))
}

/** Rejects when the signal fires before the promise is settled. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
