import { sql } from 'kysely'
import type { Caller } from '../../core/caller.ts'
import type { Db, Trx } from '../../database/open.ts'

const columns = { sessionId: 'session_id', userKey: 'user_key', appKey: 'app_key', signInId: 'sign_in_id' } as const
type SessionFilter = Partial<Record<keyof typeof columns, string>>

/** Ends the sessions that match the filter and notifies every node, in one statement. Returns their ids. */
export async function endSessions(
  db: Db,
  filter: SessionFilter,
  reason: string,
  now: Temporal.Instant,
): Promise<string[]> {
  if (Object.keys(filter).length === 0) throw new Error('endSessions needs a filter.')
  const rows = await db
    .with('ended', (query) => {
      let update = query
        .updateTable('session')
        .set({ ended_at: now.toString(), end_reason: reason })
        .where('ended_at', 'is', null)
      for (const [name, value] of Object.entries(filter))
        update = update.where(columns[name as keyof typeof columns], '=', value)
      return update.returning('session_id')
    })
    .insertInto('change')
    .columns(['topic', 'key'])
    .expression((eb) => eb.selectFrom('ended').select([sql.lit('session').as('topic'), 'session_id as key']))
    .returning('key')
    .execute()
  return rows.map((row) => row.key)
}

/** Ends all sign-ins and sessions of a user ("sign out everywhere"). */
export async function endEverything(
  trx: Trx,
  userKey: string,
  reason: string,
  now: Temporal.Instant,
): Promise<string[]> {
  await trx
    .updateTable('sign_in')
    .set({ ended_at: now.toString() })
    .where('user_key', '=', userKey)
    .where('ended_at', 'is', null)
    .execute()
  return endSessions(trx, { userKey }, reason, now)
}

/** The same, and the user's private calendars, whose addresses work without a sign-in: for a user who is disabled or whose
 *  password has changed (§4.2). The user's row must be locked, so that nothing is granted in between. */
export async function endAccess(trx: Trx, userKey: string, reason: string, now: Temporal.Instant): Promise<string[]> {
  const ended = await endEverything(trx, userKey, reason, now)
  await trx.deleteFrom('calendar').where('user_key', '=', userKey).execute()
  return ended
}

/** Locks the caller's user. False if the session has ended: another node may have ended it a moment ago. */
export async function lockUserOf(trx: Trx, { UserKey, sessionId }: Caller): Promise<boolean> {
  await trx.selectFrom('service_user').select('user_key').where('user_key', '=', UserKey).forNoKeyUpdate().execute()
  const session = trx.selectFrom('session').select('session_id').where('session_id', '=', sessionId)
  return (await session.where('ended_at', 'is', null).execute()).length > 0
}
