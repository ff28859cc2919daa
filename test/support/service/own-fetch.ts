/** A call to the fake fetch. */
export interface Asked {
  method: string
  address: string
  headers: Headers
  body: string
  signal: AbortSignal
}

/** A fake fetch, for responses that no service sends on demand. It records its calls in order. */
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

/** Never responds; rejects when aborted. */
export const never = ({ signal }: Asked): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

export const notNow = (status: number, retryAfter?: string, body: object = {}): Response =>
  Response.json(body, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })

/** Runs everything that does not wait for a timer. */
export async function turn(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
}

/** The state of a promise now. */
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
