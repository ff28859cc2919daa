import type pg from 'pg'
import type { Db } from '../../database/open.ts'
import { type CopyValue, copyRows, copyText, type Stage } from '../../database/staging/copy.ts'
import { createEmptyStages, createStage, dropEmptyStage } from '../../database/staging/stages.ts'

const chunkBytes = 4 * 1024 * 1024

/** Sends rows to their stages in chunks of a few megabytes. Sends one chunk while the next is read. A stage is created when its
 *  first rows are sent; those that get none are created empty. */
export class StageWriter {
  readonly #client: pg.Client
  readonly #db: Db
  readonly #stages: readonly Stage[]
  readonly #filled = new Set<Stage>()
  readonly #empty = new Set<Stage>()
  readonly #open = new Map<Stage, GrowingBuffer>()
  #sending: Promise<void> = Promise.resolve()
  #isClosed = false

  /** `db` uses the connection of the client. */
  constructor(client: pg.Client, db: Db, stages: readonly Stage[]) {
    this.#client = client
    this.#db = db
    this.#stages = stages
  }

  /** The stages that have rows. */
  get filled(): Stage[] {
    return [...this.#filled]
  }

  /** Returns true when a chunk is full and must be sent. */
  add(stage: Stage, line: number, deletion: boolean, values: readonly CopyValue[]): boolean {
    if (this.#isClosed) return false
    let text = `${line}\t${deletion ? 't' : 'f'}`
    for (const value of values) text += `\t${copyText(value)}`
    const chunk = this.#open.getOrInsertComputed(stage, () => new GrowingBuffer())
    chunk.append(`${text}\n`)
    return chunk.length >= chunkBytes
  }

  async send(stage: Stage): Promise<void> {
    await this.#sending
    const chunk = this.#open.get(stage)
    if (!chunk || this.#isClosed) return
    this.#open.delete(stage)
    await this.#create(stage)
    this.#sending = copyRows(this.#client, stage, chunk.bytes())
    // The next wait reports an error; until then it must not be unhandled.
    this.#sending.catch(() => {})
  }

  async finish(): Promise<void> {
    for (const stage of [...this.#open.keys()]) await this.send(stage)
    await this.#sending
    if (!this.#isClosed) await this.#createOthers()
  }

  async #create(stage: Stage): Promise<void> {
    if (this.#filled.has(stage)) return
    this.#filled.add(stage)
    if (this.#empty.delete(stage)) await dropEmptyStage(this.#db, stage)
    await createStage(this.#db, stage)
  }

  async #createOthers(): Promise<void> {
    const missing = this.#stages.filter((stage) => !this.#filled.has(stage) && !this.#empty.has(stage))
    await createEmptyStages(this.#db, missing)
    for (const stage of missing) this.#empty.add(stage)
  }

  close(): void {
    this.#isClosed = true
    this.#open.clear()
  }
}

/** Text as bytes at once: many strings that are kept for a while cost the garbage collector more than the import itself. */
class GrowingBuffer {
  #buffer = Buffer.allocUnsafeSlow(64 * 1024)
  length = 0

  append(text: string): void {
    // A character has at most three bytes in UTF-8; one of two units has four.
    const needed = this.length + text.length * 3
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2))
      this.#buffer.copy(larger, 0, 0, this.length)
      this.#buffer = larger
    }
    this.length += this.#buffer.write(text, this.length)
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.length)
  }
}
