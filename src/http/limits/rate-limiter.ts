import { singleFlight } from '../../core/async/single-flight.ts'

export interface SharedCounts {
  /** Adds to the counters and returns the totals of all nodes by key. */
  add(rows: { key: string; windowStart: number; count: number }[]): Promise<Map<string, number>>
}

export type Bucket = Readonly<{ key: string; limit: number; windowSeconds: number }>
export type BucketState = Readonly<{ limit: number; remaining: number; resetSeconds: number; admitted: boolean }>

type Counter = {
  windowStart: number
  windowEnd: number
  /** Admitted by this node in this window, and how many of them are not in the store yet. */
  own: number
  unsent: number
  /** Admitted by other nodes, as of the last exchange. */
  others: number
}

const hasRoom = ({ own, others }: Counter, limit: number): boolean => own + others < limit

const flushMilliseconds = 500

/** Monotonic milliseconds since 1970. Not the service clock: freezing or moving that must not lift a limit. */
const monotonicNow = (): number => performance.timeOrigin + performance.now()

/** Fixed windows, counted in memory and added up across nodes every half second: a window can exceed its limit by the requests
 *  that other nodes admit between two exchanges. While the store is down, each node enforces the limit alone. */
export class RateLimiter {
  readonly #counters = new Map<string, Counter>()
  readonly #shared: SharedCounts | undefined
  readonly #maxKeys: number
  readonly #now: () => number
  #timer: NodeJS.Timeout | undefined

  /** Adds this node's counts to the store and reads the totals. What fails is sent the next time. */
  readonly flush = singleFlight(() => this.#exchange())

  constructor(options: { shared?: SharedCounts; maxKeys?: number; now?: () => number } = {}) {
    this.#shared = options.shared
    this.#maxKeys = options.maxKeys ?? 100_000
    this.#now = options.now ?? monotonicNow
  }

  /** Counts a request in all buckets if none is full, otherwise in none. */
  take(buckets: readonly Bucket[]): BucketState[] {
    const now = this.#now()
    const counters = buckets.map((bucket) => this.#counter(bucket, now))
    const added = buckets.every(({ limit }, index) => hasRoom(counters[index] as Counter, limit)) ? 1 : 0
    return buckets.map(({ limit }, index) => {
      const counter = counters[index] as Counter
      const admitted = added === 1 || hasRoom(counter, limit)
      counter.own += added
      counter.unsent += added
      const resetSeconds = Math.ceil((counter.windowEnd - now) / 1000)
      return { limit, remaining: Math.max(0, limit - counter.own - counter.others), resetSeconds, admitted }
    })
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), flushMilliseconds).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.flush()
  }

  get size(): number {
    return this.#counters.size
  }

  #counter({ key, windowSeconds }: Bucket, now: number): Counter {
    const current = this.#counters.get(key)
    if (current && now < current.windowEnd) return current
    const length = windowSeconds * 1000
    const windowStart = Math.floor(now / length) * length
    const counter = { windowStart, windowEnd: windowStart + length, own: 0, unsent: 0, others: 0 }
    // Not an LRU cache: the counter whose window opened first goes first, however often it is used.
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
    const sent = [...this.#counters].flatMap(([key, counter]) =>
      counter.unsent > 0 ? [{ key, counter, count: counter.unsent }] : [],
    )
    if (!this.#shared || sent.length === 0) return
    try {
      const rows = sent.map(({ key, counter, count }) => ({ key, windowStart: counter.windowStart, count }))
      const totals = await this.#shared.add(rows)
      for (const { key, counter, count } of sent) {
        counter.unsent -= count
        counter.others = Math.max(0, (totals.get(key) ?? 0) - (counter.own - counter.unsent))
      }
    } catch {
      // The store is down. Everything stays unsent.
    }
  }

  #dropPastWindows(): void {
    const now = this.#now()
    for (const [key, counter] of this.#counters) {
      if (now >= counter.windowEnd) this.#counters.delete(key)
    }
  }
}
