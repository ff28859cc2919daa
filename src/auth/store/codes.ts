import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import type { CodeFacts } from '../rules/code-exchange.ts'
import type { Challenge } from '../rules/pkce.ts'
import { lockPreconditions } from './grants.ts'

export type NewCode = Readonly<{
  hash: Buffer
  appKey: string
  userKey: string
  signInId: string
  redirectUri: string
  challenge: Challenge | undefined
  issuedAt: Temporal.Instant
  expiresAt: Temporal.Instant
}>

export async function insertCode(db: Db, code: NewCode): Promise<void> {
  await db
    .insertInto('authorization_code')
    .values({
      code_hash: code.hash,
      app_key: code.appKey,
      user_key: code.userKey,
      sign_in_id: code.signInId,
      redirect_uri: code.redirectUri,
      code_challenge: code.challenge?.value ?? null,
      code_challenge_method: code.challenge?.method ?? null,
      issued_at: code.issuedAt.toString(),
      expires_at: code.expiresAt.toString(),
      grant_epoch: sql`(select grant_epoch from app where app_key = ${code.appKey})`,
    })
    .execute()
}

export type StoredCode = CodeFacts & Readonly<{ userKey: string; clientKey: string; signInId: string }>

/** Locks a code: of two concurrent exchanges the second sees the result of the first (RFC 6749 §4.1.2). */
export async function lockCode(trx: Trx, hash: Buffer): Promise<StoredCode | undefined> {
  const row = await trx
    .selectFrom('authorization_code')
    .innerJoin('service_user', 'service_user.user_key', 'authorization_code.user_key')
    .selectAll('authorization_code')
    .select('service_user.client_key')
    .where('code_hash', '=', hash)
    .forUpdate('authorization_code')
    .executeTakeFirst()
  if (!row) return undefined
  return {
    appKey: row.app_key,
    userKey: row.user_key,
    clientKey: row.client_key,
    signInId: row.sign_in_id,
    redirectUri: row.redirect_uri,
    challenge:
      row.code_challenge === null
        ? undefined
        : { value: row.code_challenge, method: row.code_challenge_method === 'plain' ? 'plain' : 'S256' },
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    spentAt: row.spent_at ?? undefined,
    sessionId: row.session_id ?? undefined,
    preconditionsHold: await lockPreconditions(
      trx,
      { signInId: row.sign_in_id, userKey: row.user_key, appKey: row.app_key },
      row.grant_epoch,
    ),
  }
}

/** Marks a code as spent, with the session it started, if any. */
export async function spendCode(
  trx: Trx,
  hash: Buffer,
  now: Temporal.Instant,
  sessionId: string | null,
): Promise<void> {
  await trx
    .updateTable('authorization_code')
    .set({ spent_at: now.toString(), session_id: sessionId })
    .where('code_hash', '=', hash)
    .execute()
}
