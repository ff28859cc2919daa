import { type RawBuilder, sql } from 'kysely'
import { isoMilliseconds, maxSkewSeconds, plusSeconds } from '../../core/clock.ts'
import type { Db } from '../../database/open.ts'

export type SecretUse = Readonly<{ secretId: number; sha256: Uint8Array; atMs: number }>

/** Writes when secrets were last used, in one statement. Nodes write in any order, so only a later time is written, unless
 *  the stored one is from a future that was time-travelled to. Skips locked rows, so it never delays a change or an import;
 *  returns their ids for the next write. */
export async function writeLastUses(db: Db, uses: readonly SecretUse[], now?: Temporal.Instant): Promise<number[]> {
  const ids = uses.map(({ secretId }) => secretId)
  const hashes = uses.map(({ sha256 }) => sha256)
  const times = uses.map(({ atMs }) => isoMilliseconds(atMs))
  const future = now === undefined ? null : plusSeconds(now, maxSkewSeconds).toString()
  const isOlder = (at: RawBuilder<unknown>) =>
    sql`(s.last_used_at is null or s.last_used_at < ${at}
      or (s.last_used_at > ${future}::timestamptz and s.last_used_at <> ${at}))`
  const older = sql`from app_secret s
    join unnest(${ids}::bigint[], ${hashes}::bytea[], ${times}::timestamptz[]) as u (secret_id, sha256, at)
      on u.secret_id = s.secret_id and u.sha256 = s.secret_sha256
    where ${isOlder(sql`u.at`)}`
  // Checked again while writing: between the read and the lock another node may have written, or the secret changed.
  const { rows } = await sql<{ secret_id: number }>`
    with free as (
      select s.secret_id, u.sha256, u.at ${older} for no key update of s skip locked
    ), written as (
      update app_secret s set last_used_at = free.at from free
      where s.secret_id = free.secret_id and s.secret_sha256 = free.sha256
        and ${isOlder(sql`free.at`)}
    )
    select s.secret_id ${older} and s.secret_id not in (select secret_id from free)`.execute(db)
  return rows.map((row) => row.secret_id)
}
