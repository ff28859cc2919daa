import type { Clock } from '../core/clock.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { type Fault, isOver } from './rules/fault.ts'
import { listFaults, readFault } from './store/faults.ts'

/** The faults of all apps, in memory: no request asks the database whether it shall go wrong. */
export class FaultBoard {
  readonly #db: Db
  readonly #real: Clock
  #faults = new Map<string, Fault>()

  constructor(db: Db, feed: ChangeFeed, real: Clock) {
    this.#db = db
    this.#real = real
    feed.on('fault', (appKey) => this.#reload(appKey))
    feed.onGap(() => this.load())
  }

  async load(): Promise<void> {
    const faults = await listFaults(this.#db)
    this.#faults = new Map(faults.map((fault) => [fault.appKey, fault]))
  }

  /** The fault of an app whose time is not over. */
  of(appKey: string): Fault | undefined {
    // As good as always there is none.
    if (this.#faults.size === 0) return undefined
    const fault = this.#faults.get(appKey)
    if (!fault || !isOver(fault, this.#real.now())) return fault
    this.#faults.delete(appKey)
    return undefined
  }

  async #reload(appKey: string): Promise<void> {
    const fault = await readFault(this.#db, appKey)
    if (fault) this.#faults.set(appKey, fault)
    else this.#faults.delete(appKey)
  }
}
