import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { singleFlight } from '../../core/async/single-flight.ts'
import { unavailable } from '../../core/problem.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Connection, Db } from '../../database/open.ts'
import { buildChanges, buildWhole, isMergeDue, isSmall } from './build/build.ts'
import type { Order } from './build/build-process.ts'
import { buildFileInProcess } from './build/run-process.ts'
import { BuildThread, type Threads } from './build/run-thread.ts'
import type { Changed } from './deleted-docs.ts'
import { readKeptSegment } from './kept/segment-file.ts'
import { PastStates } from './past/past-states.ts'
import type { Segment } from './segment.ts'
import type { CatalogueSource, CatalogueState, PastData } from './source.ts'

type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }
type Dependencies = Readonly<{
  db: Db
  connection: Connection
  feed: ChangeFeed
  log: Log
  /** Where the base segment is kept for the next start; without it, none is. */
  folder?: string | undefined
  threads?: Threads | undefined
}>

const firstRetryMs = 1_000
const maxRetryMs = 30_000
const warmUpMs = 10_000

/** Builds the first state of the catalogue, and the next one in a thread whenever the data changes. A large change is
 *  served beside the base first, and then merged with it. */
export class CatalogueBuilder implements CatalogueSource {
  readonly #deps: Dependencies
  readonly #thread: BuildThread
  readonly #pasts: PastStates
  #serve: (state: CatalogueState) => void = () => {}
  #state: CatalogueState | undefined
  /** Where the state comes from, for the log. */
  #from: 'database' | 'disk' = 'database'
  readonly #stopping = new AbortController()
  #warmUp: NodeJS.Timeout | undefined
  readonly #refresh = singleFlight(() => this.#refreshOnce())
  readonly #refreshWithRetry = singleFlight(() => this.#retryRefresh())

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.#thread = new BuildThread(deps.connection, deps.log, deps.threads)
    this.#pasts = new PastStates(deps.connection, deps.log, deps.threads)
  }

  /** From the first state on it follows the change feed. */
  async start(serve: (state: CatalogueState) => void): Promise<void> {
    const served = Promise.withResolvers<void>()
    this.#serve = (state) => {
      serve(state)
      served.resolve()
    }
    // Not awaited, because the feed must not wait for a build.
    this.#deps.feed.on('reference-data', () => void this.#refreshWithRetry())
    this.#deps.feed.onGap(() => void this.#refreshWithRetry())
    try {
      await Promise.race([served.promise, this.#refresh()])
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Aborts a running build. When it resolves, no work, no thread and no process is left. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#warmUp)
    await Promise.all([this.#thread.stop(), this.#pasts.stop()])
    await this.#refresh().catch(() => {})
  }

  async past(data: PastData, clientKey: string): Promise<CatalogueState> {
    if (!this.#state || this.#stopped) throw unavailable()
    return this.#pasts.get(this.#state.base, data, clientKey)
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
    const state = await (this.#state ? this.#next(this.#state) : this.#first())
    if (!state || this.#stopped) return
    this.#adopt(state)
    const { base, changed } = state
    if (!changed || !isMergeDue(changed)) return
    try {
      const merged = (await this.#mergeInProcess(base, changed)) ?? (await this.#mergeInThread(base, changed))
      if (merged && !this.#stopped) this.#adopt({ ...state, base: merged, changed: undefined })
    } catch (error) {
      if (!this.#stopped) this.#deps.log.warn({ reason: (error as Error).message }, 'catalogue not merged')
    }
  }

  #adopt(state: CatalogueState): void {
    this.#serve(state)
    const isWhole = state.base !== this.#state?.base
    if (isWhole) this.#pasts.clear()
    this.#state = state
    const { docIds, options } = (isWhole ? state.base : state.changed?.segment) ?? state.base
    const size = { docs: docIds.length, contracts: options.uics.length }
    const { revision } = state
    this.#deps.log.info({ revision, whole: isWhole, from: this.#from, ...size }, 'catalogue refreshed')
  }

  /** Little data is built at once; else the kept segment is brought up to date, or made. */
  async #first(): Promise<CatalogueState | undefined> {
    const { db } = this.#deps
    if (await isSmall(db)) return buildWhole(db)
    const kept = await this.#readKept()
    const state = kept && (await this.#since(kept))
    if (!state) return this.#whole()
    this.#from = 'disk'
    return state
  }

  async #next(current: CatalogueState): Promise<CatalogueState | undefined> {
    const { revision, identity, base } = current
    const built = await this.#thread.ask({ kind: 'changes', current: { revision, identity, base } })
    if (built === 'same') return undefined
    if (built === 'other') return this.#whole()
    this.#from = 'database'
    return { base, ...built }
  }

  /** The state after a kept base; undefined if it cannot be used. */
  async #since(base: Segment): Promise<CatalogueState | undefined> {
    const { db } = this.#deps
    const current = { revision: -1, identity: '', base }
    // While requests are served, even a small build would delay them.
    const isQuick = !this.#state && (await isSmall(db, base.revision))
    const built = await (isQuick ? buildChanges(db, current) : this.#thread.ask({ kind: 'changes', current }))
    return typeof built === 'string' ? undefined : { base, ...built }
  }

  /** Reads all data, if possible in another process, which keeps the result in a file. */
  async #whole(): Promise<CatalogueState | undefined> {
    const { db, connection, folder, log } = this.#deps
    this.#from = 'database'
    if (folder !== undefined && !(await isSmall(db))) {
      const order = { kind: 'whole', connection, folder, isUrgent: !this.#state } as const
      const isWritten = await this.#runProcess(order).then(
        () => true,
        (error: Error) => log.warn({ reason: error.message, folder }, 'catalogue not kept on disk'),
      )
      const base = isWritten && (await this.#readKept())
      const state = base && (await this.#since(base))
      if (state) return state
    }
    if (this.#stopped) return undefined
    const state = await this.#thread.ask({ kind: 'whole' })
    await this.#endThread()
    return state
  }

  async #runProcess(order: Order): Promise<void> {
    const { signal } = this.#stopping
    signal.throwIfAborted()
    await (this.#state ? this.#thread.runProcess(order) : buildFileInProcess(order, signal))
  }

  async #readKept(contracts?: Segment['options']): Promise<Segment | undefined> {
    const { folder, log } = this.#deps
    if (folder === undefined) return undefined
    try {
      return await readKeptSegment(folder, contracts)
    } catch (error) {
      log.warn({ reason: (error as Error).message, folder }, 'kept catalogue not used')
      return undefined
    }
  }

  /** Merges in another process, which keeps the result. Returns undefined if that is not possible. */
  async #mergeInProcess(base: Segment, { segment, removed }: Changed): Promise<Segment | undefined> {
    const { folder, log } = this.#deps
    const { revision, identity, options } = base
    if (folder === undefined) return undefined
    try {
      const file = await this.#thread.ask({ kind: 'write', folder, segment })
      try {
        await this.#runProcess({ kind: 'merge', folder, base: { revision, identity }, file, removed })
      } finally {
        await rm(file, { force: true })
      }
      await this.#endThread()
    } catch (error) {
      if (!this.#stopped) log.warn({ reason: (error as Error).message, folder }, 'catalogue not kept on disk')
      return undefined
    }
    const hasContracts = segment.options.rootIds.length > 0 || removed.optionRoots.length > 0
    const kept = await this.#readKept(hasContracts ? undefined : options)
    return kept?.revision === segment.revision && kept.identity === segment.identity ? kept : undefined
  }

  async #mergeInThread(base: Segment, changed: Changed): Promise<Segment | undefined> {
    if (this.#stopped) return undefined
    const merged = await this.#thread.ask({ kind: 'merge', base, changed })
    await this.#endThread()
    return merged
  }

  /** Frees the memory of a large build. */
  async #endThread(): Promise<void> {
    await this.#thread.end()
    if (this.#stopped) return
    // The next change is probably small and should not wait for a thread to start.
    clearTimeout(this.#warmUp)
    this.#warmUp = setTimeout(() => {
      if (!this.#stopped) this.#thread.start()
    }, warmUpMs).unref()
  }
}
