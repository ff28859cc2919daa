import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../../core/files/sibling-module.ts'
import type { Connection } from '../../../database/open.ts'
import type { Segment } from '../segment.ts'
import type { CatalogueState } from '../source.ts'
import type { Built } from './build.ts'
import type { Answer, Question, Task } from './build-thread.ts'

type Log = { warn(detail: object, message: string): void }
type Results = { changes: Built | 'same' | 'other'; whole: CatalogueState; merge: Segment; write: string }

/** A thread that builds catalogues, so that requests do not wait. It starts when it is first asked. */
export class BuildThread {
  readonly #connection: Connection
  readonly #log: Log
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #worker: Worker | undefined
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

  /** Frees the memory it has used. What it was doing fails. */
  async end(): Promise<void> {
    await this.#worker?.terminate()
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
