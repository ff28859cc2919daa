import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../../core/files/sibling-module.ts'
import type { Connection } from '../../../database/open.ts'
import type { Segment } from '../segment.ts'
import type { CatalogueState } from '../source.ts'
import type { Built } from './build.ts'
import type { Order } from './build-process.ts'
import type { Answer, Question, Task } from './build-thread.ts'

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

/** A thread that builds catalogues, so that requests do not wait. It starts when it is first asked. */
export class BuildThread {
  readonly #connection: Connection
  readonly #log: Log
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #worker: Worker | undefined
  /** The end of the process that the thread has started, if any. */
  #process = Promise.resolve()
  #asked = 0

  constructor(connection: Connection, log: Log) {
    this.#connection = connection
    this.#log = log
  }

  ask<T extends Task>(task: T): Promise<Results[T['kind']]> {
    const worker = this.start()
    const id = this.#asked++
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(id, waiting)
    worker.postMessage({ id, task } satisfies Question)
    return waiting.promise as Promise<Results[T['kind']]>
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

  /** Frees the memory it has used. What it was doing fails. */
  async end(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    worker.postMessage({ id: this.#asked++, task: { kind: 'abort' } } satisfies Question)
    await this.#process
    await worker.terminate()
  }

  start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(siblingModule(import.meta, 'build-thread'), {
      workerData: { connection: this.#connection },
    })
    worker.unref()
    worker.on('error', (error) => this.#log.warn({ reason: String(error) }, 'catalogue thread failed'))
    worker.on('message', ({ id, result, error }: Answer) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(result)
      else waiting?.reject(new Error(error))
    })
    worker.on('exit', () => {
      this.#worker = undefined
      for (const { reject } of this.#waiting.values())
        reject(new Error('The thread that builds the catalogue has ended.'))
      this.#waiting.clear()
    })
    this.#worker = worker
    return worker
  }
}
