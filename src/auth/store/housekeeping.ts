import { sql } from 'kysely'
import { locks } from '../../database/locks.ts'
import type { Db } from '../../database/open.ts'
import { graceSeconds } from '../rules/refresh.ts'

const batch = 1_000
/** There is one answer per refresh, and deleting by position is cheap. */
const answerBatch = 20_000

/** Deletes a batch of each kind of expired rows, unless another node does. Returns whether there may be more. Rows must be
 *  expired by real time and by the service's time, because a time travel may return to them. A spent refresh token is kept
 *  for a day, to detect its reuse, and after a travel as long as its session, as the record of an access token. */
export async function removeExpired(db: Db, real: Temporal.Instant, now = real): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const lock = sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${locks.housekeeping}) as mine`
    if (!(await lock.execute(trx)).rows[0]?.mine) return false
    const at = (Temporal.Instant.compare(now, real) < 0 ? now : real).toString()
    const realAt = real.toString()
    const removed = await sql<{ most: number }>`
      with codes as (
        delete from authorization_code where code_hash in (
          select code_hash from authorization_code
          where expires_at < ${at}::timestamptz - interval '1 day' limit ${batch}) returning 1),
      tokens as (
        delete from refresh_token where token_hash in (
          select token_hash from refresh_token t
          where expires_at < ${at}::timestamptz - interval '1 day' and (not exists (select from sim_clock)
            or not exists (select from session s where s.session_id = t.session_id)) limit ${batch}) returning 1),
      answers as (
        delete from refresh_answer where ctid = any(array(
          select ctid from refresh_answer
          where made_at < clock_timestamp() - ${graceSeconds} * interval '1 second' limit ${answerBatch})) returning 1),
      sessions as (
        delete from session where session_id in (
          (select session_id from session where expires_at < ${at}::timestamptz - interval '2 days' limit ${batch})
          union all
          (select session_id from session where ended_at < ${at}::timestamptz - interval '2 days' limit ${batch}))
        returning 1),
      sign_ins as (
        delete from sign_in where sign_in_id in (
          select sign_in_id from sign_in where expires_at < ${at}::timestamptz - interval '2 days' limit ${batch}) returning 1),
      attempts as (
        delete from failed_attempt where failed_attempt_id in (
          select failed_attempt_id from failed_attempt
          where made_at < ${realAt}::timestamptz - interval '10 minutes' limit ${batch}) returning 1),
      changes as (
        delete from change where change_id in (
          select change_id from change where made_at < clock_timestamp() - interval '1 hour' limit ${batch}) returning 1),
      removed as (
        delete from removed_session where session_id in (
          select session_id from removed_session where removed_at < clock_timestamp() - interval '2 days' limit ${batch}) returning 1),
      uploads as (
        delete from import_upload where expires_at < clock_timestamp() returning 1),
      counts as (
        delete from rate_count where (key, window_start) in (
          select key, window_start from rate_count
          where window_start < (extract(epoch from clock_timestamp()) - 172800) * 1000 limit ${batch}) returning 1)
      select greatest(
        (select count(*) from codes), (select count(*) from tokens), (select count(*) / ${answerBatch / batch} from answers), (select count(*) from sessions),
        (select count(*) from sign_ins), (select count(*) from attempts), (select count(*) from changes),
        (select count(*) from removed), (select count(*) from counts))::int as most`.execute(trx)
    return (removed.rows[0]?.most ?? 0) >= batch
  })
}
