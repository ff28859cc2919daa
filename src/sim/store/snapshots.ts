import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import { hashOf, listTables } from './snapshot-tables.ts'

export type Snapshot = Readonly<{
  id: number
  name: string
  savedAt: Temporal.Instant
  serviceTime: Temporal.Instant
  isFrozen: boolean
  bytes: number
  /** Whether its tables are those of this version. */
  isCurrent: boolean
}>

const lastMigration = sql<number>`(select max(version) from migration)`

const snapshots = (db: Db) =>
  db
    .selectFrom('snapshot')
    .select([
      'snapshot_id as id',
      'name',
      'saved_at as savedAt',
      'service_time as serviceTime',
      'is_frozen as isFrozen',
      'bytes',
    ])
    .select(sql<boolean>`migration = ${lastMigration}`.as('isCurrent'))

/** Oldest first. There are few (rules/snapshot.ts). */
export const listSnapshots = (db: Db): Promise<Snapshot[]> => snapshots(db).orderBy('snapshot_id').execute()

/** No one deletes or replaces it until the end of the transaction. */
export const holdSnapshot = (trx: Trx, name: string): Promise<Snapshot | undefined> =>
  snapshots(trx).where('name', '=', name).forUpdate().executeTakeFirst()

/** Must come first in the transaction: later reads see everything committed before. */
export async function lockSnapshots(trx: Trx): Promise<void> {
  await sql`lock table snapshot in share row exclusive mode`.execute(trx)
}

/** The bytes that the tables of a snapshot take. */
export async function measureTables(trx: Trx): Promise<number> {
  const names = (await listTables(trx)).map(({ name }) => name)
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_table_size(quote_ident(name)::regclass)), 0)::bigint as bytes
    from unnest(${names}::text[]) name`.execute(trx)
  return rows[0]?.bytes ?? 0
}

type NewSnapshot = Readonly<{
  name: string
  savedAt: Temporal.Instant
  serviceTime: Temporal.Instant
  isFrozen: boolean
}>

/** Texts of times must not depend on the settings of a connection. */
export async function fixFormats(trx: Trx): Promise<void> {
  await sql`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true)`.execute(trx)
}

/** Copies every row. The transaction must see one state of the database. */
export async function writeSnapshot(trx: Trx, { name, savedAt, serviceTime, isFrozen }: NewSnapshot): Promise<void> {
  await fixFormats(trx)
  const { rows } = await sql<{ id: number }>`
    insert into snapshot (name, saved_at, service_time, is_frozen, migration, demo_loaded_at, reference_identity,
      event_identity)
    values (${name}, ${savedAt.toString()}, ${serviceTime.toString()}, ${isFrozen}, ${lastMigration},
      (select demo_loaded_at from service), (select identity from reference_data), (select identity from event_data))
    returning snapshot_id as id`.execute(trx)
  const id = rows[0]?.id ?? 0
  const copied = (await listTables(trx)).map(
    ({ name, content, rows }) => sql`select ${name}::text as table_name, ${content} as content from ${rows}`,
  )
  await sql`insert into snapshot_row (snapshot_id, table_name, content, hash)
    select ${id}::bigint, table_name, content, ${hashOf(sql`content`)}
    from (${sql.join(copied, sql` union all `)}) copied`.execute(trx)
  await sql`update snapshot set bytes = (
    select coalesce(sum(pg_column_size(content)), 0) from snapshot_row where snapshot_id = ${id})
    where snapshot_id = ${id}`.execute(trx)
}

/** False if there is none. */
export async function deleteSnapshot(trx: Trx, name: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('snapshot').where('name', '=', name).executeTakeFirst()
  return numDeletedRows > 0n
}
