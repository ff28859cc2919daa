/** One call as it was sent. */
export interface Asked {
  method: string
  address: string
  headers: Headers
  body: string
  signal: AbortSignal
}

/** A fetch that answers by itself, for what no service does on demand; and what it was asked for, one after the other. */
export function ownFetch(answer: (call: Asked, count: number) => Response | Promise<Response>) {
  const asked: Asked[] = []
  const fetch: typeof globalThis.fetch = async (address, init = {}) => {
    const { method = 'GET', headers, body, signal } = init
    const call = { method, address: String(address), headers: new Headers(headers), body: String(body ?? '') }
    asked.push({ ...call, signal: signal ?? new AbortController().signal })
    return answer(asked.at(-1) as Asked, asked.length)
  }
  return { asked, fetch }
}

/** What never answers, until nobody listens any more. */
export const never = ({ signal }: Asked): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

export const notNow = (status: number, retryAfter?: string, body: object = {}): Response =>
  Response.json(body, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })

/** Lets everything go on that waits for no timer. */
export async function turn(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
}

/** What has become of a promise so far. */
export function outcomeOf<T>(promise: Promise<T>): { value?: T; error?: Error & { code?: string } } {
  const outcome: { value?: T; error?: Error } = {}
  promise.then(
    (value) => {
      outcome.value = value
    },
    (error: Error) => {
      outcome.error = error
    },
  )
  return outcome
}
