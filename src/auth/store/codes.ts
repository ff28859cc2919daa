import { type Insertable, sql } from 'kysely'
import type { Permission } from '../../core/rights/permissions.ts'
import type { Trx } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import type { Tables } from '../../database/tables/tables.ts'
import { hashBytes } from '../grant-text.ts'
import type { CodeFacts } from '../rules/code-exchange.ts'
import type { Challenge } from '../rules/pkce.ts'
import type { Resource } from '../rules/resource.ts'

export const challengeRow = (challenge: Challenge | null) => ({
  code_challenge: challenge?.value ?? null,
  code_challenge_method: challenge?.method ?? null,
})

export const storedChallenge = sql<Challenge | null>`case when code_challenge is not null
  then json_build_object('value', code_challenge, 'method', code_challenge_method) end`.as('challenge')

type NewCode = Omit<Insertable<Tables['authorization_code']>, 'grant_epoch' | 'spent_at' | 'session_id'>

export const insertCode = prepared((db, code: NewCode) =>
  db.insertInto('authorization_code').values({
    code_hash: code.code_hash,
    app_key: code.app_key,
    user_key: code.user_key,
    sign_in_id: code.sign_in_id,
    redirect_uri: code.redirect_uri,
    code_challenge: code.code_challenge,
    code_challenge_method: code.code_challenge_method,
    resource: code.resource,
    issued_at: code.issued_at,
    expires_at: code.expires_at,
    grant_epoch: sql<number>`(select grant_epoch from app where app_key = ${code.app_key})`,
  }),
)

export type StoredCode = CodeFacts & Readonly<{ userKey: string; clientKey: string; signInId: string }>

const selectForUpdate = prepared((db, { hash }: { hash: Buffer }) =>
  db
    .selectFrom('authorization_code as code')
    .innerJoin('service_user as user', 'user.user_key', 'code.user_key')
    .select(['app_key as appKey', 'code.user_key as userKey', 'client_key as clientKey', 'sign_in_id as signInId'])
    .select(['redirect_uri as redirectUri', storedChallenge, 'issued_at as issuedAt', 'expires_at as expiresAt'])
    .select(['spent_at as spentAt', 'session_id as sessionId', 'grant_epoch as epoch', 'resource'])
    .where('code_hash', '=', hash)
    .forUpdate('code'),
)

/** Locks a code: of two concurrent exchanges the second sees the result of the first (RFC 6749 §4.1.2). */
export async function lockCode(
  trx: Trx,
  hash: string,
  permissionsFor: (resource: Resource) => readonly Permission[],
): Promise<StoredCode | undefined> {
  const [row] = await selectForUpdate(trx, { hash: hashBytes(hash) })
  if (!row) return undefined
  const preconditions = { ...row, permissions: permissionsFor(row.resource) }
  return { ...row, preconditionsHold: await lockPreconditions(trx, preconditions, row.epoch) }
}

type Preconditions = Readonly<{
  signInId: string
  userKey: string
  appKey: string
  permissions: readonly Permission[]
}>

const selectForShare = prepared(
  (_db, { signInId, userKey, appKey, permissions, epoch }: Preconditions & { epoch: number | null }) => sql<{
    hold: boolean
  }>`
    select sign_in.ended_at is null and not service_user.disabled and app.is_active
      and app.grant_epoch = coalesce(${epoch}::integer, app.grant_epoch)
      and (consent.permissions = '{}' or ${permissions}::text[] <@ consent.permissions) as hold
    from sign_in
      join service_user using (user_key)
      join consent using (user_key)
      join app using (app_key)
    where sign_in.sign_in_id = ${signInId} and user_key = ${userKey} and app_key = ${appKey}
    for share of service_user, sign_in, consent, app`,
)

/** Whether a grant may be made: the user is signed in, enabled and consents to the permissions of the app, which is active (a
 *  node of an earlier version records none). `epoch` of a code must still be the app's: it changes when its grants are ended.
 *  Locks all of them, user first as in endings: a concurrent ending is seen here, or sees the session that starts here. */
export async function lockPreconditions(trx: Trx, preconditions: Preconditions, epoch?: number): Promise<boolean> {
  const { signInId, userKey, appKey, permissions } = preconditions
  const [row] = await selectForShare(trx, { signInId, userKey, appKey, permissions, epoch: epoch ?? null })
  return row?.hold ?? false
}

const updateCode = prepared((db, spent: { hash: Buffer; spent_at: string; session_id: string | null }) =>
  db
    .updateTable('authorization_code')
    .set({ spent_at: spent.spent_at, session_id: spent.session_id })
    .where('code_hash', '=', spent.hash),
)

export async function spendCode(trx: Trx, hash: string, now: Temporal.Instant, sessionId: string | null) {
  await updateCode(trx, { hash: hashBytes(hash), spent_at: now.toString(), session_id: sessionId })
}
