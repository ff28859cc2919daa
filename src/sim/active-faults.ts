import type { Clock } from '../core/clock.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { type Fault, hasEnded } from './rules/fault.ts'
import { readFaults } from './store/faults.ts'

/** The injected faults of all apps, in memory, so requests need no query. */
export class ActiveFaults {
  readonly #db: Db
  readonly #real: Clock
  #faults = new Map<string, Fault & { clientKey: string | null }>()

  constructor(db: Db, feed: ChangeFeed, real: Clock) {
    this.#db = db
    this.#real = real
    feed.on('fault', () => this.load())
    feed.onGap(() => this.load())
  }

  async load(): Promise<void> {
    const faults = await readFaults(this.#db)
    this.#faults = new Map(faults.map((fault) => [fault.appKey, fault]))
  }

  of(appKey: string): Fault | undefined {
    const fault = this.#faults.get(appKey)
    if (!fault || !hasEnded(fault, this.#real.now())) return fault
    this.#faults.delete(appKey)
    return undefined
  }

  /** How many apps of the client have a fault. */
  countOf(clientKey: string): number {
    if (this.#faults.size === 0) return 0
    const real = this.#real.now()
    let count = 0
    for (const fault of this.#faults.values()) if (fault.clientKey === clientKey && !hasEnded(fault, real)) count++
    return count
  }
}
