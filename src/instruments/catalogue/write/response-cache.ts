import { LRUCache } from 'lru-cache'

/** The approximate overhead of an entry in bytes. */
const entryBytes = 256

/** The value of a key, computed if the cache does not have it. */
export function remember<Value extends object | string>(
  cache: LRUCache<string, Value>,
  key: string,
  compute: () => Value,
): Value {
  const known = cache.get(key)
  if (known !== undefined) return known
  const value = compute()
  cache.set(key, value)
  return value
}

/** Response bodies, up to a total number of bytes; the least recently used are evicted. */
export class ResponseCache {
  readonly #bodies: LRUCache<string, Buffer>
  readonly #maxEntryBytes: number

  constructor(maxBytes: number) {
    this.#bodies = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (body, key) => key.length * 2 + body.buffer.byteLength + entryBytes,
    })
    this.#maxEntryBytes = maxBytes / 8
  }

  get bytes(): number {
    return this.#bodies.calculatedSize
  }

  get(key: string, make: () => Buffer): Buffer {
    const known = this.#bodies.get(key)
    if (known) return known
    const made = make()
    if (made.length > this.#maxEntryBytes) return made
    // `made` is the start of a larger buffer, which would stay in memory with it.
    const body = Buffer.allocUnsafeSlow(made.length)
    made.copy(body)
    this.#bodies.set(key, body)
    return body
  }
}
