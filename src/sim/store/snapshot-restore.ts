import { sql } from 'kysely'
import { announce } from '../../database/changes.ts'
import type { Trx } from '../../database/open.ts'
import { listTables, type SnapshotTable } from './snapshot-tables.ts'
import { fixFormats } from './snapshots.ts'

/** Rows with a revision, by which nodes find what has changed: the name of a deletion's kind, and the key. */
const referenceTables = [
  { name: 'trading_calendar', kind: 'calendar', key: 'calendar_id' },
  { name: 'exchange', kind: 'exchange', key: 'exchange_id' },
  { name: 'instrument', kind: 'instrument', key: 'uic' },
  { name: 'option_root', kind: 'optionRoot', key: 'option_root_id' },
]

/** Blocks writers of every table of a snapshot, readers not. What they had begun is finished first, as long as that takes no
 *  longer than `maxWaitMs`: who waits for another may hold a lock that the other one needs. */
export async function lockTables(trx: Trx, maxWaitMs: number): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(maxWaitMs)}`.execute(trx)
  const tables = await listTables(trx)
  await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in exclusive mode`.execute(trx)
}

/** Makes every table of a snapshot what it was, by deleting and inserting only what differs. Returns the number of rows that
 *  were inserted. The tables must be locked. */
export async function restoreTables(trx: Trx, id: number): Promise<number> {
  await fixFormats(trx)
  // A table that was just filled has no statistics, and a nested loop would take very long.
  await sql`set local enable_nestloop = off`.execute(trx)
  await sql`set local enable_mergejoin = off`.execute(trx)
  const unchanged = await listUnchanged(trx, id)
  const tables = (await listTables(trx)).filter(({ name }) => !unchanged.has(name))
  const revisions = await nextRevisions(trx)
  const deleted = new Map<string, number>()
  // All deletions come first: a row may take the place of another. They cascade, and what they take with them is missing
  // when the rows of that table are inserted.
  for (const table of tables) deleted.set(table.name, await deleteOthers(trx, id, table, revisions))
  let inserted = 0
  for (const table of tables) {
    const count = await insertMissing(trx, id, table, revisions)
    deleted.set(table.name, (deleted.get(table.name) ?? 0) + count)
    inserted += count
  }
  const hasChanged = (name: string) => (deleted.get(name) ?? 0) > 0
  if (referenceTables.some(({ name }) => hasChanged(name))) await raiseReference(trx, revisions.reference)
  if (hasChanged('event')) await raiseEvents(trx, revisions.events)
  await sql`update snapshot set reference_identity = (select identity from reference_data),
    event_identity = (select identity from event_data) where snapshot_id = ${id}`.execute(trx)
  return inserted
}

/** Tables that are as they were, because their revision is. */
async function listUnchanged(trx: Trx, id: number): Promise<Set<string>> {
  const { rows } = await sql<{ reference: boolean; events: boolean }>`
    select reference_identity = (select identity from reference_data) as reference,
      event_identity = (select identity from event_data) as events
    from snapshot where snapshot_id = ${id}`.execute(trx)
  const same = rows[0]
  return new Set([
    ...(same?.reference ? referenceTables.map(({ name }) => name) : []),
    ...(same?.events ? ['event'] : []),
  ])
}

type Revisions = Readonly<{ reference: number; events: number }>

/** Locks both: no import changes data meanwhile. */
async function nextRevisions(trx: Trx): Promise<Revisions> {
  const of = async (table: 'reference_data' | 'event_data') =>
    (await trx.selectFrom(table).select('revision').forUpdate().executeTakeFirstOrThrow()).revision + 1
  return { reference: await of('reference_data'), events: await of('event_data') }
}

const savedRows = (id: number, { name }: SnapshotTable) =>
  sql`snapshot_row s where s.snapshot_id = ${id} and s.table_name = ${name}`

/** Deletes the rows that the snapshot does not have as they are. */
async function deleteOthers(trx: Trx, id: number, table: SnapshotTable, revisions: Revisions): Promise<number> {
  const others = sql`delete from ${table.rows}
    and not exists (select from ${savedRows(id, table)} and s.content = ${table.content})`
  const reference = referenceTables.find(({ name }) => name === table.name)
  if (reference)
    return affected(
      await sql`with gone as (${others} returning ${sql.ref(`t.${reference.key}`)}::text as key)
        insert into reference_deletion (kind, key, revision)
        select ${reference.kind}, key, ${revisions.reference}::bigint from gone
        on conflict (kind, key) do update set revision = excluded.revision`.execute(trx),
    )
  if (table.name === 'event')
    return affected(
      await sql`with gone as (${others} returning t.event_id)
        insert into event_deletion (event_id, revision) select event_id, ${revisions.events}::bigint from gone
        on conflict (event_id) do update set revision = excluded.revision`.execute(trx),
    )
  return affected(await others.execute(trx))
}

/** Inserts the rows of the snapshot that the table does not have. */
async function insertMissing(trx: Trx, id: number, table: SnapshotTable, revisions: Revisions): Promise<number> {
  const { name, columns } = table
  const reference = referenceTables.find((one) => one.name === name)
  const revision = reference ? revisions.reference : revisions.events
  const values = columns.map((column) =>
    column === 'revision' ? sql`${revision}::bigint` : sql`(r).${sql.ref(column)}`,
  )
  const inserted = affected(
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      overriding system value
      select ${sql.join(values)} from (
        select s.content::${sql.table(name)} as r from ${savedRows(id, table)}
          and not exists (select from ${table.rows} and ${table.content} = s.content)
        offset 0) missing`.execute(trx),
  )
  // A record that was added again is no longer removed.
  if (reference && inserted > 0)
    await sql`delete from reference_deletion d using ${sql.table(name)} t
      where d.kind = ${reference.kind} and d.key = ${sql.ref(`t.${reference.key}`)}::text
        and t.revision = ${revision}`.execute(trx)
  return inserted
}

async function raiseReference(trx: Trx, revision: number): Promise<void> {
  await trx.updateTable('reference_data').set({ revision }).execute()
}

async function raiseEvents(trx: Trx, revision: number): Promise<void> {
  await trx.updateTable('event_data').set({ revision }).execute()
}

/** What belongs to the restored rows: restored sessions are not removed ones, and the origin of the data is that of then.
 *  The number of the last election grows, so that no replica from before is read. */
export async function finishRestore(trx: Trx, id: number): Promise<void> {
  await sql`delete from removed_session r using session s where s.session_id = r.session_id`.execute(trx)
  await sql`update service set demo_loaded_at = (select demo_loaded_at from snapshot where snapshot_id = ${id})`.execute(
    trx,
  )
  await sql`update election_count set last = last + 1`.execute(trx)
}

/** Every node reads everything again. The last statement of a restore: changes that come before it are undone. */
export async function announceRestore(trx: Trx): Promise<void> {
  await announce(trx, [{ topic: 'everything', key: '' }])
}

const affected = ({ numAffectedRows }: { numAffectedRows?: bigint }): number => Number(numAffectedRows ?? 0n)
