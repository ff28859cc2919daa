import type { Db } from '../../database/open.ts'
import type { CopyValue, Stage } from '../../database/staging/copy.ts'
import { refusedStage } from '../../database/staging/rejected.ts'
import { messageEventKind } from '../../events/import/kinds.ts'
import type { Kind } from '../kind.ts'
import type { Progress } from '../progress.ts'
import { MessageFiles } from '../sources/messages.ts'
import { type Item, readRecords } from '../sources/records.ts'
import { isMessageFormat, type Source } from '../sources/sources.ts'
import { type Judged, RecordJudge, type Refused } from './check-record.ts'
import { type Fault, FaultList, Places } from './errors.ts'
import type { StageWriter } from './stage-writer.ts'

type Parts = Readonly<{
  sources: readonly Source[]
  progress: Progress
  skipsUnknown: boolean
  skipsOther: boolean
  signal?: AbortSignal
}>

/** Reads all files into the stages of their kinds. What is good is staged also when something else is not: so that what
 *  records have wrong only together is told too. */
export class Staging {
  readonly #parts: Parts
  readonly #kinds: readonly Kind[]
  readonly #writer: StageWriter
  readonly #places = new Places()
  readonly #refusedKinds = new Set<string>()
  readonly faults = new FaultList(this.#places)

  constructor(parts: Parts, kinds: readonly Kind[], writer: StageWriter) {
    this.#parts = parts
    this.#kinds = kinds
    this.#writer = writer
  }

  /** Tells sentences for the summary. `db` speaks over the writer's connection. */
  async readAll(db: Db): Promise<string[]> {
    const { sources, progress } = this.#parts
    const judge = new RecordJudge(this.#kinds)
    const onRead = (bytes: number) => progress.addBytes(bytes)
    for (const source of sources.filter(({ format }) => !isMessageFormat(format))) {
      this.#places.open(source.name)
      await this.#stage(readRecords(source, this.#kinds, this.#places, onRead), judge)
    }
    await this.#writer.finish()
    const notes = await this.#readMessages(db, onRead)
    await this.#writer.finish()
    return notes
  }

  /** Instruments are staged now, so that messages find those of the same run. */
  async #readMessages(db: Db, onRead: (bytes: number) => void): Promise<string[]> {
    const sources = this.#parts.sources.filter(({ format }) => isMessageFormat(format))
    if (sources.length === 0 || this.faults.isFull) return []
    const { skipsUnknown, skipsOther } = this.#parts
    // One that is missing may be among those that were refused.
    const tellsUnknown = !this.#refusedKinds.has('') && !this.#refusedKinds.has('instrument')
    const files = new MessageFiles(db, this.#places, { skipsUnknown, skipsOther, tellsUnknown })
    const judge = new RecordJudge([messageEventKind])
    for (const source of sources) {
      this.#places.open(source.name)
      await this.#stage(files.read(source, onRead), judge)
    }
    await this.#stage(files.end(), judge)
    return files.notes()
  }

  async #stage(batches: AsyncIterable<Item[]>, judge: RecordJudge): Promise<void> {
    for await (const batch of batches) {
      for (const item of batch) {
        const tell = (fault: Omit<Fault, 'line'>) => {
          this.faults.add({ line: item.line, ...fault })
          if (this.faults.isFull) this.#writer.close()
        }
        const judged = judge.judge(item, tell)
        if ('refused' in judged) this.#refusedKinds.add(judged.refused)
        for (const row of rowsOf(judged))
          if (this.#writer.add(row.stage, item.line, row.deletion, row.values)) await this.#writer.send(row.stage)
      }
      this.#parts.progress.addRecords(batch.length)
      this.#parts.signal?.throwIfAborted()
    }
  }
}

type Row = Readonly<{ stage: Stage; deletion: boolean; values: readonly CopyValue[] }>

/** A record that was refused is noted as such, and takes the place of the one that is there. */
function rowsOf(judged: Judged | Refused): Row[] {
  if (!('refused' in judged)) return [{ ...judged, stage: judged.kind.stage }]
  const { refused, row } = judged
  const key = row?.values.slice(0, row.kind.key.length).join(' ') ?? null
  const note = { stage: refusedStage, deletion: true, values: [refused, key] }
  return row ? [note, { ...row, stage: row.kind.stage }] : [note]
}
