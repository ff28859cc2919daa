import type { Shape } from '../../core/validation/shape.ts'
import type { Db } from '../../database/open.ts'
import type { CopyValue, Stage } from '../../database/staging/copy.ts'
import { rejectedStage } from '../../database/staging/rejected.ts'
import { messageEventKind } from '../../events/import/kinds.ts'
import type { Kind } from '../kind.ts'
import type { ImportProgress } from '../progress.ts'
import { MessageFiles } from '../sources/messages.ts'
import { type Item, readRecords } from '../sources/records.ts'
import { isMessageSource, type Source } from '../sources/sources.ts'
import { readClosedDays } from '../store/closed-days.ts'
import { type CheckedRecord, RecordChecker, type RejectedRecord } from './check-record.ts'
import { ErrorList, type ImportError, LineNumbers } from './errors.ts'
import { Expander } from './expand.ts'
import { expandItems } from './expand-items.ts'
import type { StageWriter } from './stage-writer.ts'

export type StagingDependencies = Readonly<{
  sources: readonly Source[]
  progress: ImportProgress
  /** Skip messages about an unknown security instead of reporting an error. */
  skipsUnknown: boolean
  skipsOther: boolean
  today: Temporal.PlainDate
  now?: Temporal.Instant
  /** Called with the length of each record as it is stored. Throws if the records are too many or too long together. */
  countRecord?(length: number): void
  signal?: AbortSignal
}>

const maxWarnings = 20

/** Reads all files into the stages of their kinds. Valid records are staged even after an error, so that checks across
 *  records run too. */
export class Staging {
  readonly #deps: StagingDependencies
  readonly #kinds: readonly Kind[]
  readonly #writer: StageWriter
  readonly #lines = new LineNumbers()
  readonly #rejectedKinds = new Set<string>()
  readonly errors = new ErrorList(this.#lines)
  readonly #warnings = new ErrorList(this.#lines, maxWarnings)

  constructor(deps: StagingDependencies, kinds: readonly Kind[], writer: StageWriter) {
    this.#deps = deps
    this.#kinds = kinds
    this.#writer = writer
  }

  /** Returns notes for the summary. `db` uses the writer's connection. */
  async readAll(db: Db): Promise<string[]> {
    const { sources, progress } = this.#deps
    const checker = new RecordChecker(this.#kinds)
    const schemas = new Map(this.#kinds.map(({ name, schema }) => [name, schema as Shape]))
    const { today, now } = this.#deps
    const expander = new Expander({ schemas, today, ...(now && { now }), closedDays: await readClosedDays(db) })
    const onRead = (bytes: number) => progress.addBytes(bytes)
    const notes: string[] = []
    for (const source of sources.filter((one) => !isMessageSource(one))) {
      this.#lines.open(source.name)
      const items = readRecords(source, this.#kinds, this.#lines, onRead)
      const count = await this.#stage(expandItems(items, expander), checker)
      // No error: the export of an empty service is an empty file.
      if (count === 0) notes.push(`${source.name} contains no record.`)
    }
    await this.#writer.finish()
    notes.push(...(await this.#readMessages(db, onRead)))
    await this.#writer.finish()
    return [...notes, ...this.#warnings.sentences().map((sentence) => `Warning: ${sentence}`)]
  }

  /** Runs after the instruments are staged, so that messages find those of the same run. */
  async #readMessages(db: Db, onRead: (bytes: number) => void): Promise<string[]> {
    const sources = this.#deps.sources.filter(isMessageSource)
    if (sources.length === 0 || this.errors.isFull) return []
    const { skipsUnknown, skipsOther } = this.#deps
    // A missing instrument may be among the rejected records.
    const reportsUnknown = !this.#rejectedKinds.has('') && !this.#rejectedKinds.has('instrument')
    const files = new MessageFiles(db, this.#lines, { skipsUnknown, skipsOther, reportsUnknown })
    const checker = new RecordChecker([messageEventKind])
    for (const source of sources) {
      this.#lines.open(source.name)
      await this.#stage(files.read(source, onRead), checker)
    }
    await this.#stage(files.end(), checker)
    return files.notes()
  }

  /** Returns the number of records. */
  async #stage(batches: AsyncIterable<Item[]>, checker: RecordChecker): Promise<number> {
    let count = 0
    for await (const batch of batches) {
      count += batch.length
      for (const item of batch) {
        const report = (error: Omit<ImportError, 'line'>) => {
          this.errors.add({ line: item.line, ...error })
          if (this.errors.isFull) this.#writer.close()
        }
        const warn = (warning: Omit<ImportError, 'line'>) => this.#warnings.add({ line: item.line, ...warning })
        const checked = checker.check(item, report, warn)
        if ('rejected' in checked) this.#rejectedKinds.add(checked.rejected)
        const rows = rowsOf(checked)
        this.#deps.countRecord?.(rows.reduce((sum, { values }) => sum + lengthOf(values), 0))
        for (const row of rows)
          if (this.#writer.add(row.stage, item.line, row.deletion, row.values)) await this.#writer.send(row.stage)
      }
      this.#deps.progress.addRecords(batch.length)
      this.#deps.signal?.throwIfAborted()
    }
    return count
  }
}

const lengthOf = (values: readonly CopyValue[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

export type Row = Readonly<{ stage: Stage; deletion: boolean; values: readonly CopyValue[] }>

/** A rejected record is noted as such and shadows the present one. */
export function rowsOf(checked: CheckedRecord | RejectedRecord): Row[] {
  if (!('rejected' in checked)) return [{ ...checked, stage: checked.kind.stage }]
  const { rejected, row } = checked
  const key = row?.values.slice(0, row.kind.key.length).join(' ') ?? null
  const note = { stage: rejectedStage, deletion: true, values: [rejected, key] }
  return row ? [note, { ...row, stage: row.kind.stage }] : [note]
}
