import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/open.ts'

/** What a run did to a position or to the record of an event. */
type OfInstrument = Readonly<{ uic: number; assetType: string; run: number }>

/** Whether an event was there before a run, or was changed by none since: the first change from the run on did not add it. */
const wasThere = (id: RawBuilder<unknown>, run: number) => sql`
  (select v.change from record_version v where v.kind = 'event' and v.id = ${id} and v.part = '' and v.run >= ${run}
    order by v.seq limit 1) is distinct from 'added'`

/** The events of an instrument, without those that the run or a later one has added: these have a change of their own. */
export async function listEventIds(db: Db, { uic, assetType, run }: OfInstrument, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.event_id as id from event e
    where e.uic = ${uic} and e.asset_type = ${assetType} and ${wasThere(sql`e.event_id`, run)} limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Those that later runs have removed. What the run itself has removed has a change of its own. */
export async function listRemovedEventIds(db: Db, of: OfInstrument, limit: number): Promise<string[]> {
  const { uic, assetType, run } = of
  const { rows } = await sql<{ id: string }>`
    select distinct r.id from record_version r
    where r.kind = 'event' and r.part = '' and r.change = 'removed' and r.run > ${run}
      and r.previous -> 'document' ->> 'Uic' = ${String(uic)} and r.previous -> 'document' ->> 'AssetType' = ${assetType}
      and ${wasThere(sql`r.id`, run)} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether one of these accounts had a position in an instrument before a run, although none has one now. */
export async function hadPosition(
  db: Db,
  accountKeys: readonly string[],
  { uic, assetType, run }: OfInstrument,
): Promise<boolean> {
  const { rows } = await sql<{ change: string }>`
    select distinct on (v.id) v.change from record_version v
    where v.kind = 'position' and split_part(v.id, ' ', 1) = any(${[...accountKeys]}) and v.run >= ${run}
      and v.seq > (select after_seq from history_run where run = ${run})
      and split_part(v.id, ' ', 2) = ${String(uic)} and split_part(v.id, ' ', 3) = ${assetType}
    order by v.id, v.seq`.execute(db)
  return rows.some(({ change }) => change !== 'added')
}
