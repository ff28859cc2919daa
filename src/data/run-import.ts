import { analyzeStage, createStage, findTwiceGiven, takeImportPlace, withOwnConnection } from '../database/copy.ts'
import type { Connection, Db, Trx } from '../database/open.ts'
import { type Fault, FaultList, Places } from './faults.ts'
import { RecordJudge } from './judge.ts'
import type { Count, Family, Kind } from './kind.ts'
import type { Progress } from './progress.ts'
import { readRecords } from './records.ts'
import type { Source } from './sources.ts'
import { StageWriter } from './stage-writer.ts'

export type Outcome = { faults: string[] } | { counts: Count[]; notes: string[] }

export type ImportParts = Readonly<{
  connection: Connection
  families: readonly Family[]
  sources: readonly Source[]
  progress: Progress
  isDryRun: boolean
  /** Writes the audit entry, as part of the same transaction. */
  audit(trx: Trx, counts: readonly Count[]): Promise<void>
}>

/**
 * Reads all lines into stages of the connection's own, which nobody else can see and which end with it. Only then one
 * transaction checks and applies them: it is short, so that neither the service nor a vacuum waits for a slow file, and
 * whatever ends the run before its commit has changed nothing (contract §9).
 */
export function runImport(parts: ImportParts): Promise<Outcome> {
  const kinds = parts.families.flatMap((family) => family.kinds)
  return withOwnConnection(parts.connection, async (db, client) => {
    if (!(await takeImportPlace(db))) throw new Error('Another import is under way. This one has changed nothing.')
    const writer = new StageWriter(client, async () => {
      for (const { stage } of kinds) await createStage(db, stage, 'connection')
    })
    const faults = await stageRecords(parts, kinds, writer)
    if (faults.count > 0) return { faults: faults.sentences() }
    return applyStaged(parts, kinds, db, faults)
  })
}

async function stageRecords(parts: ImportParts, kinds: readonly Kind[], writer: StageWriter): Promise<FaultList> {
  const places = new Places()
  const faults = new FaultList(places)
  const judge = new RecordJudge(kinds)
  for (const source of parts.sources) {
    places.open(source.name)
    for await (const batch of readRecords(source, kinds, places, (bytes) => parts.progress.addBytes(bytes))) {
      for (const item of batch) {
        const tell = (fault: Omit<Fault, 'line'>) => {
          faults.add({ line: item.line, ...fault })
          writer.close()
        }
        const judged = judge.judge(item, tell)
        if (judged && writer.add(judged.kind, item.line, judged.deletion, judged.values)) await writer.send(judged.kind)
      }
      parts.progress.addRecords(batch.length)
    }
  }
  await writer.finish()
  return faults
}

/** Thrown to undo what a dry run has done. */
class Undone extends Error {}

async function applyStaged(parts: ImportParts, kinds: readonly Kind[], db: Db, faults: FaultList): Promise<Outcome> {
  let outcome: Outcome = { faults: [] }
  for (const { stage } of kinds) await analyzeStage(db, stage)
  const applied = db.transaction().execute(async (trx) => {
    parts.progress.phase('checking')
    for (const { name, stage } of kinds) faults.addStaged(await findTwiceGiven(trx, name, stage))
    for (const family of parts.families) for (const found of await family.findFaults(trx)) faults.addStaged(found)
    outcome = { faults: faults.sentences() }
    if (faults.count > 0) throw new Undone()
    parts.progress.phase('merging')
    const results: { counts: Count[]; notes: string[] }[] = []
    for (const family of parts.families) results.push(await family.apply(trx))
    const counts = results.flatMap((result) => result.counts)
    if (counts.some(({ added, changed, removed }) => added + changed + removed > 0)) await parts.audit(trx, counts)
    outcome = { counts, notes: results.flatMap((result) => result.notes) }
    if (parts.isDryRun) throw new Undone()
  })
  await applied.catch((error) => {
    if (!(error instanceof Undone)) throw error
  })
  return outcome
}
