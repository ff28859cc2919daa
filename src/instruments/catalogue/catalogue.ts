import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../core/files/sibling-module.ts'
import { singleFlight } from '../../core/single-flight.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Connection, Db } from '../../database/open.ts'
import { type Built, build, type Current, isSmall } from './build/build.ts'
import type { Segment } from './segment.ts'
import { Snapshot } from './snapshot.ts'

type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }
type Dependencies = Readonly<{ db: Db; connection: Connection; log: Log }>
type ThreadMessage = { built?: Built; error?: string }

const firstRetryMs = 1_000
const maxRetryMs = 30_000
const warmUpMs = 10_000

/** The reference data that this node serves: an immutable snapshot. When the data changes, a thread builds the next
 *  snapshot, which then replaces the current one in a single assignment. */
export class Catalogue {
  readonly #deps: Dependencies
  #thread: Worker | undefined
  #base: Segment | undefined
  #snapshot: Snapshot | undefined
  #stopped = false
  #warmUp: NodeJS.Timeout | undefined
  #waiting: { revision: number; resolve: () => void }[] = []
  readonly #refresh = singleFlight(() => this.#refreshOnce())
  readonly #refreshWithRetry = singleFlight(() => this.#retryRefresh())

  private constructor(deps: Dependencies) {
    this.#deps = deps
  }

  /** Resolves when the catalogue is ready to serve; from then on it follows the change feed. */
  static async start(db: Db, connection: Connection, feed: ChangeFeed, log: Log): Promise<Catalogue> {
    const catalogue = new Catalogue({ db, connection, log })
    // Not awaited, because the feed must not wait for a build.
    feed.on('reference-data', () => void catalogue.#refreshWithRetry())
    feed.onGap(() => void catalogue.#refreshWithRetry())
    try {
      await catalogue.#refresh()
    } catch (error) {
      await catalogue.stop()
      throw error
    }
    return catalogue
  }

  current(): Snapshot {
    if (!this.#snapshot) throw new Error('The catalogue has not been built.')
    return this.#snapshot
  }

  /** Resolves when the served revision is at least this one. */
  reached(revision: number): Promise<void> {
    if ((this.#snapshot?.revision ?? -1) >= revision) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ revision, resolve }))
  }

  /** Aborts a running build. When it resolves, no work and no thread is left. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#warmUp)
    await this.#thread?.terminate()
    await this.#refresh().catch(() => {})
  }

  async #retryRefresh(): Promise<void> {
    let logged: string | undefined
    let retryMs = firstRetryMs
    while (!this.#stopped) {
      try {
        return await this.#refresh()
      } catch (error) {
        const reason = (error as Error).message
        // Each reason is logged once, because an outage can last.
        if (reason !== logged && !this.#stopped) this.#deps.log.warn({ reason }, 'catalogue not built; retrying')
        logged = reason
        await sleep(retryMs, undefined, { ref: false })
        retryMs = Math.min(retryMs * 2, maxRetryMs)
      }
    }
  }

  async #refreshOnce(): Promise<void> {
    // This call may have waited for another one; a thread started after stop() would never be ended.
    if (this.#stopped) return
    const built = await this.#build()
    if (!built || this.#stopped) return
    const base = built.since ? this.#base : built.segment
    if (!base || (built.since && built.since.baseRevision !== base.revision))
      throw new Error('The changes belong to another base segment.')
    const changed = built.since && { segment: built.segment, removed: built.since.removed }
    const { revision, identity, exchanges, calendars } = built
    this.#snapshot = new Snapshot(revision, base, exchanges, changed, identity, calendars)
    this.#base = base
    const { docIds, options } = built.segment
    const size = { docs: docIds.length, contracts: options.uics.length }
    this.#deps.log.info({ revision: built.revision, whole: !built.since, ...size }, 'catalogue refreshed')
    this.#notifyWaiting(built.revision)
    // Ending the thread frees the memory of a full build.
    if (!built.since && this.#thread) await this.#endThread()
  }

  /** Builds without a thread if nothing is served yet and there is little data. */
  async #build(): Promise<Built | undefined> {
    const { db } = this.#deps
    if (!this.#snapshot || !this.#base)
      return (await isSmall(db)) ? build(db, undefined) : this.#buildInThread(undefined)
    const { revision, identity } = this.#snapshot
    return this.#buildInThread({ revision, identity, baseRevision: this.#base.revision })
  }

  #notifyWaiting(revision: number): void {
    for (const waiting of this.#waiting) if (waiting.revision <= revision) waiting.resolve()
    this.#waiting = this.#waiting.filter((waiting) => waiting.revision > revision)
  }

  #buildInThread(current: Current): Promise<Built | undefined> {
    const thread = this.#thread ?? this.#startThread()
    return new Promise((resolve, reject) => {
      const settle = (work: () => void) => {
        thread.removeAllListeners('message')
        thread.off('exit', onExit)
        work()
      }
      const onExit = () => settle(() => reject(new Error('The thread that builds the catalogue has ended.')))
      thread.once('exit', onExit)
      thread.on('message', ({ built, error }: ThreadMessage) =>
        settle(() => (error === undefined ? resolve(built) : reject(new Error(error)))),
      )
      thread.postMessage(current)
    })
  }

  #startThread(): Worker {
    const thread = new Worker(siblingModule(import.meta, 'build/build-thread'), {
      workerData: { connection: this.#deps.connection },
    })
    thread.unref()
    thread.on('error', (error) => this.#deps.log.warn({ reason: String(error) }, 'catalogue thread failed'))
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    this.#thread = thread
    return thread
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
    if (this.#stopped) return
    // The next change is probably small and should not wait for a thread to start.
    clearTimeout(this.#warmUp)
    this.#warmUp = setTimeout(() => {
      if (!this.#stopped && !this.#thread) this.#startThread()
    }, warmUpMs).unref()
  }
}
