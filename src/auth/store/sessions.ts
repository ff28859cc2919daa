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

/** What a session rests on besides its user and app. */
export type Granted = Readonly<{
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

/** What a session was granted on, held until the transaction ends; undefined when it has ended, or its user or app is out. */
export async function lockGrant(trx: Trx, sessionId: string): Promise<Granted | undefined> {
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

/** Whether a session is there and was not ended; its time is not looked at. */
export async function isSessionAlive(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Ended sessions of which an access token may still be about: none lives longer than a day. */
export async function listRecentlyEnded(db: Db, now: Temporal.Instant): Promise<string[]> {
  const since = sql<Temporal.Instant>`${now.subtract({ hours: 25 }).toString()}::timestamptz`
  const rows = await db
    .selectFrom('session')
    .select('session_id')
    .where('ended_at', 'is not', null)
    .where('ended_at', '>', since)
    // Those that went with their user or app; noted by the database's own clock, so none is left out for a clock's sake.
    .unionAll(db.selectFrom('removed_session').select('session_id'))
    .execute()
  return rows.map((row) => row.session_id)
}
