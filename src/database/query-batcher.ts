import { isOutage } from '../core/network/outage.ts'

type Waiting<In, Out> = { item: In; resolve(out: Out): void; reject(error: unknown): void }

/** Combines concurrent queries into one statement. A single request is sent immediately; requests that arrive meanwhile
 *  form the next batch, so a busy node pays for one round trip, plan and commit per batch. If a statement fails, it fails
 *  for the whole batch and nothing was changed. */
export class QueryBatcher<In, Out> {
  readonly #run: (items: In[]) => Promise<Out[]>
  readonly #maxItems: number
  #waiting: Waiting<In, Out>[] = []
  #isRunning = false
  #isDue = false

  constructor(run: (items: In[]) => Promise<Out[]>, maxItems = 100) {
    this.#run = run
    this.#maxItems = maxItems
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#isDue) return
      // After the other requests of this turn of the event loop.
      this.#isDue = true
      setImmediate(() => {
        this.#isDue = false
        void this.#next()
      })
    })
  }

  async #next(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxItems)
      try {
        const outs = await this.#run(batch.map(({ item }) => item))
        for (const [index, { resolve }] of batch.entries()) resolve(outs[index] as Out)
      } catch (error) {
        // In an outage, every waiting batch would run into the same timeout, one after the other.
        const failed = isOutage(error) ? [...batch, ...this.#waiting.splice(0)] : batch
        for (const { reject } of failed) reject(error)
      }
    }
    this.#isRunning = false
  }
}
