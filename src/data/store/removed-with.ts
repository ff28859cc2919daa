import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { lastSeqOf, type Run } from './history-runs.ts'

/** What the history does not have of the clients, users and accounts that a run added: it goes with them. */
export type RemovedWith = Readonly<Record<'apps' | 'sessions' | 'consents' | 'calendars' | 'instructions', number>>

export async function countRemovedWith(db: Db, { run, afterSeq }: Run, now: Temporal.Instant): Promise<RemovedWith> {
  const { rows } = await sql<RemovedWith>`
    with added as materialized (
      select distinct kind, id from record_version
      where seq > ${afterSeq} and seq <= ${lastSeqOf(run)} and kind in ('client', 'user', 'account') and part = ''
        and change = 'added'),
    users as materialized (select id from added where kind = 'user'),
    apps as materialized (select app_key from app join added on kind = 'client' and id = client_key)
    select (select count(*) from apps) as apps,
      (select count(*) from session where ended_at is null and expires_at > ${now.toString()}
        and (user_key in (select id from users) or app_key in (select app_key from apps))) as sessions,
      (select count(*) from consent
        where user_key in (select id from users) or app_key in (select app_key from apps)) as consents,
      (select count(*) from calendar where user_key in (select id from users)) as calendars,
      (select count(*) from standing_instruction
        where ended_at is null and account_key in (select id from added where kind = 'account')) as instructions`.execute(
    db,
  )
  return rows[0] ?? { apps: 0, sessions: 0, consents: 0, calendars: 0, instructions: 0 }
}
