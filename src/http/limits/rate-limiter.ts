/** Where nodes add up what they have admitted. */
export interface SharedCounts {
  /** Adds to the counters and tells the totals of all nodes, by key. */
  add(rows: { key: string; windowStart: number; count: number }[]): Promise<Map<string, number>>
}

export type Bucket = Readonly<{ key: string; limit: number; windowSeconds: number }>
export type Standing = Readonly<{ limit: number; remaining: number; resetSeconds: number; admitted: boolean }>

type Counter = {
  windowStart: number
  windowEnd: number
  /** Admitted here in this window, and how much of it the other nodes have not been told. */
  own: number
  untold: number
  /** Admitted elsewhere, as far as we know. */
  others: number
}

const flushMilliseconds = 500

/** Milliseconds since 1970 that only ever go forward. Not the clock: a frozen or moved clock must not lift a limit. */
const monotonicNow = (): number => performance.timeOrigin + performance.now()

/**
 * Fixed windows, counted in memory and added up over all nodes every half second. A node answers from its own count
 * and what it last heard of the others, so that no request waits for the database. The price: a node hears of the
 * others when it has something to tell, so with N nodes a window can admit more than its limit, by at most what the
 * other nodes admit in the half second (and the time of one exchange) until each has told and heard. While the store is
 * away each node holds the limit by itself.
 */
export class RateLimiter {
  readonly #counters = new Map<string, Counter>()
  readonly #shared: SharedCounts | undefined
  readonly #maxKeys: number
  readonly #now: () => number
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  constructor(options: { shared?: SharedCounts; maxKeys?: number; now?: () => number } = {}) {
    this.#shared = options.shared
    this.#maxKeys = options.maxKeys ?? 100_000
    this.#now = options.now ?? monotonicNow
  }

  /** Counts one request in all buckets when all have room, else in none. */
  take(buckets: readonly Bucket[]): Standing[] {
    const counters = buckets.map((bucket) => this.#counter(bucket))
    const hasRoom = counters.map(({ own, others }, index) => own + others < (buckets[index]?.limit ?? 0))
    if (hasRoom.every(Boolean)) {
      for (const counter of counters) {
        counter.own += 1
        counter.untold += 1
      }
    }
    return buckets.map(({ limit }, index) => {
      const { own = 0, others = 0, windowEnd = 0 } = counters[index] ?? {}
      const resetSeconds = Math.ceil((windowEnd - this.#now()) / 1000)
      return { limit, remaining: Math.max(0, limit - own - others), resetSeconds, admitted: hasRoom[index] === true }
    })
  }

  /** Tells the others and hears from them. What fails is told the next time. */
  flush(): Promise<void> {
    this.#flushing ??= this.#exchange().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), flushMilliseconds).unref()
  }

  /** Ends the exchange after telling the rest. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#flushing
    await this.flush()
  }

  get size(): number {
    return this.#counters.size
  }

  #counter({ key, windowSeconds }: Bucket): Counter {
    const now = this.#now()
    const present = this.#counters.get(key)
    if (present && now < present.windowEnd) return present
    const length = windowSeconds * 1000
    const windowStart = Math.floor(now / length) * length
    const counter = { windowStart, windowEnd: windowStart + length, own: 0, untold: 0, others: 0 }
    // A Map keeps insertion order, so its first key is the one whose window has been open longest.
    this.#counters.delete(key)
    for (const oldest of this.#counters.keys()) {
      if (this.#counters.size < this.#maxKeys) break
      this.#counters.delete(oldest)
    }
    this.#counters.set(key, counter)
    return counter
  }

  async #exchange(): Promise<void> {
    this.#dropPastWindows()
    const told = [...this.#counters].flatMap(([key, counter]) =>
      counter.untold > 0 ? [{ key, counter, count: counter.untold }] : [],
    )
    if (!this.#shared || told.length === 0) return
    try {
      const rows = told.map(({ key, counter, count }) => ({ key, windowStart: counter.windowStart, count }))
      const totals = await this.#shared.add(rows)
      for (const { key, counter, count } of told) {
        counter.untold -= count
        counter.others = Math.max(0, (totals.get(key) ?? 0) - (counter.own - counter.untold))
      }
    } catch {
      // The store is away. Everything is still marked as untold.
    }
  }

  #dropPastWindows(): void {
    const now = this.#now()
    for (const [key, counter] of this.#counters) {
      if (now >= counter.windowEnd) this.#counters.delete(key)
    }
  }
}
