import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../../core/files/sibling-module.ts'
import type { Connection } from '../../../database/open.ts'
import type { Segment } from '../segment.ts'
import type { CatalogueState } from '../source.ts'
import type { Built } from './build.ts'
import type { Order } from './build-process.ts'
import type { Answer, Question, Task } from './build-thread.ts'

const hasEnded = 'The thread that builds the catalogue has ended.'

type Log = { warn(detail: object, message: string): void }
type Results = {
  changes: Built | 'same' | 'other'
  whole: CatalogueState
  past: Built | 'other'
  merge: Segment
  write: string
  process: undefined
  abort: undefined
}

type Running = Readonly<{ worker: Worker; waiting: Map<number, PromiseWithResolvers<unknown>> }>

/** Starts threads and ends them. An idle one may serve another `BuildThread` instead of ending: it keeps nothing. */
export type Threads = Readonly<{ start(): Worker; end(worker: Worker, isIdle: boolean): Promise<unknown> }>

export const newThreads: Threads = {
  start: () => new Worker(siblingModule(import.meta, 'build-thread')),
  end: (worker) => worker.terminate(),
}

/** A thread that builds catalogues, so that requests do not wait. It starts when it is first asked. */
export class BuildThread {
  readonly #connection: Connection
  readonly #log: Log
  readonly #threads: Threads
  #running: Running | undefined
  #ending = Promise.resolve()
  #isStopped = false
  /** The end of the process that the thread has started, if any. */
  #process = Promise.resolve()
  #asked = 0

  constructor(connection: Connection, log: Log, threads: Threads = newThreads) {
    this.#connection = connection
    this.#log = log
    this.#threads = threads
  }

  async ask<T extends Task>(task: T): Promise<Results[T['kind']]> {
    const { worker, waiting } = this.start()
    const id = this.#asked++
    const one = Promise.withResolvers<unknown>()
    waiting.set(id, one)
    this.#post(worker, { id, task })
    return one.promise as Promise<Results[T['kind']]>
  }

  /** Makes the next base segment in a process. The thread starts it, because starting one from a thread that serves would
   *  stall that: the system first copies the page tables of all memory, 35 to 50 ms for 600 MB. */
  runProcess(order: Order): Promise<undefined> {
    const running = this.ask({ kind: 'process', order })
    this.#process = running.then(
      () => {},
      () => {},
    )
    return running
  }

  /** Frees the memory it has used. What it was doing fails; what is asked from now on starts another thread. */
  async end(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    if (running) {
      const ended = this.#terminate(running)
      this.#ending = this.#ending.then(() => ended)
    }
    await this.#ending
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.end()
  }

  #post(worker: Worker, question: Omit<Question, 'connection'>): void {
    worker.postMessage({ ...question, connection: this.#connection } satisfies Question)
  }

  async #terminate({ worker, waiting }: Running): Promise<void> {
    const isIdle = waiting.size === 0
    this.#post(worker, { id: this.#asked++, task: { kind: 'abort' } })
    await this.#process
    await this.#threads.end(worker, isIdle)
  }

  start(): Running {
    if (this.#isStopped) throw new Error(hasEnded)
    this.#running ??= this.#startThread()
    return this.#running
  }

  #startThread(): Running {
    const waiting: Running['waiting'] = new Map()
    const worker = this.#threads.start()
    worker.unref()
    worker.on('error', (error) => this.#log.warn({ reason: String(error) }, 'catalogue thread failed'))
    worker.on('message', ({ id, result, error }: Answer) => {
      const one = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) one?.resolve(result)
      else one?.reject(new Error(error))
    })
    worker.on('exit', () => {
      if (this.#running?.worker === worker) this.#running = undefined
      for (const { reject } of waiting.values()) reject(new Error(hasEnded))
      waiting.clear()
    })
    return { worker, waiting }
  }
}
