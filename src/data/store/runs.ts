import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { Count } from '../kind.ts'
import { lastSeqOf, undoneBy } from './history-runs.ts'

export type RunRow = Readonly<{
  run: number
  afterSeq: number
  /** When it was committed. */
  at: Temporal.Instant
  source: string
  revision: number | null
  eventRevision: number | null
  undoes: number | null
  undoneBy: number | null
  counts: readonly Count[] | null
}>

const rows = sql`select run, after_seq as "afterSeq", coalesce(committed_at, at) as at, source, reference_revision as revision,
    event_revision as "eventRevision", undoes, counts,
    ${undoneBy} as "undoneBy"
  from history_run r`

/** Newest first, before a run. */
export async function listRuns(db: Db, { limit, before }: { limit: number; before: number | undefined }) {
  const found = await sql<RunRow>`${rows} where ${before === undefined ? sql`true` : sql`run < ${before}`}
    order by run desc limit ${limit}`.execute(db)
  return found.rows
}

export async function findRunRow(db: Db, run: number): Promise<RunRow | undefined> {
  const found = await sql<RunRow>`${rows} where run = ${run}`.execute(db)
  return found.rows[0]
}

/** By which run each of these runs was undone, if it was. */
export async function findUndone(db: Db, runs: readonly number[]): Promise<Map<number, number>> {
  if (runs.length === 0) return new Map()
  const found = await sql<{ run: number; by: number | null }>`
    select run, ${undoneBy} as by from history_run r where run = any(${runs})`.execute(db)
  return new Map(found.rows.flatMap(({ run, by }) => (by === null ? [] : [[run, by] as const])))
}

/** The first version of a record in its run. An access right has a part, because a client has several. */
export type RunRecordRow = Readonly<{ seq: number; kind: string; id: string; part: string | undefined }>

type Selection = Readonly<{ kind: string | undefined; after: number; limit: number }>

/** The records that a run changed, in the order in which it did, after a version. Elections belong to clients: an event of which
 *  only those changed is not listed. */
export async function listRunRecords(
  db: Db,
  { run, afterSeq }: Pick<RunRow, 'run' | 'afterSeq'>,
  { kind, after, limit }: Selection,
): Promise<RunRecordRow[]> {
  const found = await sql<RunRecordRow & { part: string }>`
    select seq, kind, id, part from record_version v
    where seq > ${Math.max(afterSeq, after)} and seq <= ${lastSeqOf(run)} and (kind <> 'event' or part = '')
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      and not exists (select from record_version e where e.kind = v.kind and e.id = v.id and e.seq > ${afterSeq}
        and e.seq < v.seq and (e.part = v.part or e.kind not in ('accessRight', 'event')))
    order by seq limit ${limit}`.execute(db)
  return found.rows.map((row) => ({ ...row, part: row.kind === 'accessRight' ? row.part : undefined }))
}
