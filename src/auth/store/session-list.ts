import { sql } from 'kysely'
import { endSessions } from '../../access/store/sessions.ts'
import type { Db, Trx } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'

type Paging = Readonly<{ $top: number; $skip: number }>

/** One row more than the page shows whether there is another page. */
function cut<Row>(rows: Row[], top: number): { rows: Row[]; more: boolean } {
  return { rows: rows.slice(0, top), more: rows.length > top }
}

type OfUser = Readonly<{ userKey: string; limit: number; skip: number }>

const selectSessions = prepared((db, { userKey, now, limit, skip }: OfUser & { now: string }) =>
  db
    .selectFrom('session')
    .innerJoin('app', 'app.app_key', 'session.app_key')
    .select(['session_id as sessionId', 'session.app_key as appKey', 'app.name as appName', 'address'])
    .select(['user_agent as userAgent', 'session.created_at as createdAt', 'expires_at as expiresAt'])
    .where('user_key', '=', userKey)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Temporal.Instant>`${now}::timestamptz`)
    .orderBy('session.created_at', 'desc')
    .orderBy('session_id')
    .limit(sql<number>`${limit}`)
    .offset(sql<number>`${skip}`),
)

export async function findSessions(db: Db, userKey: string, now: Temporal.Instant, { $top, $skip }: Paging) {
  return cut(await selectSessions(db, { userKey, now: now.toString(), limit: $top + 1, skip: $skip }), $top)
}

export async function findConsents(db: Db, userKey: string, { $top, $skip }: Paging) {
  const found = await db
    .selectFrom('consent')
    .innerJoin('app', 'app.app_key', 'consent.app_key')
    .select(['consent.app_key as appKey', 'app.name as appName', 'given_at as givenAt'])
    .where('user_key', '=', userKey)
    .orderBy('given_at', 'desc')
    .orderBy('consent.app_key')
    .limit($top + 1)
    .offset($skip)
    .execute()
  return cut(found, $top)
}

/** Deletes a consent and ends the sessions based on it. False if there is none. */
export async function removeConsent(trx: Trx, userKey: string, appKey: string, now: Temporal.Instant) {
  const consent = trx.deleteFrom('consent').where('user_key', '=', userKey).where('app_key', '=', appKey)
  const { numDeletedRows } = await consent.executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await endSessions(trx, { userKey, appKey }, 'consent withdrawn', now)
  return true
}
