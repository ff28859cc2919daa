import type pg from 'pg'
import { type CopyValue, copyRows, copyText, type Stage } from '../../database/staging/copy.ts'

const chunkCharacters = 4 * 1024 * 1024

/** Sends rows to their stages in chunks of a few megabytes. Sends one chunk while the next is read. */
export class StageWriter {
  readonly #client: pg.Client
  readonly #prepare: () => Promise<void>
  readonly #open = new Map<Stage, { rows: string[]; characters: number }>()
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
    const chunk = this.#open.get(stage) ?? { rows: [], characters: 0 }
    this.#open.set(stage, chunk)
    chunk.rows.push(text)
    chunk.characters += text.length
    return chunk.characters >= chunkCharacters
  }

  async send(stage: Stage): Promise<void> {
    await this.#sending
    const chunk = this.#open.get(stage)
    if (!chunk || this.#isClosed) return
    this.#open.delete(stage)
    await this.#createStages()
    this.#sending = copyRows(this.#client, stage, `${chunk.rows.join('\n')}\n`)
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
