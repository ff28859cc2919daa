import { isOutage } from '../core/network/outage.ts'

type Waiting<In, Out> = Readonly<{ item: In; resolve(out: Out | Promise<Out>): void }>

/** One by itself, and many with one statement, in their order. */
type Reads<In, Out> = Readonly<{
  alone(item: In): Promise<Out>
  together(items: In[]): Promise<Out[]>
}>

const maxItems = 8
const maxRunning = 4

/** Reads what concurrent requests need with a few statements: a busy node pays for one round trip and plan per batch. A single
 *  read is sent at once, up to four at a time; those that arrive meanwhile form the next batches. If a batch fails, each of its
 *  items is read alone, so that none fails because of another, except in an outage. */
export class SharedReads<In, Out> {
  readonly #reads: Reads<In, Out>
  #waiting: Waiting<In, Out>[] = []
  #running = 0
  #isDue = false

  constructor(reads: Reads<In, Out>) {
    this.#reads = reads
  }

  read(item: In): Promise<Out> {
    const { promise, resolve } = Promise.withResolvers<Out>()
    this.#waiting.push({ item, resolve })
    if (!this.#isDue) {
      // After the other requests of this turn of the event loop.
      this.#isDue = true
      setImmediate(() => {
        this.#isDue = false
        this.#start()
      })
    }
    return promise
  }

  #start(): void {
    while (this.#running < maxRunning && this.#waiting.length > 0) {
      // Shared evenly among the statements that may start.
      const share = Math.ceil(this.#waiting.length / (maxRunning - this.#running))
      void this.#run(this.#waiting.splice(0, Math.min(share, maxItems)))
    }
  }

  async #run(batch: readonly Waiting<In, Out>[]): Promise<void> {
    this.#running += 1
    const outs = await this.#readBatch(batch.map(({ item }) => item))
    for (const [index, { resolve }] of batch.entries()) resolve(outs[index] as Promise<Out>)
    await Promise.allSettled(outs)
    this.#running -= 1
    this.#start()
  }

  async #readBatch(items: In[]): Promise<Promise<Out>[]> {
    const { alone, together } = this.#reads
    if (items.length === 1) return items.map(alone)
    try {
      return (await together(items)).map((out) => Promise.resolve(out))
    } catch (error) {
      return items.map((item) => (isOfAll(error) ? Promise.reject(error) : alone(item)))
    }
  }
}

/** Whether each item alone would fail too. The time of a statement may have run out because of one of them. */
const isOfAll = (error: unknown): boolean => isOutage(error) && (error as { code?: unknown }).code !== '57014'
