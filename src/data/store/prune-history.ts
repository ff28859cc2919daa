import { type RawBuilder, sql } from 'kysely'
import { locks } from '../../database/locks.ts'
import type { Db, Trx } from '../../database/open.ts'

const batch = 2_000

/** Removes a batch of versions that are older than so many days. Returns whether there may be more. Skips it while data is being
 *  changed. First all of them count as gone (`pruned_seq`), and their runs can no longer be undone. */
export async function pruneHistory(db: Db, days: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const lock = sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${locks.history}) as mine`
    if (!(await lock.execute(trx)).rows[0]?.mine) return false
    const before = sql`clock_timestamp() - ${days} * interval '1 day'`
    // Runs are in the order of their times, unless the clock was set back.
    await sql`with kept as (
        select coalesce((select run from history_run where at >= ${before} order by run limit 1),
          (select max(run) + 1 from history_run)) as first_run),
      gone as (
        delete from history_run where run in (
          select run from history_run, kept where run < first_run order by run limit ${batch}) returning *),
      following as (
        select min(after_seq) as seq from history_run where run > (select max(run) from gone))
      update history set pruned_seq = greatest(pruned_seq,
          coalesce((select seq from following), (select max(seq) from record_version))),
        begins_at = greatest(begins_at, (select max(committed_at) from gone)),
        reference_revision = greatest(reference_revision, (select max(reference_revision) from gone)),
        event_revision = greatest(event_revision, (select max(event_revision) from gone))
      where exists (select from gone)`.execute(trx)
    const removed = await sql`delete from record_version where seq in (
      select seq from record_version where seq <= (select pruned_seq from history) order by seq limit ${batch})`.execute(
      trx,
    )
    return Number(removed.numAffectedRows ?? 0n) >= batch || (await pruneAccounts(trx, before))
  })
}

/** The same of what users changed, which is known from `begins_at` on. */
async function pruneAccounts(trx: Trx, before: RawBuilder<unknown>): Promise<boolean> {
  await sql`update history set begins_at = greatest(begins_at, ${before})
    where exists (select from account_version where at < ${before})
      and not exists (select from history_run where at < ${before})`.execute(trx)
  const removed = await sql`delete from account_version where number in (
    select number from account_version where at < (select begins_at from history) order by at limit ${batch})`.execute(
    trx,
  )
  return Number(removed.numAffectedRows ?? 0n) >= batch
}
