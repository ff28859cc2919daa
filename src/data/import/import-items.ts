import { ownTurn } from '../../core/async/own-turn.ts'
import type { Trx } from '../../database/open.ts'
import { findDuplicateKeys, insertStaged, lockImport, type Stage } from '../../database/staging/copy.ts'
import { beginRun } from '../../database/staging/history.ts'
import { rejectedStage } from '../../database/staging/rejected.ts'
import { createStagesOfTransaction, findFilled } from '../../database/staging/stages.ts'
import type { Count, Family } from '../kind.ts'
import type { Item } from '../sources/records.ts'
import { findPresent } from '../store/deletions.ts'
import { RecordChecker } from './check-record.ts'
import type { ErrorList } from './errors.ts'
import { type Row, rowsOf } from './staging.ts'

type Options = Readonly<{
  families: readonly Family[]
  errors: ErrorList
  /** What the history names as the reason of the changes. */
  source: string
  /** A record that exists already is an error. */
  onlyNew?: boolean
  /** Called when all records are staged, before they are checked against the database. */
  staged?(trx: Trx): Promise<void>
}>

/** Other requests are served after so many records, and a statement gets no more rows. */
const chunk = 200

/** Imports a bounded number of records in the caller's transaction, as a serving node can. Returns undefined, and has applied
 *  nothing, if there were errors. */
export async function importItems(trx: Trx, items: Iterable<Item>, options: Options): Promise<Count[] | undefined> {
  const { families, errors, onlyNew = false } = options
  const kinds = families.flatMap((family) => family.kinds)
  await lockImport(trx)
  const stages = [rejectedStage, ...kinds.map((kind) => kind.stage)]
  await createStagesOfTransaction(trx, stages)
  await stageItems(trx, items, new RecordChecker(kinds), errors)
  await options.staged?.(trx)
  const filled = await findFilled(trx, stages)
  for (const kind of kinds.filter(({ stage }) => filled.has(stage.table))) {
    errors.addStaged(await findDuplicateKeys(trx, kind.name, kind.stage))
    if (onlyNew) for (const found of await findPresent(trx, kind)) errors.addStaged(found)
  }
  // To replace a record that exists may have errors of its own, which would hide the first.
  if (onlyNew && errors.count > 0) return undefined
  for (const family of families) for (const found of await family.findErrors(trx, filled)) errors.addStaged(found)
  if (errors.count > 0) return undefined
  await beginRun(trx, options.source)
  const counts: Count[] = []
  for (const family of families) counts.push(...(await family.apply(trx, filled)).counts)
  return counts
}

async function stageItems(trx: Trx, items: Iterable<Item>, checker: RecordChecker, errors: ErrorList): Promise<void> {
  const staged = new Map<Stage, (Omit<Row, 'stage'> & { line: number })[]>()
  const send = async () => {
    for (const [stage, rows] of staged) await insertStaged(trx, stage, rows)
    staged.clear()
    await ownTurn()
  }
  let count = 0
  for (const item of items) {
    const checked = checker.check(item, (error) => errors.add({ line: item.line, ...error }))
    for (const { stage, ...row } of rowsOf(checked))
      staged.getOrInsertComputed(stage, () => []).push({ line: item.line, ...row })
    if (++count % chunk === 0) await send()
  }
  await send()
}
