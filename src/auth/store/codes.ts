import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import type { Tables } from '../../database/tables.ts'
import type { CodeFacts } from '../rules/code-exchange.ts'
import type { Challenge } from '../rules/pkce.ts'

export const challengeRow = (challenge: Challenge | null) => ({
  code_challenge: challenge?.value ?? null,
  code_challenge_method: challenge?.method ?? null,
})

export const storedChallenge = sql<Challenge | null>`case when code_challenge is not null
  then json_build_object('value', code_challenge, 'method', code_challenge_method) end`.as('challenge')

type NewCode = Omit<Insertable<Tables['authorization_code']>, 'grant_epoch'>

export async function insertCode(db: Db, code: NewCode): Promise<void> {
  const grant_epoch = sql<number>`(select grant_epoch from app where app_key = ${code.app_key})`
  await db
    .insertInto('authorization_code')
    .values({ ...code, grant_epoch })
    .execute()
}

export type StoredCode = CodeFacts & Readonly<{ userKey: string; clientKey: string; signInId: string }>

/** Locks a code: of two concurrent exchanges the second sees the result of the first (RFC 6749 §4.1.2). */
export async function lockCode(trx: Trx, hash: Buffer): Promise<StoredCode | undefined> {
  const row = await trx
    .selectFrom('authorization_code as code')
    .innerJoin('service_user as user', 'user.user_key', 'code.user_key')
    .select(['app_key as appKey', 'code.user_key as userKey', 'client_key as clientKey', 'sign_in_id as signInId'])
    .select(['redirect_uri as redirectUri', storedChallenge, 'issued_at as issuedAt', 'expires_at as expiresAt'])
    .select(['spent_at as spentAt', 'session_id as sessionId', 'grant_epoch as epoch'])
    .where('code_hash', '=', hash)
    .forUpdate('code')
    .executeTakeFirst()
  return row && { ...row, preconditionsHold: await lockPreconditions(trx, row, row.epoch) }
}

type Preconditions = Readonly<{ signInId: string; userKey: string; appKey: string }>

/** Whether a grant may be made: the user is signed in, enabled and consenting, and the app is active. For a code, `epoch`
 *  must still be the app's: it changes when the grants of an app are ended. Locks all of them: a concurrent ending (sign
 *  out, disable, deactivate, withdraw) is either seen here, or waits and then sees the session that starts here. The
 *  lock order, user first, is that of endings that concern a user and their sign-ins. */
export async function lockPreconditions(trx: Trx, preconditions: Preconditions, epoch?: number): Promise<boolean> {
  const { rows } = await sql<{ hold: boolean }>`
    select sign_in.ended_at is null and not service_user.disabled and app.is_active
      and app.grant_epoch = coalesce(${epoch ?? null}::integer, app.grant_epoch) as hold
    from sign_in
      join service_user using (user_key)
      join consent using (user_key)
      join app using (app_key)
    where sign_in.sign_in_id = ${preconditions.signInId} and user_key = ${preconditions.userKey} and app_key = ${preconditions.appKey}
    for share of service_user, sign_in, consent, app`.execute(trx)
  return rows[0]?.hold ?? false
}

/** Marks a code as spent, with the session it started, if any. */
export async function spendCode(trx: Trx, hash: Buffer, now: Temporal.Instant, sessionId: string | null) {
  await trx
    .updateTable('authorization_code')
    .set({ spent_at: now.toString(), session_id: sessionId })
    .where('code_hash', '=', hash)
    .execute()
}
