import type { Db, Trx } from '../../database/open.ts'
import type { EventFilters } from '../api/schema.ts'

export type Calendar = Readonly<{
  calendarId: string
  name: string
  filters: EventFilters
  createdAt: Temporal.Instant
  lastReadAt: Temporal.Instant | null
}>

/** Adds a calendar; false if the user already has `max`. The user's row must be locked, so that concurrent calls count each
 *  other. */
export async function addCalendar(
  trx: Trx,
  calendar: Omit<Calendar, 'lastReadAt'> & { tokenHash: Buffer; userKey: string },
  max: number,
): Promise<boolean> {
  const { userKey } = calendar
  const { count } = await trx
    .selectFrom('calendar')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_key', '=', userKey)
    .executeTakeFirstOrThrow()
  if (count >= max) return false
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

const columns = [
  'calendar_id as calendarId',
  'calendar.name',
  'filters',
  'created_at as createdAt',
  'last_read_at as lastReadAt',
] as const

export async function listCalendars(db: Db, userKey: string): Promise<Calendar[]> {
  return await db
    .selectFrom('calendar')
    .select(columns)
    .where('user_key', '=', userKey)
    .orderBy('created_at', 'desc')
    .orderBy('calendar_id')
    .$castTo<Calendar>()
    .execute()
}

/** False if the user has no such calendar. */
export async function removeCalendar(trx: Trx, userKey: string, calendarId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('calendar')
    .where('calendar_id', '=', calendarId)
    .where('user_key', '=', userKey)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The calendar with this token, and its user's present client; undefined if the user is disabled. */
export async function findCalendar(db: Db, tokenHash: Buffer): Promise<(Calendar & { clientKey: string }) | undefined> {
  return await db
    .selectFrom('calendar')
    .innerJoin('service_user', 'service_user.user_key', 'calendar.user_key')
    .select([...columns, 'client_key as clientKey'])
    .where('token_hash', '=', tokenHash)
    .where('disabled', '=', false)
    .$castTo<Calendar & { clientKey: string }>()
    .executeTakeFirst()
}

export async function noteCalendarRead(db: Db, calendarId: string, now: Temporal.Instant): Promise<void> {
  await db.updateTable('calendar').set({ last_read_at: now.toString() }).where('calendar_id', '=', calendarId).execute()
}
