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
import type { Progress } from '../progress.ts'
import type { Source } from '../sources/sources.ts'
import { type Deletions, findDeletions } from '../store/deletions.ts'
import type { ErrorList } from './errors.ts'
import { StageWriter } from './stage-writer.ts'
import { Staging } from './staging.ts'
import { absentNote } from './summary.ts'

export type Outcome = { errors: string[] } | { counts: Count[]; notes: string[] }

export type ImportParts = Readonly<{
  connection: Connection
  families: readonly Family[]
  sources: readonly Source[]
  progress: Progress
  isDryRun: boolean
  /** A message about a security that no instrument is of is left out and told of, instead of being a fault. */
  skipsUnknown: boolean
  /** The same of a message that is no notification. */
  skipsOther: boolean
  /** The day that relative days are counted from. */
  today: Temporal.PlainDate
  /** Writes the audit entry, as part of the same transaction. */
  audit(trx: Trx, counts: readonly Count[]): Promise<void>
  /** Whoever runs it may change their mind until it is committed. */
  signal?: AbortSignal
}>

/**
 * Reads all lines into stages of the connection's own, which nobody else can see and which end with it. Only then one
 * transaction checks and applies them: it is short, so that neither the service nor a vacuum waits for a slow file, and
 * whatever ends the run before its commit has changed nothing (contract §9).
 */
export function runImport(parts: ImportParts): Promise<Outcome> {
  const kinds = parts.families.flatMap((family) => family.kinds)
  return withOwnConnection(parts.connection, async (db, client) => {
    if (!(await tryImportLock(db))) throw new Error('Another import is under way. This one has changed nothing.')
    const writer = new StageWriter(client, async () => {
      for (const stage of stagesOf(kinds)) await createStage(db, stage, 'connection')
    })
    const staging = new Staging(parts, kinds, writer)
    const notes = await staging.readAll(db)
    if (staging.errors.isFull) return { errors: staging.errors.sentences() }
    const outcome = await applyStaged(parts, kinds, db, staging.errors)
    return 'errors' in outcome ? outcome : { ...outcome, notes: [...outcome.notes, ...notes] }
  })
}

const stagesOf = (kinds: readonly Kind[]): Stage[] => [rejectedStage, ...kinds.map(({ stage }) => stage)]

/** Thrown to undo what a dry run has done. */
class Undone extends Error {}

async function applyStaged(parts: ImportParts, kinds: readonly Kind[], db: Db, errors: ErrorList): Promise<Outcome> {
  let outcome: Outcome = { errors: [] }
  for (const stage of stagesOf(kinds)) await analyzeStage(db, stage)
  const transaction = db.transaction().execute(async (trx) => {
    parts.progress.phase('checking')
    for (const { name, stage } of kinds) errors.addStaged(await findDuplicateKeys(trx, name, stage))
    for (const family of parts.families) for (const found of await family.findErrors(trx)) errors.addStaged(found)
    outcome = { errors: errors.sentences() }
    if (errors.count > 0) throw new Undone()
    parts.progress.phase('merging')
    const { counts, notes } = await applyFamilies(parts, trx)
    if (counts.some(({ added, changed, removed }) => added + changed + removed > 0)) await parts.audit(trx, counts)
    outcome = { counts, notes }
    parts.signal?.throwIfAborted()
    if (parts.isDryRun) throw new Undone()
  })
  await transaction.catch((error) => {
    if (!(error instanceof Undone)) throw error
  })
  return outcome
}

const maxAbsent = 10

async function applyFamilies(
  { families, isDryRun }: ImportParts,
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

/** What was to go may have gone before, with its account or client. */
function withDeletions(count: Count, deletions: readonly Deletions[]): Count {
  const present = deletions.find(({ kind }) => kind === count.kind)?.present ?? 0
  return { ...count, removed: Math.max(count.removed, present) }
}
