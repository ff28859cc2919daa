import type { Clock } from '../core/clock.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { listRecentlyEnded } from './store/sessions.ts'

/** An access token is valid for at most a day, so an ended session can be forgotten a little later. */
const rememberedHours = 25

/** Sessions that ended before their access tokens expired. Every bearer check looks here. */
export class EndedSessions {
  readonly #db: Db
  readonly #clock: Clock
  /** Not a size-limited cache: dropping an entry would revive its tokens. */
  readonly #until = new Map<string, number>()
  /** What was added while all were being read. */
  #addedMeanwhile: string[] | undefined

  constructor(db: Db, clock: Clock, feed: ChangeFeed) {
    this.#db = db
    this.#clock = clock
    feed.on('session', (sessionId) => this.add(sessionId))
    feed.onGap(() => this.load())
    // After a time travel every session is read from the database (travel.ts); this only keeps the order.
    feed.on('clock', () => {
      for (const sessionId of this.#until.keys()) this.add(sessionId)
    })
  }

  /** Replaces what is known: after a failover the database may have lost the end of a session. */
  async load(): Promise<void> {
    const added: string[] = []
    this.#addedMeanwhile = added
    const ended = await listRecentlyEnded(this.#db, this.#clock.now()).finally(() => {
      this.#addedMeanwhile = undefined
    })
    this.#until.clear()
    for (const sessionId of [...ended, ...added]) this.add(sessionId)
  }

  has(sessionId: string): boolean {
    return this.#until.has(sessionId)
  }

  add(sessionId: string): void {
    this.#addedMeanwhile?.push(sessionId)
    this.#until.set(sessionId, this.#clock.now().epochMilliseconds + rememberedHours * 3_600_000)
  }

  /** Insertion order is order of time, so this stops at the first entry that is still needed. */
  forgetOld(): void {
    const now = this.#clock.now().epochMilliseconds
    for (const [sessionId, until] of this.#until) {
      if (until > now) return
      this.#until.delete(sessionId)
    }
  }
}
