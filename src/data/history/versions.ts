import { ownTurn } from '../../core/async/own-turn.ts'
import type { Db } from '../../database/open.ts'
import { type RecordRun, readVersions, type Version } from '../store/versions.ts'
import type { HistoryKind } from './kinds.ts'
import { type Parts, recordReader, rightOf } from './state.ts'

type Members = Readonly<Record<string, unknown>>
export type RecordVersion = RecordRun & Readonly<{ before: Members | undefined; after: Members | undefined }>

/** What `make` makes of the record before and after each of these runs: large records are not all in memory at once. Of access
 *  rights, each right that was added or removed, or the one that `part` names. `db` must read one snapshot. */
export async function versionsOf<T>(
  db: Db,
  { kind, id, part }: Readonly<{ kind: HistoryKind; id: string; part?: string | undefined }>,
  runs: readonly RecordRun[],
  make: (version: RecordVersion) => readonly T[],
): Promise<T[]> {
  if (runs.length === 0) return []
  const numbers = runs.map(({ run }) => run)
  const byRun = Map.groupBy(await readVersions(db, { kind, id, part }, numbers), ({ run }) => run)
  if (kind === 'accessRight') return (await rightVersions(db, runs, byRun)).flatMap(make)
  const recordWith = await recordReader(db, kind, id)
  return recordVersions(recordWith, runs, byRun, make)
}

/** Goes back from the latest run: what was before it is what was after the one before. */
async function recordVersions<T>(
  recordWith: (parts: Parts) => string | undefined,
  runs: readonly RecordRun[],
  byRun: ReadonlyMap<number, readonly Version[]>,
  make: (version: RecordVersion) => readonly T[],
): Promise<T[]> {
  const made: T[] = []
  const overlaid = (later: Parts, run: number): Parts =>
    new Map([...later, ...(byRun.get(run) ?? []).map(({ part, previous }) => [part, previous] as const)])
  let parts = overlaid(new Map(), 0)
  let text = recordWith(parts)
  let after = membersOf(text)
  for (const run of runs) {
    await ownTurn()
    parts = overlaid(parts, run.run)
    const earlier = recordWith(parts)
    // It may have been changed back within the run.
    if (earlier === text) continue
    const before = membersOf(earlier)
    made.push(...make({ ...run, before, after }))
    text = earlier
    after = before
  }
  return made
}

const membersOf = (text: string | undefined): Members | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Members)

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
