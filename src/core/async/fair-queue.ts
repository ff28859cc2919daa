import { unavailable } from '../problem.ts'

export const retryAfterSeconds = 5

type Waiter = Readonly<{ start: () => void; reject: (error: Error) => void }>

/** Runs a few pieces of work at a time. Keys take turns, so that one key with much work delays another by one piece. The queue is
 *  bounded: when it is full, the key with most work waiting loses its newest piece to a key with less. */
export class FairQueue {
  readonly #atOnce: number
  readonly #maxWaiting: number
  #running = 0
  #waiting = 0
  /** By key, in the order of their next turns. No list is empty. */
  readonly #waiters = new Map<string, Waiter[]>()

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(key)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(key: string): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running++
      return
    }
    if (this.#waiting >= this.#maxWaiting) this.#makeRoom(key)
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const own = this.#waiters.get(key)
    if (own) own.push({ start, reject })
    else this.#waiters.set(key, [{ start, reject }])
    this.#waiting++
    await promise
  }

  #makeRoom(key: string): void {
    const [longest, waiters] = [...this.#waiters].reduce((a, b) => (b[1].length > a[1].length ? b : a))
    const own = this.#waiters.get(key)?.length ?? 0
    if (waiters.length <= own + 1) throw unavailable(retryAfterSeconds)
    this.#take(longest, waiters, waiters.length - 1)?.reject(unavailable(retryAfterSeconds))
  }

  #leave(): void {
    const [next] = this.#waiters
    if (!next) {
      this.#running--
      return
    }
    const [key, waiters] = next
    const waiter = this.#take(key, waiters, 0)
    // Its next turn comes after those of all others.
    if (this.#waiters.delete(key)) this.#waiters.set(key, waiters)
    waiter?.start()
  }

  #take(key: string, waiters: Waiter[], index: number): Waiter | undefined {
    const [waiter] = waiters.splice(index, 1)
    if (waiters.length === 0) this.#waiters.delete(key)
    this.#waiting--
    return waiter
  }
}
