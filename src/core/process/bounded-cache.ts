import { LRUCache } from 'lru-cache'

/** A cache of at most this many entries, which evicts what was not used for longest. With `max` LRUCache would reserve memory
 *  for all of them at once: 20 bytes per entry, in every thread. */
export const boundedCache = <Key extends {}, Value extends {}>(maxEntries: number): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 })
