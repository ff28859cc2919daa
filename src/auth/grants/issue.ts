import { createHash } from 'node:crypto'
import type { StoredApp } from '../../apps/store/apps.ts'
import type { AuditEntry } from '../../audit/append.ts'
import { epochSeconds, plusSeconds } from '../../core/clock.ts'
import { randomGuid, randomHex } from '../../core/crypto/keys.ts'
import type { Db } from '../../database/open.ts'
import type { TokenResponse } from '../api/schema.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { OAuthProblem } from '../problem.ts'
import { accessLevel } from '../rules/access-token.ts'
import { challengeRow } from '../store/codes.ts'
import { type GrantFacts, insertSession } from '../store/sessions.ts'

export type GrantCall = Readonly<{
  context: AuthContext
  app: StoredApp
  source: RequestSource
  now: Temporal.Instant
}>

/** A session as its tokens name it. */
export type SessionFacts = Readonly<{
  sessionId: string
  userKey: string
  clientKey: string
  sessionExpiresAt: Temporal.Instant
}>

export const s256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** One text for all causes, so that guessing reveals nothing. */
export const invalidGrant = (context: AuthContext, reason: string): OAuthProblem =>
  new OAuthProblem('invalid_grant', 'The code or refresh token is not valid. Start a new sign-in.', {
    status: context.profile.invalidGrantStatus,
    reason,
  })

export function issueAccessToken({ context, app, now }: GrantCall, session: SessionFacts, seconds?: number) {
  const { sessionId, userKey, clientKey, sessionExpiresAt } = session
  const iat = epochSeconds(now)
  const expiresIn = Math.min(seconds ?? context.config.accessTokenSeconds, epochSeconds(sessionExpiresAt) - iat)
  const token = context.tokens.issue({
    sub: userKey,
    client_id: app.appKey,
    iat,
    exp: iat + expiresIn,
    uid: userKey,
    cid: clientKey,
    sid: sessionId,
    aid: app.appKey,
    oaa: accessLevel(app.onlineLevel, app.offlineLevel),
  })
  return { token, expiresIn }
}

export function makeTokenResponse(call: GrantCall, session: SessionFacts): TokenResponse {
  const { token, expiresIn } = issueAccessToken(call, session)
  const left = epochSeconds(session.sessionExpiresAt) - epochSeconds(call.now)
  return {
    access_token: token,
    expires_in: expiresIn,
    token_type: 'Bearer',
    refresh_token: randomGuid(),
    refresh_token_expires_in: Math.min(call.context.config.refreshTokenSeconds, left),
  }
}

/** Starts a session: one grant and everything that is refreshed from it. */
export async function startSession(
  { context, app, source, now }: GrantCall,
  db: Db,
  { userKey, clientKey, signInId, redirectUri, challenge }: GrantFacts & Readonly<{ userKey: string }>,
  seconds = context.config.sessionSeconds,
): Promise<SessionFacts> {
  const sessionId = randomHex()
  const expiresAt = plusSeconds(now, Math.min(seconds, context.config.sessionSeconds))
  await insertSession(db, clientKey, {
    session_id: sessionId,
    user_key: userKey,
    app_key: app.appKey,
    sign_in_id: signInId,
    redirect_uri: redirectUri,
    ...challengeRow(challenge),
    created_at: now.toString(),
    expires_at: expiresAt.toString(),
    address: source.address,
    user_agent: source.userAgent,
  })
  return { sessionId, userKey, clientKey, sessionExpiresAt: expiresAt }
}

/** After the commit of a new session: the next request here sees the time of the login. Other nodes poll for it. */
export const noteSignIn = ({ feed }: AuthContext, clientKey: string): Promise<void> =>
  feed.deliver('sign-in', clientKey)

export function grantEntry(
  kind: AuditEntry['kind'],
  { app, source: { address }, now: at }: GrantCall,
  { userKey: user, sessionId }: Readonly<{ userKey: string; sessionId?: string }>,
): AuditEntry {
  return { at, kind, user, app: app.appKey, address, ...(sessionId !== undefined && { session: sessionId }) }
}
