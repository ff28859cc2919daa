import { OnDemand } from '../../../core/async/on-demand.ts'
import { unavailable } from '../../../core/problem.ts'
import type { Connection } from '../../../database/open.ts'
import type { Built } from '../build/build.ts'
import { BuildThread, type Threads } from '../build/run-thread.ts'
import type { Segment } from '../segment.ts'
import type { CatalogueState, PastData } from '../source.ts'

/** How much of the past is kept: moments, and the records in which they differ from the base, of which contracts are a tenth
 *  each. One moment that is too large is kept besides them. And how many moments, and how long, may wait to be made. */
export const keptPast = { maxKept: 8, maxSize: 300_000, maxWaiting: 16, maxWaitMs: 30_000 } as const

export const sizeOfPast = ({ changed }: Pick<CatalogueState, 'changed'>): number =>
  changed ? changed.segment.docIds.length + changed.segment.options.uics.length / 10 : 0

/** Of what a state was made. */
export const editionOf = ({ revision, identity }: Segment, history = ''): string => `${history} ${revision} ${identity}`

/** When the thread has had nothing to do for so long, its memory is freed. */
const idleMs = 10_000

type Log = { warn(detail: object, message: string): void }

/** States of the past, made in a thread of their own: neither requests nor the next present state wait for them. */
export class PastStates {
  readonly #thread: BuildThread
  readonly #log: Log
  readonly #states = new OnDemand<CatalogueState>({ ...keptPast, sizeOf: sizeOfPast })
  #idle: NodeJS.Timeout | undefined

  constructor(connection: Connection, log: Log, threads?: Threads) {
    this.#thread = new BuildThread(connection, log, threads)
    this.#log = log
  }

  async get(base: Segment, data: PastData, clientKey: string): Promise<CatalogueState> {
    const edition = editionOf(base, data.history)
    return this.#states.get(edition, String(data.revision), clientKey, () => this.#make(base, data))
  }

  /** Forgets all states, so that the memory of their base is free. */
  clear(): void {
    this.#states.clear()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#thread.stop()
  }

  async #make(base: Segment, data: PastData): Promise<CatalogueState> {
    clearTimeout(this.#idle)
    const built = await this.#build(base, data)
    this.#idle = setTimeout(() => void this.#thread.end(), idleMs).unref()
    // The base is about to be replaced, the moment was pruned, or the database is away.
    if (built === 'other') throw unavailable()
    return { base, ...built }
  }

  async #build(base: Segment, data: PastData): Promise<Built | 'other'> {
    try {
      return await this.#thread.ask({ kind: 'past', base, data })
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'catalogue of the past not built')
      return 'other'
    }
  }
}
