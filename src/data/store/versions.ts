import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'

export type RecordRun = Readonly<{
  run: number
  /** When it was committed. */
  at: Temporal.Instant
  source: string
  revision: number | null
}>

type Selection = Readonly<{ kind: string; id: string }>

/** Elections are no part of the history of an event: they belong to clients. */
const shown = (kind: string) => (kind === 'event' ? sql`and v.part = ''` : sql``)

/** The runs that changed a record, latest first. */
export async function listRecordRuns(
  db: Db,
  { kind, id }: Selection,
  { limit, skip }: { limit: number; skip: number },
): Promise<RecordRun[]> {
  const revision = sql.ref(kind === 'event' ? 'event_revision' : 'reference_revision')
  const hasRevision = ['calendar', 'exchange', 'instrument', 'optionRoot', 'event'].includes(kind)
  const { rows } = await sql<RecordRun>`
    select run, coalesce(committed_at, at) as at, source, ${hasRevision ? revision : sql`null::bigint`} as revision from history_run
    join (select distinct run from record_version v where kind = ${kind} and id = ${id} ${shown(kind)}) found using (run)
    order by run desc limit ${limit} offset ${skip}`.execute(db)
  return rows
}

export async function countRecordRuns(db: Db, { kind, id }: Selection): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct v.run) as count from record_version v join history_run using (run)
    where kind = ${kind} and id = ${id} ${shown(kind)}`.execute(db)
  return rows[0]?.count ?? 0
}

export type Version = Readonly<{ run: number; id: string; part: string; previous: string | null }>

/** The first version of each row in each of these runs, and, as run 0, the first one after the last of them. */
export async function readVersions(
  db: Db,
  { kind, id, part }: Selection & Readonly<{ part?: string | undefined }>,
  runs: readonly number[],
): Promise<Version[]> {
  const last = Math.max(...runs)
  const ofPart = part === undefined ? shown(kind) : sql`and v.part = ${part}`
  const { rows } = await sql<Version>`
    (select distinct on (run, part) run, id, part, previous::text as previous from record_version v
      where kind = ${kind} and id = ${id} and run = any(${runs}) ${ofPart} order by run, part, seq)
    union all
    (select distinct on (part) 0, id, part, previous::text from record_version v
      where kind = ${kind} and id = ${id} and run > ${last} ${ofPart} order by part, seq)`.execute(db)
  return rows
}
