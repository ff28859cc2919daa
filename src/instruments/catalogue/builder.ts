import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { singleFlight } from '../../core/async/single-flight.ts'
import { siblingModule } from '../../core/files/sibling-module.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Connection, Db } from '../../database/open.ts'
import { type Built, build, type Current, isSmall } from './build/build.ts'
import type { CatalogueSource, CatalogueState } from './source.ts'

type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }
type Dependencies = Readonly<{ db: Db; connection: Connection; feed: ChangeFeed; log: Log }>
type ThreadMessage = { built?: Built; error?: string }

const firstRetryMs = 1_000
const maxRetryMs = 30_000
const warmUpMs = 10_000

/** Builds the first state of the catalogue, and the next one in a thread whenever the data changes. */
export class CatalogueBuilder implements CatalogueSource {
  readonly #deps: Dependencies
  #serve: (state: CatalogueState) => void = () => {}
  #thread: Worker | undefined
  #state: CatalogueState | undefined
  #stopped = false
  #warmUp: NodeJS.Timeout | undefined
  readonly #refresh = singleFlight(() => this.#refreshOnce())
  readonly #refreshWithRetry = singleFlight(() => this.#retryRefresh())

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  /** From the first state on it follows the change feed. */
  async start(serve: (state: CatalogueState) => void): Promise<void> {
    this.#serve = serve
    // Not awaited, because the feed must not wait for a build.
    this.#deps.feed.on('reference-data', () => void this.#refreshWithRetry())
    this.#deps.feed.onGap(() => void this.#refreshWithRetry())
    try {
      await this.#refresh()
    } catch (error) {
      await this.stop()
      throw error
    }
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
    const state = stateAfter(this.#state, built)
    this.#serve(state)
    this.#state = state
    const { docIds, options } = built.segment
    const size = { docs: docIds.length, contracts: options.uics.length }
    this.#deps.log.info({ revision: built.revision, whole: !built.since, ...size }, 'catalogue refreshed')
    // Ending the thread frees the memory of a full build.
    if (!built.since && this.#thread) await this.#endThread()
  }

  /** Builds without a thread if nothing is served yet and there is little data. */
  async #build(): Promise<Built | undefined> {
    const { db } = this.#deps
    if (!this.#state) return (await isSmall(db)) ? build(db, undefined) : this.#buildInThread(undefined)
    const { revision, identity, base } = this.#state
    return this.#buildInThread({ revision, identity, baseRevision: base.revision })
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

function stateAfter(current: CatalogueState | undefined, built: Built): CatalogueState {
  const { revision, identity, exchanges, calendars, segment, since } = built
  if (!since) return { revision, identity, exchanges, calendars, base: segment }
  if (since.baseRevision !== current?.base.revision) throw new Error('The changes belong to another base segment.')
  const changed = { segment, removed: since.removed }
  return { revision, identity, exchanges, calendars, base: current.base, changed }
}
