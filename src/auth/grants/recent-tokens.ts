import type { StoredRefresh } from '../store/refresh-tokens.ts'

const maxTokens = 50_000

/** The refresh tokens that this node issued of late, as they were then: unspent. Most come back to the node that issued
 *  them, and are then not asked for before they are rotated: the rotation itself checks what they rest on. */
export class RecentTokens {
  readonly #tokens = new Map<string, StoredRefresh>()

  remember(hash: Buffer, token: StoredRefresh): void {
    for (const oldest of this.#tokens.keys()) {
      if (this.#tokens.size < maxTokens) break
      this.#tokens.delete(oldest)
    }
    this.#tokens.set(hash.toString('latin1'), token)
  }

  /** Handed out once: whoever has to look again looks into the database. */
  take(hash: Buffer): StoredRefresh | undefined {
    const key = hash.toString('latin1')
    const token = this.#tokens.get(key)
    this.#tokens.delete(key)
    return token
  }
}
