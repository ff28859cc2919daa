import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../core/files/sibling-module.ts'
import { singleFlight } from '../../core/single-flight.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Connection, Db } from '../../database/open.ts'
import { type Built, build, isFew } from './build/build.ts'
import type { Segment } from './segment.ts'
import { Snapshot } from './snapshot.ts'

type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }
type Answer = { built?: Built; fault?: string }

const firstRetryMs = 1_000
const longestRetryMs = 30_000
const warmUpMs = 10_000

/**
 * The reference data of this node. What is served is a snapshot; when the data changes, a thread builds the next one
 * beside it, and it is put in place of the old one in one assignment.
 */
export class Catalogue {
  readonly #db: Db
  readonly #connection: Connection
  readonly #log: Log
  #thread: Worker | undefined
  #base: Segment | undefined
  #snapshot: Snapshot | undefined
  #stopped = false
  #warmUp: NodeJS.Timeout | undefined
  readonly #waiting: { revision: number; resolve: () => void }[] = []
  readonly #moveOn = singleFlight(() => this.#moveOnOnce())
  /** However often it is called while the database is away, one attempt at a time is made. */
  readonly #follow = singleFlight(() => this.#tryUntilMovedOn())

  private constructor(db: Db, connection: Connection, log: Log) {
    this.#db = db
    this.#connection = connection
    this.#log = log
  }

  /** Ready to serve when it resolves; from then on it follows the data by itself. */
  static async start(db: Db, connection: Connection, feed: ChangeFeed, log: Log): Promise<Catalogue> {
    const catalogue = new Catalogue(db, connection, log)
    // Nobody waits for the build, least of all the feed.
    feed.on('reference-data', () => void catalogue.#follow())
    feed.onGap(() => void catalogue.#follow())
    try {
      await catalogue.#moveOn()
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

  /** Resolves when what is served is of this revision or a later one. */
  reached(revision: number): Promise<void> {
    if ((this.#snapshot?.revision ?? -1) >= revision) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ revision, resolve }))
  }

  /** A build under way is given up; when it resolves nothing is under way and no thread is left. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#warmUp)
    await this.#thread?.terminate()
    await this.#moveOn().catch(() => {})
  }

  async #tryUntilMovedOn(): Promise<void> {
    let told: string | undefined
    let retryMs = firstRetryMs
    while (!this.#stopped) {
      try {
        return await this.#moveOn()
      } catch (error) {
        // Each reason once: this goes on for as long as the database is away.
        const reason = (error as Error).message
        if (reason !== told && !this.#stopped) this.#log.warn({ reason }, 'catalogue not built; trying again')
        told = reason
        await sleep(retryMs, undefined, { ref: false })
        retryMs = Math.min(retryMs * 2, longestRetryMs)
      }
    }
  }

  async #moveOnOnce(): Promise<void> {
    // A list may have waited for the one before: a thread that it started now would have nobody to end it.
    if (this.#stopped) return
    // At the start nobody is served yet: what is built in a moment needs no thread.
    const have = this.#snapshot &&
      this.#base && {
        revision: this.#snapshot.revision,
        identity: this.#snapshot.identity,
        baseRevision: this.#base.revision,
      }
    const built = have || !(await isFew(this.#db)) ? await this.#ask(have) : await build(this.#db, undefined)
    if (!built || this.#stopped) return
    const base = built.since ? this.#base : built.segment
    if (!base || (built.since && built.since.baseRevision !== base.revision))
      throw new Error('The base is another one.')
    const changed = built.since && { segment: built.segment, removed: built.since.removed }
    this.#snapshot = new Snapshot(built.revision, base, built.exchanges, changed, built.identity)
    this.#base = base
    const { docIds, options } = built.segment
    const size = { docs: docIds.length, contracts: options.uics.length }
    this.#log.info({ revision: built.revision, whole: !built.since, ...size }, 'catalogue moved on')
    this.#tellWaiting(built.revision)
    // What a whole build leaves behind in the thread is given back with the thread.
    if (!built.since && this.#thread) await this.#endThread()
  }

  #tellWaiting(revision: number): void {
    const reached = this.#waiting.filter((each) => each.revision <= revision)
    for (const each of reached) {
      this.#waiting.splice(this.#waiting.indexOf(each), 1)
      each.resolve()
    }
  }

  #ask(have: object | undefined): Promise<Built | undefined> {
    const thread = this.#thread ?? this.#startThread()
    return new Promise((resolve, reject) => {
      const settle = (work: () => void) => {
        thread.removeAllListeners('message')
        thread.off('exit', ended)
        work()
      }
      const ended = () => settle(() => reject(new Error('The thread that builds the catalogue has ended.')))
      thread.once('exit', ended)
      thread.on('message', ({ built, fault }: Answer) =>
        settle(() => (fault === undefined ? resolve(built) : reject(new Error(fault)))),
      )
      thread.postMessage(have)
    })
  }

  #startThread(): Worker {
    const thread = new Worker(siblingModule(import.meta, 'build/build-thread'), {
      workerData: { connection: this.#connection },
    })
    thread.unref()
    thread.on('error', (error) => this.#log.warn({ reason: String(error) }, 'the catalogue could not be built'))
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
    // The next change is most likely a small one, and should not have to wait for a thread to start.
    clearTimeout(this.#warmUp)
    this.#warmUp = setTimeout(() => {
      if (!this.#stopped && !this.#thread) this.#startThread()
    }, warmUpMs).unref()
  }
}
