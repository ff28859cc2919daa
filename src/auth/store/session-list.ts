import { sql } from 'kysely'
import { endSessions } from '../../access/store/sessions.ts'
import type { Db, Trx } from '../../database/open.ts'

type Paging = Readonly<{ $top: number; $skip: number }>

/** One row more than the page shows whether there is another page. */
function cut<Row>(rows: Row[], top: number): { rows: Row[]; more: boolean } {
  return { rows: rows.slice(0, top), more: rows.length > top }
}

/** A user's active sessions, newest first. */
export async function findSessions(db: Db, userKey: string, now: Temporal.Instant, paging: Paging) {
  const found = await db
    .selectFrom('session')
    .innerJoin('app', 'app.app_key', 'session.app_key')
    .select((eb) => [
      'session_id as sessionId',
      'session.app_key as appKey',
      'app.name as appName',
      'session.address',
      eb.ref('user_agent').as('userAgent'),
      eb.ref('session.created_at').as('createdAt'),
      eb.ref('session.expires_at').as('expiresAt'),
    ])
    .where('user_key', '=', userKey)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Temporal.Instant>`${now.toString()}::timestamptz`)
    .orderBy('session.created_at', 'desc')
    .orderBy('session_id')
    .limit(paging.$top + 1)
    .offset(paging.$skip)
    .execute()
  return cut(found, paging.$top)
}

export async function findConsents(db: Db, userKey: string, paging: Paging) {
  const found = await db
    .selectFrom('consent')
    .innerJoin('app', 'app.app_key', 'consent.app_key')
    .select((eb) => ['consent.app_key as appKey', 'app.name as appName', eb.ref('given_at').as('givenAt')])
    .where('user_key', '=', userKey)
    .orderBy('given_at', 'desc')
    .orderBy('consent.app_key')
    .limit(paging.$top + 1)
    .offset(paging.$skip)
    .execute()
  return cut(found, paging.$top)
}

/** Deletes a consent and ends the sessions based on it. False if there is none. */
export async function removeConsent(
  trx: Trx,
  userKey: string,
  appKey: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const removed = await trx
    .deleteFrom('consent')
    .where('user_key', '=', userKey)
    .where('app_key', '=', appKey)
    .executeTakeFirst()
  if (removed.numDeletedRows === 0n) return false
  await endSessions(trx, { userKey, appKey }, 'consent withdrawn', now)
  return true
}
