import { sql } from 'kysely'
import { announce } from '../../database/changes.ts'
import type { Trx } from '../../database/open.ts'
import { type Revisions, referenceTables, writeDifferences } from './snapshot-differences.ts'
import { listTables, type SnapshotTable } from './snapshot-tables.ts'
import { fixFormats } from './snapshots.ts'

/** How long the transaction waits for each lock: a waiting writer may hold a lock that we need. */
export async function limitLockWaits(trx: Trx, maxWaitMs: number): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(maxWaitMs)}`.execute(trx)
}

/** Blocks writers of every table of a snapshot, readers not, and returns the tables. What writers had begun is finished first. */
export async function lockTables(trx: Trx): Promise<SnapshotTable[]> {
  const tables = await listTables(trx)
  await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in exclusive mode`.execute(trx)
  return tables
}

/** Makes every table of a snapshot what it was, by deleting and inserting only what differs. Returns the number of rows that
 *  were inserted. The tables must be locked. */
export async function restoreTables(trx: Trx, id: number, tables: readonly SnapshotTable[]): Promise<number> {
  await fixFormats(trx)
  const { revisions, unchanged } = await readIdentities(trx, id)
  const compared = tables.filter(({ name }) => !unchanged.has(name))
  const { changed, inserted } = await writeDifferences(trx, id, compared, revisions)
  if (referenceTables.some(({ name }) => changed.has(name))) await raiseReference(trx, revisions.reference)
  if (changed.has('event')) await raiseEvents(trx, revisions.events)
  return inserted
}

type Identities = Readonly<{ revisions: Revisions; unchanged: ReadonlySet<string> }>

/** The next revisions, and the tables that are as they were, because their revision is. Locks the revisions: no import changes
 *  data meanwhile. */
async function readIdentities(trx: Trx, id: number): Promise<Identities> {
  const { rows } = await sql<Revisions & { isReferenceSame: boolean; areEventsSame: boolean }>`
    select r.revision + 1 as reference, e.revision + 1 as events,
      s.reference_identity = r.identity as "isReferenceSame", s.event_identity = e.identity as "areEventsSame"
    from snapshot s, reference_data r, event_data e where s.snapshot_id = ${id} for update of r, e`.execute(trx)
  const [found] = rows
  if (!found) throw new Error('The snapshot is gone, although it is held.')
  const { isReferenceSame, areEventsSame, ...revisions } = found
  const unchanged = [
    ...(isReferenceSame ? referenceTables.map(({ name }) => name) : []),
    ...(areEventsSame ? ['event'] : []),
  ]
  return { revisions, unchanged: new Set(unchanged) }
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
  await sql`
    with present as (delete from removed_session r using session s where s.session_id = r.session_id),
      origin as (update service set demo_loaded_at = (select demo_loaded_at from snapshot where snapshot_id = ${id})),
      counted as (update election_count set last = last + 1)
    update snapshot set reference_identity = (select identity from reference_data),
      event_identity = (select identity from event_data) where snapshot_id = ${id}`.execute(trx)
}

/** Every node reads everything again. The last statement of a restore: changes that come before it are undone. */
export async function announceRestore(trx: Trx): Promise<void> {
  await announce(trx, [{ topic: 'everything', key: '' }])
}
