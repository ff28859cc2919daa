import { LRUCache } from 'lru-cache'
import type { StoredRefresh } from '../store/refresh-tokens.ts'

/** Unspent refresh tokens that this node issued recently. Most come back to this node, which then need not read them: the
 *  rotation itself checks that they are still valid. */
export class RecentTokens {
  readonly #tokens = new LRUCache<string, StoredRefresh>({ max: 50_000 })

  remember(hash: Buffer, token: StoredRefresh): void {
    this.#tokens.set(hash.toString('latin1'), token)
  }

  /** Returned only once: a second attempt must read the database. */
  take(hash: Buffer): StoredRefresh | undefined {
    const key = hash.toString('latin1')
    const token = this.#tokens.get(key)
    this.#tokens.delete(key)
    return token
  }
}
