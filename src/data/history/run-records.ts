import { type Db, inSnapshot } from '../../database/open.ts'
import { maxRunFields, type RunRecord } from '../api/history-schema.ts'
import { listRunRecords, type RunRecordRow, type RunRow } from '../store/runs.ts'
import { entryOf, everything } from './entries.ts'
import type { HistoryKind } from './kinds.ts'
import { versionsOf } from './versions.ts'

type Selection = Readonly<{ kind?: string | undefined; after?: number; limit: number }>

/** The records that a run changed, with the fields that differ. `next` is what to go on after. */
export function readRunRecords(db: Db, run: RunRow, { kind, after = 0, limit }: Selection) {
  return inSnapshot(db, async (snapshot) => {
    const rows = await listRunRecords(snapshot, run, { kind, after, limit: limit + 1 })
    const shown = rows.slice(0, limit)
    const records: RunRecord[] = []
    for (const row of shown) records.push(...(await recordsOf(snapshot, run, row)))
    return { records, next: rows.length > limit ? shown.at(-1)?.seq : undefined }
  })
}

/** What the run changed in a record; nothing if it changed it back. */
function recordsOf(db: Db, run: RunRow, { id, kind, part }: RunRecordRow): Promise<RunRecord[]> {
  return versionsOf(db, { kind: kind as HistoryKind, id, part }, [run], (version) =>
    entryOf(version, everything).map(({ Change, Fields, MoreFields = 0 }) => {
      const more = MoreFields + Math.max(0, Fields.length - maxRunFields)
      return {
        Change,
        Fields: Fields.slice(0, maxRunFields),
        Id: id,
        Kind: kind,
        ...(more > 0 && { MoreFields: more }),
      }
    }),
  )
}
