import { basename } from 'node:path'
import type { Connection, Db, Trx } from '../../database/open.ts'
import {
  analyzeStages,
  findDuplicateKeys,
  type Stage,
  tryImportLock,
  withOwnConnection,
} from '../../database/staging/copy.ts'
import { beginRun } from '../../database/staging/history.ts'
import { rejectedStage } from '../../database/staging/rejected.ts'
import type { Filled } from '../../database/staging/stages.ts'
import type { RunRecord } from '../api/history-schema.ts'
import { formatCursor } from '../changes/rules/cursor.ts'
import { readExtent } from '../changes/store/changes.ts'
import type { Count, Family, Kind } from '../kind.ts'
import type { Source } from '../sources/sources.ts'
import { type Deletions, findDeletions } from '../store/deletions.ts'
import { finishRun } from '../store/history-runs.ts'
import { noteImport, noteUndo } from '../store/origin.ts'
import type { ErrorList } from './errors.ts'
import { StageWriter } from './stage-writer.ts'
import { Staging, type StagingDependencies } from './staging.ts'
import { absentNote } from './summary.ts'

/** `run` is that of the history; undefined if no record that has one changed. */
type Applied = {
  counts: Count[]
  notes: string[]
  revision: number
  run?: number | undefined
  /** Of the changes after it. */
  cursor: string
  /** Of a dry run: the first records that would change. */
  records?: readonly RunRecord[] | undefined
}
export type Outcome = { errors: string[] } | Applied

type ImportDependencies = StagingDependencies &
  Readonly<{
    connection: Connection
    families: readonly Family[]
    isDryRun: boolean
    /** Writes the audit entry in the same transaction. */
    audit(trx: Trx, counts: readonly Count[], revision: number): Promise<void>
    /** Reads the first records that a dry run changed, before it is rolled back. */
    preview?(trx: Trx, run: number): Promise<readonly RunRecord[]>
    /** The run to undo, whose previous records the sources are. */
    undo?: Undo
  }>

export class ImportBusy extends Error {
  constructor() {
    super('Another import is running. This one changed nothing.')
  }
}

export type Undo = Readonly<{
  run: number
  /** Called before the staged records are checked. Returns why the run cannot be undone. */
  prepare(trx: Trx, filled: Filled): Promise<string[]>
  /** Called after they were applied. Returns why they must not be. */
  finish(trx: Trx): Promise<string[]>
}>

/** Reads all lines into temporary tables, then checks and applies them in one short transaction, so that neither the
 *  service nor a vacuum waits for a slow file. A run that ends before its commit changes nothing (§9.2). */
export function runImport(deps: ImportDependencies): Promise<Outcome> {
  const kinds = deps.families.flatMap((family) => family.kinds)
  return withOwnConnection(deps.connection, async (db, client) => {
    if (!(await tryImportLock(db))) throw new ImportBusy()
    const stages = [rejectedStage, ...kinds.map(({ stage }) => stage)]
    const writer = new StageWriter(client, db, stages)
    const staging = new Staging(deps, kinds, writer)
    const notes = await staging.readAll(db)
    if (staging.errors.isFull) return { errors: staging.errors.sentences() }
    const outcome = await applyStaged(deps, writer.filled, db, staging.errors)
    return 'errors' in outcome ? outcome : { ...outcome, notes: [...outcome.notes, ...notes] }
  })
}

class Rollback extends Error {}

async function applyStaged(
  deps: ImportDependencies,
  stages: readonly Stage[],
  db: Db,
  errors: ErrorList,
): Promise<Outcome> {
  let outcome: Outcome = { errors: [] }
  const transaction = checkAndMerge(deps, stages, db, errors, (reached) => {
    outcome = reached
  })
  await transaction.catch((error) => {
    if (!(error instanceof Rollback)) throw error
  })
  return outcome
}

/** The kinds that have staged records. */
const kindsOf = (families: readonly Family[], filled: Filled): Kind[] =>
  families.flatMap(({ kinds }) => kinds.filter(({ stage }) => filled.has(stage.table)))

/** Throws a Rollback if there are errors, or after a dry run. */
async function checkAndMerge(
  deps: ImportDependencies,
  stages: readonly Stage[],
  db: Db,
  errors: ErrorList,
  reach: (outcome: Outcome) => void,
): Promise<void> {
  const { families, progress, isDryRun } = deps
  const filled = new Set(stages.map(({ table }) => table))
  const kinds = kindsOf(families, filled)
  progress.begin('checking', stages.length + kinds.length + families.length)
  await analyzeStages(db, stages, () => progress.step())
  await db.transaction().execute(async (trx) => {
    const stopIf = (rejections: string[] = []) => {
      if (rejections.length === 0) return
      reach({ errors: rejections })
      throw new Rollback()
    }
    stopIf(await deps.undo?.prepare(trx, filled))
    for (const { name, stage } of kinds) {
      errors.addStaged(await findDuplicateKeys(trx, name, stage))
      progress.step()
    }
    for (const family of families) {
      for (const found of await family.findErrors(trx, filled)) errors.addStaged(found)
      progress.step()
    }
    reach({ errors: errors.sentences() })
    if (errors.count > 0) throw new Rollback()
    progress.begin('merging', kinds.length + families.length)
    if (!deps.undo) await beginRun(trx, sourceText(deps.sources))
    const applied = await applyFamilies(deps, trx, filled)
    const { counts } = applied
    stopIf(await deps.undo?.finish(trx))
    const run = await finishRun(trx, { counts, undoes: deps.undo?.run })
    if (counts.some(({ added, changed, removed }) => added + changed + removed > 0)) {
      await (deps.undo ? noteUndo(trx, deps.undo.run, counts) : noteImport(trx, counts))
      await deps.audit(trx, counts, applied.revision)
    }
    const records = isDryRun && run !== undefined ? await deps.preview?.(trx, run) : undefined
    // No one else writes versions until the commit.
    reach({ ...applied, run, records, cursor: formatCursor(await readExtent(trx)) })
    deps.signal?.throwIfAborted()
    if (isDryRun) throw new Rollback()
    progress.begin('committing')
  })
}

const maxNames = 10

/** The names of the files, without folders. */
function sourceText(sources: readonly Source[]): string {
  const names = sources.slice(0, maxNames).map(({ name }) => basename(name))
  if (sources.length > maxNames) names.push(`and ${sources.length - maxNames} more`)
  return names.join(', ')
}

const maxAbsent = 10

async function applyFamilies(deps: ImportDependencies, trx: Trx, filled: Filled): Promise<Omit<Applied, 'cursor'>> {
  const { families, isDryRun, progress } = deps
  const deletions: Deletions[] = []
  for (const kind of kindsOf(families, filled)) {
    deletions.push(await findDeletions(trx, kind, maxAbsent))
    progress.step()
  }
  const [counts, notes]: [Count[], string[]] = [[], []]
  let revision = 0
  for (const family of families) {
    const applied = await family.apply(trx, filled)
    counts.push(...applied.counts)
    notes.push(...applied.notes)
    revision = applied.revision ?? revision
    const hadRecords = applied.counts.some(({ kind: _, ...count }) => Object.values(count).some((many) => many > 0))
    if (hadRecords && !isDryRun) notes.push(...(applied.state ?? []))
    progress.step()
  }
  return {
    counts: counts.map((count) => withDeletions(count, deletions)),
    notes: [...notes, ...absentNote(deletions)],
    revision,
  }
}

/** A record to delete may already be gone with its account or client. */
function withDeletions(count: Count, deletions: readonly Deletions[]): Count {
  const present = deletions.find(({ kind }) => kind === count.kind)?.present ?? 0
  return { ...count, removed: Math.max(count.removed, present) }
}
