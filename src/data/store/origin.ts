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
  const imported = await db.selectFrom('imported_data').select(['kind', 'records']).orderBy('kind').execute()
  return { isDemo: (service?.demo_loaded_at ?? null) !== null, hasClients: await hasClients(db), imported }
}

/** Everything in the database is now the demo's. */
export async function noteDemo(trx: Trx, now: Temporal.Instant): Promise<void> {
  await trx.updateTable('service').set({ demo_loaded_at: now.toString() }).execute()
  await trx.deleteFrom('imported_data').execute()
}

/** Deletions are not noted: nothing of the operator's is lost when a reset undoes them. */
export async function noteImport(trx: Trx, counts: readonly Count[]): Promise<void> {
  for (const { kind, added, changed } of counts)
    if (added + changed > 0)
      await sql`insert into imported_data as present (kind, records, last_at)
        values (${kind}, ${added + changed}, clock_timestamp())
        on conflict (kind) do update
        set records = present.records + excluded.records, last_at = excluded.last_at`.execute(trx)
}

/** Whether a database has data that a demo must not be mixed with. */
export async function holdsData(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    holds: boolean
  }>`select exists (select from client) or exists (select from imported_data)
    or exists (select from exchange) or exists (select from instrument) as holds`.execute(db)
  return rows[0]?.holds ?? true
}
