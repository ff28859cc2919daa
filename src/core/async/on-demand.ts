import { LRUCache } from 'lru-cache'
import { FairQueue } from './fair-queue.ts'

type Options<Value> = Readonly<{
  /** At most so many values are kept, and values of this size in total; a single value may be larger. */
  maxKept: number
  maxSize: number
  sizeOf(value: Value): number
  /** How many may wait to be made. */
  maxWaiting: number
}>

/** Values that are large and take long to make: made when they are asked for, one at a time and each once, and kept while they
 *  are used. Groups, such as clients, take turns. */
export class OnDemand<Value extends {}> {
  readonly #queue: FairQueue
  readonly #kept: LRUCache<string, Value>
  readonly #making = new Map<string, Promise<Value>>()
  #edition = ''

  constructor({ maxKept, maxSize, sizeOf, maxWaiting }: Options<Value>) {
    this.#queue = new FairQueue(1, maxWaiting)
    const sizeCalculation = (value: Value) => Math.min(Math.max(1, Math.ceil(sizeOf(value))), maxSize)
    this.#kept = new LRUCache({ max: maxKept, maxSize, sizeCalculation })
  }

  /** When the edition is another one than before, everything kept is forgotten. */
  get(edition: string, key: string, group: string, make: () => Promise<Value>): MaybeMade<Value> {
    if (edition !== this.#edition) {
      this.#edition = edition
      this.#kept.clear()
      this.#making.clear()
    }
    return this.#kept.get(key) ?? this.#making.get(key) ?? this.#start(edition, key, group, make)
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
    return making
  }

  /** Whether the value was still wanted. */
  #end(key: string, making: Promise<Value>): boolean {
    return this.#making.get(key) === making && this.#making.delete(key)
  }
}

type MaybeMade<Value> = Value | Promise<Value>
