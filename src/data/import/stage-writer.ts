import type pg from 'pg'
import { type CopyValue, copyRows, copyText, type Stage } from '../../database/staging/copy.ts'

const chunkBytes = 4 * 1024 * 1024

/** Sends rows to their stages in chunks of a few megabytes. Sends one chunk while the next is read. */
export class StageWriter {
  readonly #client: pg.Client
  readonly #prepare: () => Promise<void>
  readonly #open = new Map<Stage, GrowingBuffer>()
  #sending: Promise<void> = Promise.resolve()
  #isPrepared = false
  #isClosed = false

  /** `prepare` creates the stages when the first row is sent. */
  constructor(client: pg.Client, prepare: () => Promise<void>) {
    this.#client = client
    this.#prepare = prepare
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
    await this.#createStages()
    this.#sending = copyRows(this.#client, stage, chunk.bytes())
    // The next wait reports an error; until then it must not be unhandled.
    this.#sending.catch(() => {})
  }

  async finish(): Promise<void> {
    for (const stage of [...this.#open.keys()]) await this.send(stage)
    await this.#sending
    if (!this.#isClosed) await this.#createStages()
  }

  async #createStages(): Promise<void> {
    if (!this.#isPrepared) await this.#prepare()
    this.#isPrepared = true
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
