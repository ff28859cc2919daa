import type pg from 'pg'
import { type CopyValue, copyRows, copyText, type Stage } from '../../database/staging/copy.ts'

const chunkCharacters = 4 * 1024 * 1024

/** Sends rows to their stages, a few megabytes at a time. One chunk is under way while the next is read. */
export class StageWriter {
  readonly #client: pg.Client
  readonly #prepare: () => Promise<void>
  readonly #open = new Map<Stage, { rows: string[]; characters: number }>()
  #underWay: Promise<void> = Promise.resolve()
  #isPrepared = false
  #isClosed = false

  /** `prepare` makes the stages, when the first row is sent. */
  constructor(client: pg.Client, prepare: () => Promise<void>) {
    this.#client = client
    this.#prepare = prepare
  }

  /** True when a chunk is full: then it is time to `send` it. */
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

  /** Waits for the chunk before, and sends this one. */
  async send(stage: Stage): Promise<void> {
    await this.#underWay
    const chunk = this.#open.get(stage)
    if (!chunk || this.#isClosed) return
    this.#open.delete(stage)
    await this.#makeStages()
    this.#underWay = copyRows(this.#client, stage, `${chunk.rows.join('\n')}\n`)
    // Whoever waits for it next is told; nobody may be waiting right now.
    this.#underWay.catch(() => {})
  }

  async finish(): Promise<void> {
    for (const stage of [...this.#open.keys()]) await this.send(stage)
    await this.#underWay
    if (!this.#isClosed) await this.#makeStages()
  }

  async #makeStages(): Promise<void> {
    if (!this.#isPrepared) await this.#prepare()
    this.#isPrepared = true
  }

  /** From here on nothing more is written: the run will change nothing, and what is wrong with it was told. */
  close(): void {
    this.#isClosed = true
    this.#open.clear()
  }
}
