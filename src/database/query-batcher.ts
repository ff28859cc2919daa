import { isOutage } from '../core/network/outage.ts'

type Waiting<In, Out> = { item: In; resolve(out: Out): void; reject(error: unknown): void }

/** Asks the database together what is asked at the same time. A lonely request waits for nobody; what comes while one
 *  is under way goes next, as one statement, so that a busy node pays for a round trip, a plan and a commit per batch
 *  instead of per request. A statement that fails, fails for all of its batch: nothing of it was done. */
export class QueryBatcher<In, Out> {
  readonly #ask: (items: In[]) => Promise<Out[]>
  readonly #most: number
  #waiting: Waiting<In, Out>[] = []
  #isAsking = false
  #isDue = false

  constructor(ask: (items: In[]) => Promise<Out[]>, most = 100) {
    this.#ask = ask
    this.#most = most
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#isDue) return
      // After the other requests of this turn of the event loop have come too.
      this.#isDue = true
      setImmediate(() => {
        this.#isDue = false
        void this.#next()
      })
    })
  }

  async #next(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#most)
      try {
        const outs = await this.#ask(batch.map(({ item }) => item))
        for (const [index, { resolve }] of batch.entries()) resolve(outs[index] as Out)
      } catch (error) {
        // With the database away those who wait would each wait as long again, one batch after the other.
        const failed = isOutage(error) ? [...batch, ...this.#waiting.splice(0)] : batch
        for (const { reject } of failed) reject(error)
      }
    }
    this.#isAsking = false
  }
}
