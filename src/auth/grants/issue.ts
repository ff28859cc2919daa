import { createHash, randomUUID } from 'node:crypto'
import type { StoredApp } from '../../apps/store/apps.ts'
import { consoleApp } from '../../apps/store/console-app.ts'
import { type AuditEntry, appendAudits } from '../../audit/append.ts'
import { epochSeconds, plusSeconds } from '../../core/clock.ts'
import { randomHex } from '../../core/crypto/keys.ts'
import { type Permission, permissionsOf } from '../../core/rights/permissions.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { TokenResponse } from '../api/schema.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { grantHash, newGrantText, newRecordHash } from '../grant-text.ts'
import { OAuthProblem } from '../problem.ts'
import { type AccessClaims, accessLevel, readAndWrite, readOnly } from '../rules/access-token.ts'
import type { Resource } from '../rules/resource.ts'
import { challengeRow } from '../store/codes.ts'
import { recordAccessToken } from '../store/refresh-tokens.ts'
import { type GrantFacts, insertSession, type SessionFacts } from '../store/sessions.ts'

export type AppCall = Readonly<{ context: AuthContext; app: StoredApp; source: RequestSource }>

/** Notes for the request log whom a call of the app is for. Never of a code or token of another app. */
export type NoteSession = (session: Readonly<{ userKey: string; sessionId: string | null }>) => void

export type GrantCall = AppCall & Readonly<{ now: Temporal.Instant }>

/** A new session, and those that ended because the user had too many. */
export type StartedSession = SessionFacts & Readonly<{ ended: readonly string[] }>

export const s256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

const mayWrite = ({ onlineLevel, offlineLevel }: StoredApp): boolean =>
  accessLevel(onlineLevel, offlineLevel) === readAndWrite

/** The permissions that a sign-in to an app grants: with tokens for agents only those that the tools use. */
export function grantedPermissions(
  { config: { environment }, agentPermissions }: AuthContext,
  app: StoredApp,
  resource: Resource,
): Permission[] {
  const all = permissionsOf({ mayWrite: mayWrite(app), environment, isConsole: app.appKey === consoleApp.AppKey })
  return resource === null ? all : all.filter((permission) => agentPermissions.has(permission))
}

/** One text for all causes, so that guessing reveals nothing. */
export const invalidGrant = (context: AuthContext, reason: string): OAuthProblem =>
  new OAuthProblem('invalid_grant', 'The code or refresh token is not valid. Start a new sign-in.', {
    status: context.profile.invalidGrantStatus,
    reason,
  })

const secondsLeft = ({ now }: Pick<GrantCall, 'now'>, { sessionExpiresAt }: SessionFacts): number =>
  epochSeconds(sessionExpiresAt) - epochSeconds(now)

/** A token of a session, valid for the configured time or for `seconds`, but not longer than its session. */
export function issueAccessToken(
  call: Omit<GrantCall, 'source'>,
  session: SessionFacts,
  seconds = call.context.config.accessTokenSeconds,
  more: Partial<AccessClaims> = {},
) {
  const { context, app, now } = call
  const { sessionId, userKey, clientKey, resource, isReadOnly } = session
  const expiresIn = Math.min(seconds, secondsLeft(call, session))
  const iat = epochSeconds(now)
  const token = context.tokens.issue({
    // Of the REST API unless it says otherwise.
    ...(resource !== null && { aud: resource }),
    sub: userKey,
    client_id: app.appKey,
    iat,
    exp: iat + expiresIn,
    uid: userKey,
    cid: clientKey,
    sid: sessionId,
    aid: app.appKey,
    oaa: isReadOnly ? readOnly : accessLevel(app.onlineLevel, app.offlineLevel),
    jti: randomUUID(),
    ...more,
  })
  return { token, expiresIn }
}

export async function issueFurtherToken(
  trx: Trx,
  call: Omit<GrantCall, 'source'>,
  session: SessionFacts,
  seconds: number,
  more: Partial<AccessClaims>,
) {
  const hash = newRecordHash()
  const issued = issueAccessToken(call, session, seconds, { ...more, jti: hash })
  await recordAccessToken(trx, session.sessionId, { hash, expiresIn: issued.expiresIn }, call.now)
  return issued
}

export function makeTokenResponse(call: GrantCall, session: SessionFacts): TokenResponse {
  const text = newGrantText(session.resource)
  const { token, expiresIn } = issueAccessToken(call, session, undefined, { jti: grantHash(text) })
  return {
    access_token: token,
    expires_in: expiresIn,
    token_type: 'Bearer',
    refresh_token: text,
    refresh_token_expires_in: Math.min(call.context.config.refreshTokenSeconds, secondsLeft(call, session)),
  }
}

export async function startSession(
  call: GrantCall,
  db: Db,
  { userKey, clientKey, signInId, redirectUri, challenge, resource }: GrantFacts & Readonly<{ userKey: string }>,
  seconds = call.context.config.sessionSeconds,
): Promise<StartedSession> {
  const { context, app, source, now } = call
  const sessionId = randomHex()
  const isReadOnly = !mayWrite(app)
  const expiresAt = plusSeconds(now, Math.min(seconds, context.config.sessionSeconds))
  const ended = await insertSession(db, clientKey, {
    session_id: sessionId,
    user_key: userKey,
    app_key: app.appKey,
    sign_in_id: signInId,
    redirect_uri: redirectUri,
    ...challengeRow(challenge),
    resource,
    read_only: isReadOnly,
    created_at: now.toString(),
    expires_at: expiresAt.toString(),
    address: source.address,
    user_agent: source.userAgent,
  })
  const endings = ended.map(
    (ending): AuditEntry => ({
      ...grantEntry('SessionRevoked', call, { userKey, sessionId: ending }),
      detail: { reason: 'too many sessions' },
    }),
  )
  if (ended.length > 0) await appendAudits(db, endings)
  return { sessionId, userKey, clientKey, sessionExpiresAt: expiresAt, resource, isReadOnly, ended }
}

/** After the commit of a new session: this node sees the login, and the end of other sessions, before the others poll. */
export async function noteSignIn({ feed }: AuthContext, { clientKey, ended }: StartedSession): Promise<void> {
  for (const session of ended) await feed.deliver('session', session)
  await feed.deliver('sign-in', clientKey)
}

export const noteRefusedGrant = ({ context, app, source: { address } }: AppCall, user: string): void =>
  context.refusals.note({ kind: 'GrantRefused', address, app: app.appKey, user })

export function grantEntry(
  kind: AuditEntry['kind'],
  { app, source: { address }, now: at }: Omit<GrantCall, 'context'>,
  { userKey: user, sessionId }: Readonly<{ userKey: string; sessionId?: string }>,
): AuditEntry {
  return { at, kind, user, app: app.appKey, address, ...(sessionId !== undefined && { session: sessionId }) }
}
