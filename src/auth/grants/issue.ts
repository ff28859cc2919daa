import { createHash } from 'node:crypto'
import type { AppFacts } from '../../apps/store/apps.ts'
import type { AuditEntry } from '../../audit/append.ts'
import { epochSeconds, plusSeconds } from '../../core/clock.ts'
import { randomGuid, randomHex } from '../../core/crypto/keys.ts'
import type { Db } from '../../database/open.ts'
import type { TokenResponse } from '../api/schema.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { OAuthProblem } from '../problem.ts'
import { accessLevel } from '../rules/access-token.ts'
import { type GrantFacts, insertSession } from '../store/sessions.ts'

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

/** An access token of a session, valid no longer than the session. */
export async function issueAccessToken(
  context: AuthContext,
  session: SessionFacts,
  app: AppFacts,
  now: Temporal.Instant,
  seconds = context.config.accessTokenSeconds,
): Promise<{ token: string; expiresIn: number }> {
  const expiresIn = Math.min(seconds, epochSeconds(session.sessionExpiresAt) - epochSeconds(now))
  const token = await context.tokens.issue({
    sub: session.userKey,
    client_id: app.AppKey,
    iat: epochSeconds(now),
    exp: epochSeconds(now) + expiresIn,
    uid: session.userKey,
    cid: session.clientKey,
    sid: session.sessionId,
    aid: app.AppKey,
    oaa: accessLevel(app.onlineLevel, app.offlineLevel),
  })
  return { token, expiresIn }
}

/** A complete token response with a new refresh token. */
export async function makeTokenResponse(
  context: AuthContext,
  session: SessionFacts,
  app: AppFacts,
  now: Temporal.Instant,
): Promise<TokenResponse> {
  const { token, expiresIn } = await issueAccessToken(context, session, app, now)
  const left = epochSeconds(session.sessionExpiresAt) - epochSeconds(now)
  return {
    access_token: token,
    expires_in: expiresIn,
    token_type: 'Bearer',
    refresh_token: randomGuid(),
    refresh_token_expires_in: Math.min(context.config.refreshTokenSeconds, left),
  }
}

/** Starts a session: one grant and everything that is refreshed from it. */
export async function startSession(
  context: AuthContext,
  db: Db,
  grant: GrantFacts & Readonly<{ app: AppFacts; userKey: string }>,
  source: RequestSource,
  now: Temporal.Instant,
  seconds = context.config.sessionSeconds,
): Promise<SessionFacts> {
  const { app, userKey, clientKey, signInId, redirectUri, challenge } = grant
  const sessionId = randomHex()
  const expiresAt = plusSeconds(now, Math.min(seconds, context.config.sessionSeconds))
  const session = { sessionId, userKey, appKey: app.AppKey, signInId, redirectUri, challenge }
  await insertSession(db, { ...session, createdAt: now, expiresAt, ...source })
  return { sessionId, userKey, clientKey, sessionExpiresAt: expiresAt }
}

/** An audit entry about a grant. */
export function grantEntry(
  kind: AuditEntry['kind'],
  { userKey, sessionId }: { sessionId?: string | undefined; userKey: string },
  app: AppFacts,
  { address }: RequestSource,
  now: Temporal.Instant,
): AuditEntry {
  return {
    at: now,
    kind,
    user: userKey,
    app: app.AppKey,
    address,
    ...(sessionId !== undefined && { session: sessionId }),
  }
}
