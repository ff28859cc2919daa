import type { Clock } from '../core/clock.ts'
import { deriveKey, keyedHash } from '../core/crypto/keys.ts'
import { rateLimitAddress } from '../core/network/address.ts'
import { boundedCache } from '../core/process/bounded-cache.ts'
import type { Db } from '../database/open.ts'
import { exceedsLimit } from './rules/attempts.ts'
import { type Attempt, countAttempts, recordAttempt } from './store/attempts.ts'

const maxBlocked = 10_000

/** Limits the guessing of passwords and secrets over all nodes (§4.10). Names are stored hashed: users sometimes type their
 *  password there. */
export class AttemptGuard {
  readonly #db: Db
  readonly #clock: Clock
  readonly #nameKey: Buffer
  /** What this node rejects without asking the database. A block by another node is noticed with the first wrong attempt
   *  here; for secrets that allows one more guess per node, of 2^128. */
  readonly #blockedUntil = boundedCache<string, Temporal.Instant>(maxBlocked)

  constructor(db: Db, clock: Clock, masterKey: Buffer) {
    this.#db = db
    this.#clock = clock
    this.#nameKey = deriveKey(masterKey, 'attempt names')
  }

  /** For how many more seconds this name is known to be blocked from this address. */
  knownBlockSeconds(kind: Attempt['kind'], name: string, address: string): number | undefined {
    if (this.#blockedUntil.size === 0) return undefined
    const key = blockKey(this.#attempt(kind, name, address))
    const until = this.#blockedUntil.get(key)
    if (!until) return undefined
    const seconds = Math.ceil((until.epochMilliseconds - this.#clock.now().epochMilliseconds) / 1_000)
    if (seconds > 0) return seconds
    this.#blockedUntil.delete(key)
    return undefined
  }

  /** Called before a password is checked: the seconds to wait after too many wrong ones. */
  async passwordBlockedSeconds(userName: string, address: string): Promise<number | undefined> {
    return this.#blockedSeconds(this.#attempt('password', userName, address))
  }

  async recordWrongPassword(userName: string, address: string): Promise<void> {
    await recordAttempt(this.#db, this.#attempt('password', userName, address))
  }

  /** Returns the seconds to wait if this wrong secret was one too many. */
  async recordWrongSecret(appKey: string, address: string): Promise<number | undefined> {
    const attempt = this.#attempt('secret', appKey, address)
    const seconds = await this.#blockedSeconds(attempt)
    if (seconds === undefined) await recordAttempt(this.#db, attempt)
    return seconds
  }

  async #blockedSeconds(attempt: Attempt): Promise<number | undefined> {
    const wrong = await countAttempts(this.#db, attempt)
    if (!exceedsLimit(attempt.kind, wrong)) return undefined
    this.#blockedUntil.set(blockKey(attempt), wrong.freeAt)
    return Math.max(1, Math.ceil((wrong.freeAt.epochMilliseconds - attempt.at.epochMilliseconds) / 1_000))
  }

  #attempt(kind: Attempt['kind'], name: string, address: string): Attempt {
    return {
      kind,
      nameHash: keyedHash(this.#nameKey, name.toLowerCase()),
      address: rateLimitAddress(address),
      at: this.#clock.now(),
    }
  }
}

const blockKey = ({ kind, nameHash, address }: Attempt): string => `${kind} ${nameHash.toString('base64')} ${address}`
