import { sql } from 'kysely'
import type { Db } from '../../../database/open.ts'
import type { DatabaseFacts, ReplicaFacts } from '../rules/database.ts'

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version_num')::int as "versionNumber",
      split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isInRecovery",
      current_setting('max_connections')::int as "maxConnections",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit"`.execute(db)
  return rows[0] as DatabaseFacts
}

export async function readDatabaseTime(db: Db): Promise<Temporal.Instant> {
  const { rows } = await sql<{ at: Temporal.Instant }>`select clock_timestamp() as at`.execute(db)
  return (rows[0] as { at: Temporal.Instant }).at
}

/** The position is read on the primary first, so a replica that has it has everything committed before. */
export async function readReplicaFacts(primary: Db, replica: Db): Promise<ReplicaFacts> {
  const position = await sql<{ lsn: string }>`
    select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as lsn`.execute(
    primary,
  )
  const { rows } = await sql<ReplicaFacts>`
    select pg_is_in_recovery() as "isInRecovery",
      coalesce(pg_wal_lsn_diff(${position.rows[0]?.lsn}::pg_lsn, pg_last_wal_replay_lsn()), 0)::float8 as "behindBytes",
      coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 as "behindSeconds"
    `.execute(replica)
  return rows[0] as ReplicaFacts
}

export async function hasTables(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('service') is not null as found`.execute(db)
  return rows[0]?.found === true
}
