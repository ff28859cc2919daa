import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import { removeEvents } from '../../events/store/import.ts'

/** Announces every client, app and fault. Sessions need none: the clock is announced too, after which nodes check every
 *  token again. */
export async function announceEverything(trx: Trx): Promise<void> {
  await sql`
    insert into change (topic, key)
      select 'client', client_key from client
      union all select 'app', app_key from app
      union all select 'fault', app_key from app_fault`.execute(trx)
}

/** Removes all data but the service's own app, its keys and the audit log. Sign-ins, sessions, consents and calendars go
 *  with their users. */
export async function removeEverything(trx: Trx): Promise<void> {
  // An election locks its account, then its event; here it is the other way round.
  await sql`lock table account in exclusive mode`.execute(trx)
  // Blocks other changes of the reference data.
  await sql`select revision from reference_data for update`.execute(trx)
  for (const [kind, table, key] of [
    ['calendar', 'trading_calendar', 'calendar_id'],
    ['exchange', 'exchange', 'exchange_id'],
    ['instrument', 'instrument', 'uic'],
    ['optionRoot', 'option_root', 'option_root_id'],
  ])
    await sql`
      with gone as (delete from ${sql.table(table ?? '')} returning ${sql.ref(key ?? '')}::text as key)
      insert into reference_deletion (kind, key, revision)
      select ${kind}, key, (select revision + 1 from reference_data) from gone
      on conflict (kind, key) do update set revision = excluded.revision`.execute(trx)
  await removeEvents(trx)
  await sql`delete from position`.execute(trx)
  await sql`delete from scenario`.execute(trx)
  // Their numbers are not given again: a reader goes on from the last one it has.
  await sql`delete from election`.execute(trx)
  await sql`delete from app where client_key is not null`.execute(trx)
  await sql`delete from client`.execute(trx)
}

export async function readRevision(trx: Db): Promise<number> {
  const row = await trx.selectFrom('reference_data').select('revision').executeTakeFirstOrThrow()
  return row.revision
}
