import { sql } from 'kysely'
import { hasClients } from '../../access/store/import.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { Count } from '../kind.ts'
import { undoneBy } from './history-runs.ts'

/** Where the data of a database came from. */
export type DataOrigin = Readonly<{
  isDemo: boolean
  hasClients: boolean
  imported: readonly { kind: string; records: number }[]
}>

export async function readOrigin(db: Db): Promise<DataOrigin> {
  const service = await db.selectFrom('service').select('demo_loaded_at').executeTakeFirst()
  const { rows: imported } = await sql<{ kind: string; records: number }>`
    select kind, sum(records)::bigint as records from (
      select kind, records from imported_data union all select 'app', 1 from imported_app) counted
    group by kind order by kind`.execute(db)
  return { isDemo: (service?.demo_loaded_at ?? null) !== null, hasClients: await hasClients(db), imported }
}

/** Everything in the database is now the demo's. */
export async function noteDemo(trx: Trx, now: Temporal.Instant): Promise<void> {
  await trx.updateTable('service').set({ demo_loaded_at: now.toString() }).execute()
  await trx.deleteFrom('imported_data').execute()
  await trx.deleteFrom('imported_app').execute()
}

/** Deletions are not noted: nothing of the operator's is lost when a reset undoes them. Call it while the records are staged. */
export async function noteImport(trx: Trx, counts: readonly Count[]): Promise<void> {
  for (const count of counts) {
    const records = count.added + count.changed
    if (count.kind !== 'app') await addRecords(trx, count.kind, records)
    else if (records > 0)
      await sql`insert into imported_app select app_key from staged_app s
        where not deletion and exists (select from app a where a.app_key = s.app_key) on conflict do nothing`.execute(
        trx,
      )
  }
}

/** Takes back what the undone run changed in the counts (§11.4). Apps count as long as they are there. `counts` are those of this
 *  undo: if the effect of the run is unknown, or a later restore has set the counts, too much is noted rather than too little. */
export async function noteUndo(trx: Trx, undone: number, counts: readonly Count[]): Promise<void> {
  const { rows } = await sql<{ imported: Readonly<Record<string, number>> | null; isReplaced: boolean }>`
    select imported, exists (
      select from history_run r where r.run > ${undone} and r.counts is null and r.imported is distinct from '{}'
        and ${undoneBy} is null) as "isReplaced"
    from history_run where run = ${undone}`.execute(trx)
  const { imported = null, isReplaced = false } = rows[0] ?? {}
  if (imported === null || isReplaced) return noteImport(trx, counts)
  for (const [kind, records] of Object.entries(imported)) await addRecords(trx, kind, -records)
  await sql`delete from imported_data where records <= 0`.execute(trx)
}

async function addRecords(trx: Trx, kind: string, records: number): Promise<void> {
  if (records === 0) return
  await sql`insert into imported_data as present (kind, records, last_at) values (${kind}, ${records}, clock_timestamp())
    on conflict (kind) do update
    set records = present.records + excluded.records, last_at = excluded.last_at`.execute(trx)
}

/** Whether a database has data that a demo must not be mixed with. */
export async function holdsData(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    holds: boolean
  }>`select exists (select from client) or exists (select from imported_data) or exists (select from imported_app)
    or exists (select from exchange) or exists (select from instrument) as holds`.execute(db)
  return rows[0]?.holds ?? true
}
