import type { Clock } from '../core/clock.ts'
import { deriveKey, keyedHash } from '../core/crypto/keys.ts'
import { rateLimitAddress } from '../core/network/address.ts'
import type { Db } from '../database/open.ts'
import { areTooMany } from './rules/attempts.ts'
import { type Attempt, countAttempts, noteAttempt } from './store/attempts.ts'

const maxBlocked = 10_000

/** Bounds the guessing of passwords and secrets over all nodes. Names are kept hashed: people type passwords there. */
export class AttemptGuard {
  readonly #db: Db
  readonly #clock: Clock
  readonly #nameKey: Buffer
  /** What this node refuses without asking the database. Another node's refusal reaches it with the first wrong one
   *  here; for secrets, which the database is not asked about before, that is one guess more a node, of 2^128. */
  readonly #blockedUntil = new Map<string, Temporal.Instant>()

  constructor(db: Db, clock: Clock, masterKey: Buffer) {
    this.#db = db
    this.#clock = clock
    this.#nameKey = deriveKey(masterKey, 'attempt names')
  }

  /** Whether this name is known to be refused unseen from this address; for how many seconds. */
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

  /** Asked before a password is looked at: the seconds to wait when there were too many wrong ones. */
  async passwordBlockedSeconds(userName: string, address: string): Promise<number | undefined> {
    return this.#blockedSeconds(this.#attempt('password', userName, address))
  }

  async noteWrongPassword(userName: string, address: string): Promise<void> {
    await noteAttempt(this.#db, this.#attempt('password', userName, address))
  }

  /** After a wrong secret: the seconds to wait when it was one too many. */
  async noteWrongSecret(appKey: string, address: string): Promise<number | undefined> {
    const attempt = this.#attempt('secret', appKey, address)
    const seconds = await this.#blockedSeconds(attempt)
    if (seconds === undefined) await noteAttempt(this.#db, attempt)
    return seconds
  }

  async #blockedSeconds(attempt: Attempt): Promise<number | undefined> {
    const wrong = await countAttempts(this.#db, attempt)
    if (!areTooMany(attempt.kind, wrong)) return undefined
    if (this.#blockedUntil.size >= maxBlocked) this.#blockedUntil.clear()
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
