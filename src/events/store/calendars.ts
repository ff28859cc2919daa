import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import type { EventFilters } from '../api/schema.ts'
import type { Scope } from './scope.ts'

export type Calendar = Readonly<{
  calendarId: string
  name: string
  filters: EventFilters
  createdAt: Temporal.Instant
  lastReadAt: Temporal.Instant | null
}>

/** Keeps a new calendar of a user; false when the user has as many as there may be. The user's row is held meanwhile, so
 *  that simultaneous ones count each other. */
export async function addCalendar(
  trx: Trx,
  calendar: Omit<Calendar, 'lastReadAt'> & { tokenHash: Buffer; userKey: string },
  most: number,
): Promise<boolean> {
  const { userKey } = calendar
  await trx.selectFrom('service_user').select('user_key').where('user_key', '=', userKey).forNoKeyUpdate().execute()
  const { count } = await trx
    .selectFrom('calendar')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_key', '=', userKey)
    .executeTakeFirstOrThrow()
  if (count >= most) return false
  const row = {
    calendar_id: calendar.calendarId,
    token_hash: calendar.tokenHash,
    user_key: userKey,
    name: calendar.name,
    filters: JSON.stringify(calendar.filters),
    created_at: calendar.createdAt.toString(),
  }
  await trx.insertInto('calendar').values(row).execute()
  return true
}

const columns = ['calendar_id', 'calendar.name', 'filters', 'created_at', 'last_read_at'] as const

/** A user's calendars, newest first; `addCalendar` bounds them. */
export async function listCalendars(db: Db, userKey: string): Promise<Calendar[]> {
  const rows = await db
    .selectFrom('calendar')
    .select(columns)
    .where('user_key', '=', userKey)
    .orderBy('created_at', 'desc')
    .orderBy('calendar_id')
    .execute()
  return rows.map(calendarOf)
}

/** False when the user has no such calendar. */
export async function removeCalendar(trx: Trx, userKey: string, calendarId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('calendar')
    .where('calendar_id', '=', calendarId)
    .where('user_key', '=', userKey)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The calendar of an address, and the client that its user has today; none when the user is gone or disabled. */
export async function findCalendar(db: Db, tokenHash: Buffer): Promise<(Calendar & { clientKey: string }) | undefined> {
  const row = await db
    .selectFrom('calendar')
    .innerJoin('service_user', 'service_user.user_key', 'calendar.user_key')
    .select([...columns, 'client_key'])
    .where('token_hash', '=', tokenHash)
    .where('disabled', '=', false)
    .executeTakeFirst()
  return row && { ...calendarOf(row), clientKey: row.client_key }
}

export async function noteCalendarRead(db: Db, calendarId: string, now: Temporal.Instant): Promise<void> {
  await db.updateTable('calendar').set({ last_read_at: now.toString() }).where('calendar_id', '=', calendarId).execute()
}

/** The first of a scope's keys that is not there for whoever asks, as a list of events would find it (scope-store). */
export async function findMissingKey(
  db: Db,
  { callerClientKey, clientKey, accountKey, accountGroupKey }: Scope,
): Promise<'ClientKey' | 'AccountKey' | 'AccountGroupKey' | undefined> {
  const lacks = (table: string, column: string, key: string | undefined): RawBuilder<boolean> =>
    key === undefined
      ? sql`false`
      : sql`not exists (select from ${sql.table(table)} where ${sql.ref(column)} = ${key} and client_key = ${clientKey})`
  const { rows } = await sql<{ lacks_client: boolean; lacks_account: boolean; lacks_group: boolean }>`
    with recursive above as (
      select client_key, owner_client_key from client where client_key = ${clientKey}
      union select c.client_key, c.owner_client_key from above join client c on c.client_key = above.owner_client_key
    )
    select not exists (select from above where client_key = ${callerClientKey}) as lacks_client,
      ${lacks('account', 'account_key', accountKey)} as lacks_account,
      ${lacks('account_group', 'account_group_key', accountGroupKey)} as lacks_group`.execute(db)
  const [found] = rows
  if (found?.lacks_client) return 'ClientKey'
  if (found?.lacks_account) return 'AccountKey'
  return found?.lacks_group ? 'AccountGroupKey' : undefined
}

type Row = Readonly<{
  calendar_id: string
  name: string
  filters: Record<string, unknown>
  created_at: Temporal.Instant
  last_read_at: Temporal.Instant | null
}>

function calendarOf(row: Row): Calendar {
  return {
    calendarId: row.calendar_id,
    name: row.name,
    filters: row.filters as EventFilters,
    createdAt: row.created_at,
    lastReadAt: row.last_read_at,
  }
}
