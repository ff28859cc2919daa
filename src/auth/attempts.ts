import { LRUCache } from 'lru-cache'
import type { Clock } from '../core/clock.ts'
import { deriveKey, keyedHash } from '../core/crypto/keys.ts'
import { rateLimitAddress } from '../core/network/address.ts'
import type { Db } from '../database/open.ts'
import { type AttemptKind, exceededLimit } from './rules/attempts.ts'
import { type Attempt, countAttempts, recordAttempt } from './store/attempts.ts'

const maxBlocked = 10_000

/** Limits guessing over all nodes (§4.10). Names are stored hashed: users sometimes type their password there. */
export class AttemptGuard {
  readonly #db: Db
  readonly #clock: Clock
  readonly #nameKey: Buffer
  /** What this node rejects without asking the database. A block by another node is noticed with the first wrong attempt
   *  here; for secrets that allows one more guess per node, of 2^128. */
  readonly #blockedUntil = new LRUCache<string, Temporal.Instant>({ max: maxBlocked })

  constructor(db: Db, clock: Clock, masterKey: Buffer) {
    this.#db = db
    this.#clock = clock
    this.#nameKey = deriveKey(masterKey, 'attempt names')
  }

  /** For how many more seconds this attempt is known to be blocked. Wrong secrets for other apps never block a right one. */
  knownBlockSeconds(kind: AttemptKind, name: string, address: string): number | undefined {
    if (this.#blockedUntil.size === 0) return undefined
    const attempt = this.#attempt(kind, name, address)
    const ofName = this.#knownSeconds(attempt, 'name')
    return ofName === undefined && kind === 'password' ? this.#knownSeconds(attempt, 'address') : ofName
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
    const seconds = this.#knownSeconds(attempt, 'address') ?? (await this.#blockedSeconds(attempt))
    if (seconds === undefined) await recordAttempt(this.#db, attempt)
    return seconds
  }

  #knownSeconds(attempt: Attempt, scope: Scope): number | undefined {
    const key = blockKey(attempt, scope)
    const until = this.#blockedUntil.get(key)
    if (!until) return undefined
    const seconds = Math.ceil((until.epochMilliseconds - attempt.at.epochMilliseconds) / 1_000)
    if (seconds > 0) return seconds
    this.#blockedUntil.delete(key)
    return undefined
  }

  async #blockedSeconds(attempt: Attempt): Promise<number | undefined> {
    const wrong = await countAttempts(this.#db, attempt)
    const scope = exceededLimit(attempt.kind, wrong)
    if (!scope) return undefined
    const until = wrong.freeAt[scope]
    this.#blockedUntil.set(blockKey(attempt, scope), until)
    return Math.max(1, Math.ceil((until.epochMilliseconds - attempt.at.epochMilliseconds) / 1_000))
  }

  #attempt(kind: AttemptKind, name: string, address: string): Attempt {
    return {
      kind,
      nameHash: keyedHash(this.#nameKey, name.toLowerCase()),
      address: rateLimitAddress(address),
      at: this.#clock.now(),
    }
  }
}

type Scope = 'name' | 'address'

const blockKey = ({ kind, nameHash, address }: Attempt, scope: Scope): string =>
  `${kind} ${scope === 'name' ? nameHash.toString('base64') : '*'} ${address}`
