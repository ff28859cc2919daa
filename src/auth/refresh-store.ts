import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { RefreshFacts } from './rules/refresh.ts'

export type StoredRefresh = RefreshFacts &
  Readonly<{ sessionId: string; userKey: string; clientKey: string; answer: Buffer | undefined }>

export async function insertRefreshToken(
  db: Db,
  token: { hash: Buffer; sessionId: string; issuedAt: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('refresh_token')
    .values({
      token_hash: token.hash,
      session_id: token.sessionId,
      issued_at: token.issuedAt.toString(),
      expires_at: token.expiresAt.toString(),
    })
    .execute()
}

interface Row {
  session_id: string
  expires_at: Temporal.Instant
  spent_at: Temporal.Instant | null
  spent_with: string | null
  answer: Buffer | null
  app_key: string
  user_key: string
  client_key: string
  redirect_uri: string | null
  code_challenge: string | null
  code_challenge_method: 'S256' | 'plain' | null
  session_expires_at: Temporal.Instant
  session_ended: boolean
  user_disabled: boolean
}

export async function readRefreshToken(db: Db, hash: Buffer): Promise<StoredRefresh | undefined> {
  const { rows } = await sql<Row>`
    select t.session_id, t.expires_at, t.spent_at, t.spent_with, t.answer, s.app_key, s.user_key, u.client_key,
      s.redirect_uri, s.code_challenge, s.code_challenge_method, s.expires_at as session_expires_at,
      s.ended_at is not null as session_ended, u.disabled as user_disabled
    from refresh_token t join session s using (session_id) join service_user u using (user_key)
    where t.token_hash = ${hash}`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  return {
    sessionId: row.session_id,
    userKey: row.user_key,
    clientKey: row.client_key,
    appKey: row.app_key,
    redirectUri: row.redirect_uri ?? '',
    challenge:
      row.code_challenge !== null && row.code_challenge_method !== null
        ? { value: row.code_challenge, method: row.code_challenge_method }
        : undefined,
    expiresAt: row.expires_at,
    spentAt: row.spent_at ?? undefined,
    spentWith: row.spent_with ?? undefined,
    answer: row.answer ?? undefined,
    sessionEnded: row.session_ended,
    sessionExpiresAt: row.session_expires_at,
    userDisabled: row.user_disabled,
  }
}

export type Rotation = Readonly<{
  hash: Buffer
  sessionId: string
  spentWith: string
  answer: Buffer
  newHash: Buffer
  newExpiresAt: Temporal.Instant
  now: Temporal.Instant
  auditBody: string
}>

/** Spends a refresh token and puts its successor in place. One statement, so that of many at once exactly one wins:
 *  the others wait for its row and then find it spent. False: this one lost, or the session has ended. */
export async function rotateRefreshToken(db: Db, rotation: Rotation): Promise<boolean> {
  const now = rotation.now.toString()
  const { rows } = await sql<{ won: boolean }>`
    with spent as (
      update refresh_token set spent_at = ${now}, spent_with = ${rotation.spentWith}, answer = ${rotation.answer}
      where token_hash = ${rotation.hash} and spent_at is null
        and exists (select from session where session_id = ${rotation.sessionId} and ended_at is null)
      returning session_id),
    fresh as (
      insert into refresh_token (token_hash, session_id, issued_at, expires_at)
      select ${rotation.newHash}, session_id, ${now}::timestamptz, ${rotation.newExpiresAt.toString()}::timestamptz from spent),
    logged as (insert into audit_inbox (body) select ${rotation.auditBody}::text from spent)
    select true as won from spent`.execute(db)
  return rows.length === 1
}
