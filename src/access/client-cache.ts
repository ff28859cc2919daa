import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../core/async/maybe-promise.ts'
import type { ChangeFeed } from '../database/changes.ts'

type Bounds<Value> = Readonly<{ maxClients: number; maxBytes?: number; bytesOf?: (value: Value) => number }>

/** What is known of clients: read when it is needed, and dropped when the change feed announces the client. If the feed is
 *  down, the bearer check soon rejects every token (§4.12), so stale rights never outlive a revocation. */
export class ClientCache<Value extends object> {
  readonly #read: (clientKey: string) => Promise<Value | undefined>
  readonly #known: LRUCache<string, Value>
  /** A change removes the reads in progress too, so that an outdated result is not kept. */
  readonly #reads = new Map<string, Promise<Value | undefined>>()

  constructor(
    feed: Pick<ChangeFeed, 'on' | 'onGap'>,
    topics: readonly string[],
    read: (clientKey: string) => Promise<Value | undefined>,
    { maxClients, maxBytes, bytesOf }: Bounds<Value>,
  ) {
    this.#read = read
    // With `max` LRUCache would reserve memory for that many at once; a least size per client has the same effect.
    const [maxSize, sizeOf] = maxBytes !== undefined && bytesOf ? [maxBytes, bytesOf] : [maxClients, () => 1]
    const least = Math.ceil(maxSize / maxClients)
    this.#known = new LRUCache({ maxSize, sizeCalculation: (value) => Math.max(least, sizeOf(value)) })
    for (const topic of topics)
      feed.on(topic, (clientKey) => {
        this.#known.delete(clientKey)
        this.#reads.delete(clientKey)
      })
    feed.onGap(() => {
      this.#known.clear()
      this.#reads.clear()
    })
  }

  /** Undefined for an unknown client. */
  get(clientKey: string): MaybePromise<Value | undefined> {
    return this.#known.get(clientKey) ?? this.#reads.get(clientKey) ?? this.keep(clientKey, this.#read(clientKey))
  }

  /** Only if it was read before. */
  peek(clientKey: string): Value | undefined {
    return this.#known.peek(clientKey)
  }

  has(clientKey: string): boolean {
    return this.#known.has(clientKey) || this.#reads.has(clientKey)
  }

  /** Keeps neither failures nor unknown clients, which would evict known ones. */
  keep(clientKey: string, read: Promise<Value | undefined>): Promise<Value | undefined> {
    this.#reads.set(clientKey, read)
    const finish = (value?: Value) => {
      if (this.#reads.get(clientKey) !== read) return
      this.#reads.delete(clientKey)
      if (value) this.#known.set(clientKey, value)
    }
    read.then(finish, () => finish())
    return read
  }
}
