import type { Clock } from '../core/clock.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { listRecentlyEnded } from './store/sessions.ts'

/** No access token lives longer than a day, so after a little more an ended session can be forgotten. */
const rememberedHours = 25

/** The sessions that have ended though their access tokens have not: what every bearer check looks into. */
export class EndedSessions {
  readonly #db: Db
  readonly #clock: Clock
  readonly #until = new Map<string, number>()

  constructor(db: Db, clock: Clock, feed: ChangeFeed) {
    this.#db = db
    this.#clock = clock
    feed.on('session', (sessionId) => this.add(sessionId))
    feed.onGap(() => this.load())
    // After a travel every token is asked about anew, so that this only keeps them in their order.
    feed.on('clock', () => this.#postpone())
  }

  async load(): Promise<void> {
    for (const sessionId of await listRecentlyEnded(this.#db, this.#clock.now())) this.add(sessionId)
  }

  has(sessionId: string): boolean {
    return this.#until.has(sessionId)
  }

  add(sessionId: string): void {
    this.#until.set(sessionId, this.#clock.now().epochMilliseconds + rememberedHours * 3_600_000)
  }

  #postpone(): void {
    for (const sessionId of this.#until.keys()) this.add(sessionId)
  }

  /** Insertion order is order of time, so forgetting stops at the first that is still needed. */
  forgetOld(): void {
    const now = this.#clock.now().epochMilliseconds
    for (const [sessionId, until] of this.#until) {
      if (until > now) return
      this.#until.delete(sessionId)
    }
  }
}
