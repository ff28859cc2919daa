import type { StoredRefresh } from '../store/refresh-tokens.ts'

/** Unspent refresh tokens that this node issued recently, by hash. Most come back to this node, which then need not read
 *  them: the rotation itself checks that they are still valid. */
export class RecentTokens {
  readonly #max: number
  /** The oldest first. */
  readonly #tokens = new Map<string, StoredRefresh>()

  constructor(max = 50_000) {
    this.#max = max
  }

  remember(hash: string, token: StoredRefresh): void {
    this.#tokens.set(hash, token)
    if (this.#tokens.size > this.#max) for (const oldest of this.#tokens.keys().take(1)) this.#tokens.delete(oldest)
  }

  /** Returned only once: a second attempt must read the database. */
  take(hash: string): StoredRefresh | undefined {
    const token = this.#tokens.get(hash)
    if (token) this.#tokens.delete(hash)
    return token
  }

  /** After a time travel: the times of tokens may have moved with it. */
  clear(): void {
    this.#tokens.clear()
  }
}
