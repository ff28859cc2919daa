import type { Connection, Db, Trx } from '../../database/open.ts'
import {
  analyzeStage,
  createStage,
  findDuplicateKeys,
  type Stage,
  tryImportLock,
  withOwnConnection,
} from '../../database/staging/copy.ts'
import { rejectedStage } from '../../database/staging/rejected.ts'
import type { Count, Family, Kind } from '../kind.ts'
import { type Deletions, findDeletions } from '../store/deletions.ts'
import { noteImport } from '../store/origin.ts'
import type { ErrorList } from './errors.ts'
import { StageWriter } from './stage-writer.ts'
import { Staging, type StagingDependencies } from './staging.ts'
import { absentNote } from './summary.ts'

type Outcome = { errors: string[] } | { counts: Count[]; notes: string[] }

type ImportDependencies = StagingDependencies &
  Readonly<{
    connection: Connection
    families: readonly Family[]
    isDryRun: boolean
    /** Writes the audit entry in the same transaction. */
    audit(trx: Trx, counts: readonly Count[]): Promise<void>
  }>

/** Reads all lines into temporary tables, then checks and applies them in one short transaction, so that neither the
 *  service nor a vacuum waits for a slow file. A run that ends before its commit changes nothing (§9.2). */
export function runImport(deps: ImportDependencies): Promise<Outcome> {
  const kinds = deps.families.flatMap((family) => family.kinds)
  return withOwnConnection(deps.connection, async (db, client) => {
    if (!(await tryImportLock(db))) throw new Error('Another import is running. This one changed nothing.')
    const writer = new StageWriter(client, async () => {
      for (const stage of stagesOf(kinds)) await createStage(db, stage, 'connection')
    })
    const staging = new Staging(deps, kinds, writer)
    const notes = await staging.readAll(db)
    if (staging.errors.isFull) return { errors: staging.errors.sentences() }
    const outcome = await applyStaged(deps, kinds, db, staging.errors)
    return 'errors' in outcome ? outcome : { ...outcome, notes: [...outcome.notes, ...notes] }
  })
}

const stagesOf = (kinds: readonly Kind[]): Stage[] => [rejectedStage, ...kinds.map(({ stage }) => stage)]

class Rollback extends Error {}

async function applyStaged(
  deps: ImportDependencies,
  kinds: readonly Kind[],
  db: Db,
  errors: ErrorList,
): Promise<Outcome> {
  let outcome: Outcome = { errors: [] }
  for (const stage of stagesOf(kinds)) await analyzeStage(db, stage)
  const transaction = db.transaction().execute(async (trx) => {
    deps.progress.phase('checking')
    for (const { name, stage } of kinds) errors.addStaged(await findDuplicateKeys(trx, name, stage))
    for (const family of deps.families) for (const found of await family.findErrors(trx)) errors.addStaged(found)
    outcome = { errors: errors.sentences() }
    if (errors.count > 0) throw new Rollback()
    deps.progress.phase('merging')
    const { counts, notes } = await applyFamilies(deps, trx)
    if (counts.some(({ added, changed, removed }) => added + changed + removed > 0)) {
      await noteImport(trx, counts)
      await deps.audit(trx, counts)
    }
    outcome = { counts, notes }
    deps.signal?.throwIfAborted()
    if (deps.isDryRun) throw new Rollback()
  })
  await transaction.catch((error) => {
    if (!(error instanceof Rollback)) throw error
  })
  return outcome
}

const maxAbsent = 10

async function applyFamilies(
  { families, isDryRun }: ImportDependencies,
  trx: Trx,
): Promise<{ counts: Count[]; notes: string[] }> {
  const deletions: Deletions[] = []
  for (const { kinds } of families) for (const kind of kinds) deletions.push(await findDeletions(trx, kind, maxAbsent))
  const [counts, notes]: [Count[], string[]] = [[], []]
  for (const family of families) {
    const applied = await family.apply(trx)
    counts.push(...applied.counts)
    notes.push(...applied.notes)
    const hadRecords = applied.counts.some(({ kind: _, ...count }) => Object.values(count).some((many) => many > 0))
    if (hadRecords && !isDryRun) notes.push(...(applied.state ?? []))
  }
  return { counts: counts.map((count) => withDeletions(count, deletions)), notes: [...notes, ...absentNote(deletions)] }
}

/** A record to delete may already be gone with its account or client. */
function withDeletions(count: Count, deletions: readonly Deletions[]): Count {
  const present = deletions.find(({ kind }) => kind === count.kind)?.present ?? 0
  return { ...count, removed: Math.max(count.removed, present) }
}
