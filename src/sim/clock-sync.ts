import type { TravelClock } from '../core/clock.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { readShift } from './store/clock.ts'

/** Keeps this node's clock in step with the database. Returns the function that reads it for the first time. */
export function followClock(db: Db, clock: TravelClock, feed: ChangeFeed): () => Promise<void> {
  const load = async () => {
    const shift = await readShift(db)
    if (shift) clock.travel(shift)
  }
  feed.on('clock', load)
  feed.onGap(load)
  return load
}
