import { refusedStage } from '../access/import-refused-store.ts'
import {
  analyzeStage,
  type CopyValue,
  createStage,
  findTwiceGiven,
  type Stage,
  takeImportPlace,
  withOwnConnection,
} from '../database/copy.ts'
import type { Connection, Db, Trx } from '../database/open.ts'
import { type Fault, FaultList, Places } from './faults.ts'
import { type Judged, RecordJudge, type Refused } from './judge.ts'
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
    if (!(await takeImportPlace(db))) throw new Error('Another import is under way. This one has changed nothing.')
    const writer = new StageWriter(client, async () => {
      for (const stage of stagesOf(kinds)) await createStage(db, stage, 'connection')
    })
    const faults = await stageRecords(parts, kinds, writer)
    if (faults.isFull) return { faults: faults.sentences() }
    return applyStaged(parts, kinds, db, faults)
  })
}

const stagesOf = (kinds: readonly Kind[]): Stage[] => [refusedStage, ...kinds.map(({ stage }) => stage)]

/** What is good is staged also when something else is not: so that what records have wrong only together is told too. */
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
          if (faults.isFull) writer.close()
        }
        for (const row of rowsOf(judge.judge(item, tell)))
          if (writer.add(row.stage, item.line, row.deletion, row.values)) await writer.send(row.stage)
      }
      parts.progress.addRecords(batch.length)
      parts.signal?.throwIfAborted()
    }
  }
  await writer.finish()
  return faults
}

type Row = Readonly<{ stage: Stage; deletion: boolean; values: readonly CopyValue[] }>

/** A record that was refused is noted as such, and takes the place of the one that is there. */
function rowsOf(judged: Judged | Refused): Row[] {
  if (!('refused' in judged)) return [{ ...judged, stage: judged.kind.stage }]
  const key = judged.row?.values[0]
  const note = { stage: refusedStage, deletion: true, values: [judged.refused, key === undefined ? null : String(key)] }
  return judged.row ? [note, { ...judged.row, stage: judged.row.kind.stage }] : [note]
}

/** Thrown to undo what a dry run has done. */
class Undone extends Error {}

async function applyStaged(parts: ImportParts, kinds: readonly Kind[], db: Db, faults: FaultList): Promise<Outcome> {
  let outcome: Outcome = { faults: [] }
  for (const stage of stagesOf(kinds)) await analyzeStage(db, stage)
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
    parts.signal?.throwIfAborted()
    if (parts.isDryRun) throw new Undone()
  })
  await applied.catch((error) => {
    if (!(error instanceof Undone)) throw error
  })
  return outcome
}
