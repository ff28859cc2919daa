import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import type { Challenge } from '../rules/pkce.ts'

export type NewSession = Readonly<{
  sessionId: string
  userKey: string
  appKey: string
  signInId: string | null
  redirectUri: string | null
  challenge: { value: string; method: string } | undefined
  createdAt: Temporal.Instant
  expiresAt: Temporal.Instant
  address: string
  userAgent: string
}>

/** What a session is based on, besides its user and app. */
export type GrantFacts = Readonly<{
  clientKey: string
  signInId: string | null
  redirectUri: string | null
  challenge: Challenge | undefined
}>

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .insertInto('session')
    .values({
      session_id: session.sessionId,
      user_key: session.userKey,
      app_key: session.appKey,
      sign_in_id: session.signInId,
      redirect_uri: session.redirectUri,
      code_challenge: session.challenge?.value ?? null,
      code_challenge_method: session.challenge?.method ?? null,
      created_at: session.createdAt.toString(),
      expires_at: session.expiresAt.toString(),
      address: session.address,
      user_agent: session.userAgent.slice(0, 300),
    })
    .execute()
}

/** Locks a session with its user and app. Undefined if it has ended, its user is disabled or its app inactive. */
export async function lockGrant(trx: Trx, sessionId: string): Promise<GrantFacts | undefined> {
  const row = await trx
    .selectFrom('session')
    .innerJoin('service_user', 'service_user.user_key', 'session.user_key')
    .innerJoin('app', 'app.app_key', 'session.app_key')
    .select(['sign_in_id', 'redirect_uri', 'code_challenge', 'code_challenge_method', 'service_user.client_key'])
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where('disabled', '=', false)
    .where('is_active', '=', true)
    .forShare(['service_user', 'app'])
    .forUpdate('session')
    .executeTakeFirst()
  if (!row) return undefined
  const method = row.code_challenge_method === 'plain' ? 'plain' : 'S256'
  return {
    clientKey: row.client_key,
    signInId: row.sign_in_id,
    redirectUri: row.redirect_uri,
    challenge: row.code_challenge === null ? undefined : { value: row.code_challenge, method },
  }
}

/** Whether a session exists and has not ended, whatever its expiry. */
export async function isSessionAlive(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Ended sessions whose access tokens may not have expired: those are valid for at most a day. */
export async function listRecentlyEnded(db: Db, now: Temporal.Instant): Promise<string[]> {
  const since = sql<Temporal.Instant>`${now.subtract({ hours: 25 }).toString()}::timestamptz`
  const rows = await db
    .selectFrom('session')
    .select('session_id')
    .where('ended_at', 'is not', null)
    .where('ended_at', '>', since)
    // Sessions deleted with their user or app, by the database's own clock.
    .unionAll(db.selectFrom('removed_session').select('session_id'))
    .execute()
  return rows.map((row) => row.session_id)
}
