import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import { singleFlight } from '../../core/async/single-flight.ts'
import type { PublishedCredentials } from '../../core/crypto/published.ts'
import { siblingModule } from '../../core/files/sibling-module.ts'
import type { Connection, Db } from '../../database/open.ts'
import { UploadSlots } from '../../http/limits/upload-slots.ts'
import { beatRun, failRun, type Run, type UploadProgress } from '../store/uploads.ts'
import type { Message, Order } from './import-thread.ts'
import { uploadKey } from './upload-key.ts'

type Dependencies = Readonly<{
  db: Db
  connection: Connection
  masterKey: Buffer
  secrets: Config['secrets']
  /** Credentials that live rejects. */
  published(): Promise<PublishedCredentials>
  log: { warn(detail: object, message: string): void }
}>

type Task = Pick<Order, 'run' | 'files' | 'undoes' | 'isApplied' | 'now' | 'actor'>

const beatMs = 2_000
const maxWaitMs = 5_000
const maxHeapMb = 1_024

/** Runs the imports that operators send, each in a thread of its own: checking records would make requests wait. */
export class ImportRuns {
  readonly key: Buffer
  readonly uploads = new UploadSlots()
  readonly #deps: Dependencies
  #current: Promise<void> | undefined
  /** The run that begins or ends, if one does. */
  #changing: Promise<void> | undefined
  #stop: (() => Promise<void>) | undefined
  #isBusy = false
  #isStopped = false

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.key = uploadKey(deps.masterKey)
  }

  /** Starts the task that `begin` returns, if any. Returns false if this node works on an import already: there is only one at
   *  a time on all nodes, so a second would fail. Waits for one that begins or ends. */
  async start(begin: () => Promise<Task | undefined>): Promise<boolean> {
    while (this.#changing) {
      const isLate = sleep(maxWaitMs, true, { ref: false })
      if (await Promise.race([this.#changing.then(() => false), isLate])) return false
    }
    if (this.#isBusy) return false
    this.#isBusy = true
    const beginning = begin()
    const changing = beginning.then(
      () => {},
      () => {},
    )
    this.#changing = changing
    let task: Task | undefined
    try {
      task = await beginning
    } finally {
      this.#isBusy = task !== undefined || this.#isStopped
      if (this.#changing === changing) this.#changing = undefined
    }
    if (task) this.#current = this.#run(task).finally(() => this.#end())
    return true
  }

  #end(): void {
    this.#isBusy = this.#isStopped
    this.#current = undefined
    this.#changing = undefined
    this.#stop = undefined
  }

  /** Ends the run in progress, which then has changed nothing. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#isBusy = true
    await this.#stop?.()
    await this.#current
  }

  async #run(task: Task): Promise<void> {
    try {
      await this.#runThread(task)
    } catch (error) {
      this.#deps.log.warn({ reason: String(error) }, 'import failed')
    }
  }

  async #runThread(task: Task): Promise<void> {
    const { db, connection, masterKey, secrets, published, log } = this.#deps
    const order: Order = { ...task, connection, masterKey, secrets, published: await published() }
    const worker = new Worker(siblingModule(import.meta, 'import-thread'), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    this.#stop = async () => void (await worker.terminate())
    if (this.#isStopped) await this.#stop()
    let hasEnded = false
    const beat = beating(db, task.run, () => void worker.terminate())
    worker.on('message', (message: Message) => {
      if ('progress' in message) beat.note(message.progress)
      if ('ending' in message) this.#changing = this.#current
      if ('ended' in message) hasEnded = true
      if ('unexpected' in message) log.warn({ reason: message.unexpected }, 'import failed')
    })
    worker.on('error', (error) => log.warn({ reason: String(error) }, 'import thread failed'))
    await new Promise((resolve) => worker.once('exit', resolve))
    await beat.stop()
    if (!hasEnded) await failRun(db, task.run, 'The import was stopped. Nothing was changed. Start it again.')
  }
}

/** Says every two seconds that this node works on a run, and how far it is. */
function beating(db: Db, run: Run, onGone: () => void) {
  let progress: UploadProgress | undefined
  const beat = singleFlight(async () => {
    // An outage also ends the run; until then it goes on.
    const isNewest = await beatRun(db, run, progress).catch(() => true)
    if (!isNewest) onGone()
  })
  const timer = setInterval(() => void beat(), beatMs)
  return {
    note: (made: UploadProgress) => {
      progress = made
    },
    stop: () => {
      clearInterval(timer)
      return beat()
    },
  }
}
