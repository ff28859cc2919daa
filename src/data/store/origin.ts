import { sql } from 'kysely'
import { hasClients } from '../../access/store/import.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { Count } from '../kind.ts'

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
    if (count.kind !== 'app') await addRecords(trx, count, 1)
    else if (count.added + count.changed > 0)
      await sql`insert into imported_app select app_key from staged_app s
        where not deletion and exists (select from app a where a.app_key = s.app_key) on conflict do nothing`.execute(
        trx,
      )
  }
}

/** What a run brought is no longer imported data once it is undone; if it was an undo itself, it is again. Apps count as long as
 *  they are there. `counts` are those of this undo. */
export async function noteUndo(trx: Trx, undone: number, counts: readonly Count[]): Promise<void> {
  const { rows } = await sql<{ counts: readonly Count[] | null; sign: 1 | -1 }>`
    with recursive chain as (
      select undoes, counts, -1 as sign from history_run where run = ${undone}
      union all select r.undoes, r.counts, -c.sign from chain c join history_run r on r.run = c.undoes)
    select counts, sign from chain where undoes is null`.execute(trx)
  const [first] = rows
  // If the first run is no longer in the history, or was no import, too much is noted rather than too little: the undo of a
  // restore brings back what was imported before it.
  if (!first?.counts) return noteImport(trx, counts)
  for (const count of first.counts) if (count.kind !== 'app') await addRecords(trx, count, first.sign)
  await sql`delete from imported_data where records <= 0`.execute(trx)
}

async function addRecords(trx: Trx, { kind, added, changed }: Count, sign: 1 | -1): Promise<void> {
  const records = sign * (added + changed)
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
