import type { Clock } from '../core/clock.ts'
import { deriveKey, keyedHash } from '../core/keys.ts'
import type { Db } from '../database/open.ts'
import { type Attempt, countAttempts, forgetAttempt, noteAttempt, type RecentAttempts } from './attempt-store.ts'
import { areTooMany, attemptAddress } from './rules/attempts.ts'

const mostBlocked = 10_000

export type Judged = { allowed: true; attemptId: number } | { allowed: false; retryAfterSeconds: number }

/** Bounds the guessing of passwords and secrets over all nodes. Names are kept hashed: people type passwords there. */
export class AttemptGuard {
  readonly #db: Db
  readonly #clock: Clock
  readonly #nameKey: Buffer
  /** Addresses this node refuses without asking the database. Another node's refusal reaches it with the first
   *  wrong secret here: one guess more a node, of 2^128. */
  readonly #blockedUntil = new Map<string, Temporal.Instant>()

  constructor(db: Db, clock: Clock, masterKey: Buffer) {
    this.#db = db
    this.#clock = clock
    this.#nameKey = deriveKey(masterKey, 'attempt names')
  }

  /** Before a password is looked at. An allowed try counts as wrong until `right` takes it back. */
  async judgePassword(userName: string, address: string): Promise<Judged> {
    const attempt = this.#attempt('password', userName.toLowerCase(), address)
    const attemptId = await noteAttempt(this.#db, attempt)
    const counts = await countAttempts(this.#db, attempt)
    if (!areTooMany('password', counts)) return { allowed: true, attemptId }
    await forgetAttempt(this.#db, attemptId)
    return { allowed: false, retryAfterSeconds: this.#wait(counts) }
  }

  async right(attemptId: number): Promise<void> {
    await forgetAttempt(this.#db, attemptId)
  }

  /** Whether secrets of this app from this address are refused unseen; for how many seconds. */
  secretBlockedSeconds(appKey: string, address: string): number | undefined {
    const key = blockKey(appKey, address)
    const until = this.#blockedUntil.get(key)
    if (!until) return undefined
    const seconds = Math.ceil((until.epochMilliseconds - this.#clock.now().epochMilliseconds) / 1_000)
    if (seconds > 0) return seconds
    this.#blockedUntil.delete(key)
    return undefined
  }

  /** After a wrong secret: the seconds to wait when it was one too many. */
  async noteWrongSecret(appKey: string, address: string): Promise<number | undefined> {
    const attempt = this.#attempt('secret', appKey, address)
    const attemptId = await noteAttempt(this.#db, attempt)
    const counts = await countAttempts(this.#db, attempt)
    if (!areTooMany('secret', counts)) return undefined
    await forgetAttempt(this.#db, attemptId)
    if (this.#blockedUntil.size >= mostBlocked) this.#blockedUntil.clear()
    this.#blockedUntil.set(blockKey(appKey, address), counts.freeAt)
    return this.#wait(counts)
  }

  #attempt(kind: Attempt['kind'], name: string, address: string): Attempt {
    return {
      kind,
      nameHash: keyedHash(this.#nameKey, name),
      address: attemptAddress(address),
      at: this.#clock.now(),
    }
  }

  #wait(counts: RecentAttempts): number {
    return Math.max(1, Math.ceil((counts.freeAt.epochMilliseconds - this.#clock.now().epochMilliseconds) / 1_000))
  }
}

const blockKey = (appKey: string, address: string): string => `${attemptAddress(address)} ${appKey.slice(0, 100)}`
