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
  accessSeconds: number
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
      access_seconds: session.accessSeconds,
      address: session.address,
      user_agent: session.userAgent.slice(0, 300),
    })
    .execute()
}

/** Ended sessions whose access tokens would otherwise still be good. */
export async function listRecentlyEnded(db: Db, now: Temporal.Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('session')
    .select('session_id')
    .where('ended_at', 'is not', null)
    .where('ended_at', '>', sql<Temporal.Instant>`${now.subtract({ hours: 25 }).toString()}::timestamptz`)
    .where(sql<boolean>`ended_at + access_seconds * interval '1 second' > ${now.toString()}::timestamptz`)
    .execute()
  return rows.map((row) => row.session_id)
}

export type SessionFacts = Readonly<{ appKey: string; userKey: string; ended: boolean; expiresAt: Temporal.Instant }>

export async function readSession(db: Db, sessionId: string): Promise<SessionFacts | undefined> {
  const row = await db
    .selectFrom('session')
    .select(['app_key', 'user_key', 'ended_at', 'expires_at'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row && { appKey: row.app_key, userKey: row.user_key, ended: row.ended_at !== null, expiresAt: row.expires_at }
}
