import { ownTurn } from '../../core/async/own-turn.ts'
import type { Db } from '../../database/open.ts'
import { type RecordRun, readVersions, type Version } from '../store/versions.ts'
import type { HistoryKind } from './kinds.ts'
import { type Parts, recordsBefore, rightOf } from './state.ts'

type Members = Readonly<Record<string, unknown>>
export type RecordVersion = RecordRun & Readonly<{ before: Members | undefined; after: Members | undefined }>

/** The record before and after each of these runs. Of access rights, each right that was added or removed. */
export async function versionsOf(
  db: Db,
  kind: HistoryKind,
  id: string,
  runs: readonly RecordRun[],
): Promise<RecordVersion[]> {
  if (runs.length === 0) return []
  const byRun = Map.groupBy(
    await readVersions(
      db,
      { kind, id },
      runs.map(({ run }) => run),
    ),
    ({ run }) => run,
  )
  return kind === 'accessRight' ? rightVersions(db, runs, byRun) : recordVersions(db, kind, id, runs, byRun)
}

/** Goes back from the latest run: what was before it is what was after the one before. */
async function recordVersions(
  db: Db,
  kind: HistoryKind,
  id: string,
  runs: readonly RecordRun[],
  byRun: ReadonlyMap<number, readonly Version[]>,
): Promise<RecordVersion[]> {
  const versions: RecordVersion[] = []
  const overlaid = (later: Parts, run: number): Parts =>
    new Map([...later, ...(byRun.get(run) ?? []).map(({ part, previous }) => [part, previous] as const)])
  let parts = overlaid(new Map(), 0)
  let after = await recordWith(db, kind, id, parts)
  for (const run of runs) {
    await ownTurn()
    parts = overlaid(parts, run.run)
    const before = await recordWith(db, kind, id, parts)
    // It may have been changed back within the run.
    if (JSON.stringify(before) !== JSON.stringify(after)) versions.push({ ...run, before, after })
    after = before
  }
  return versions
}

async function recordWith(db: Db, kind: HistoryKind, id: string, parts: Parts): Promise<Members | undefined> {
  const text = (await recordsBefore(db, kind, new Map([[id, parts]]))).get(id)
  return text === undefined ? undefined : (JSON.parse(text) as Members)
}

async function rightVersions(
  db: Db,
  runs: readonly RecordRun[],
  byRun: ReadonlyMap<number, readonly Version[]>,
): Promise<RecordVersion[]> {
  const versions: RecordVersion[] = []
  for (const run of runs)
    for (const { id, part, previous } of byRun.get(run.run) ?? []) {
      const removed = laterRow(part, run.run, byRun)
      const right = await rightOf(db, id, part, previous ?? removed ?? null)
      if (right)
        versions.push({
          ...run,
          before: previous === null ? undefined : right,
          after: previous === null ? right : undefined,
        })
    }
  return versions
}

/** The row of a right that was added and later removed. */
function laterRow(part: string, run: number, byRun: ReadonlyMap<number, readonly Version[]>): string | undefined {
  const later = [...byRun].filter(([other]) => other === 0 || other > run).flatMap(([, some]) => some)
  return later.find((version) => version.part === part && version.previous !== null)?.previous ?? undefined
}
