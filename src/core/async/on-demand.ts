import { LRUCache } from 'lru-cache'
import { unavailable } from '../problem.ts'
import { FairQueue, retryAfterSeconds } from './fair-queue.ts'

type Options<Value> = Readonly<{
  /** The most values that are kept, and their total size. */
  maxKept: number
  maxSize: number
  sizeOf(value: Value): number
  /** How many may wait to be made, and how long one is waited for. It is made nevertheless, for callers that retry. */
  maxWaiting: number
  maxWaitMs: number
}>

/** Values that are large and take long to make: made when they are asked for, one at a time and each once, and kept while they
 *  are used. Groups, such as clients, take turns. */
export class OnDemand<Value extends {}> {
  readonly #queue: FairQueue
  readonly #kept: LRUCache<string, Value>
  readonly #making = new Map<string, Promise<Value>>()
  readonly #maxWaitMs: number
  #edition = ''

  constructor({ maxKept, maxSize, sizeOf, maxWaiting, maxWaitMs }: Options<Value>) {
    this.#maxWaitMs = maxWaitMs
    this.#queue = new FairQueue(1, maxWaiting)
    // A value that is too large takes the place of all others.
    const sizeCalculation = (value: Value) => Math.ceil(Math.max(1, Math.min(sizeOf(value), maxSize)))
    this.#kept = new LRUCache({ max: maxKept, maxSize, sizeCalculation })
  }

  /** When the edition is another one than before, everything kept is forgotten. */
  async get(edition: string, key: string, group: string, make: () => Promise<Value>): Promise<Value> {
    if (edition !== this.#edition) {
      this.#edition = edition
      this.clear()
    }
    const kept = this.#kept.get(key)
    if (kept) return kept
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(unavailable(retryAfterSeconds)), this.#maxWaitMs).unref()
    try {
      return await Promise.race([this.#making.get(key) ?? this.#start(edition, key, group, make), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Forgets everything at once, also what is being made. */
  clear(): void {
    this.#kept.clear()
    this.#making.clear()
  }

  #start(edition: string, key: string, group: string, make: () => Promise<Value>): Promise<Value> {
    const making = this.#queue.run(group, make).then(
      (value) => {
        if (this.#end(key, making) && edition === this.#edition) this.#kept.set(key, value)
        return value
      },
      (error) => {
        this.#end(key, making)
        throw error
      },
    )
    this.#making.set(key, making)
    // It may fail when no one waits any more.
    making.catch(() => {})
    return making
  }

  /** Whether the value was still wanted. */
  #end(key: string, making: Promise<Value>): boolean {
    return this.#making.get(key) === making && this.#making.delete(key)
  }
}
