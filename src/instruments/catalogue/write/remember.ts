import type { LRUCache } from 'lru-cache'

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
