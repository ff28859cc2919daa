import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

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
