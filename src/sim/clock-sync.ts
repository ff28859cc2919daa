import type { TravelClock } from '../core/clock.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { readShift } from './store/clock.ts'

/** Keeps this node's clock in step with the database. */
export class ClockSync {
  readonly #db: Db
  readonly #clock: TravelClock

  constructor(db: Db, clock: TravelClock, feed: ChangeFeed) {
    this.#db = db
    this.#clock = clock
    feed.on('clock', () => this.load())
    feed.onGap(() => this.load())
  }

  async load(): Promise<void> {
    const shift = await readShift(this.#db)
    if (shift) this.#clock.travel(shift)
  }
}
