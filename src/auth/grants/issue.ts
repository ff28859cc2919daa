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
import type { Challenge } from '../rules/pkce.ts'
import { insertSession } from '../store/sessions.ts'

export type Holder = Readonly<{
  sessionId: string
  userKey: string
  clientKey: string
  sessionExpiresAt: Temporal.Instant
}>

export const s256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** One text for all causes: who guesses learns nothing. */
export const invalidGrant = (context: AuthContext, reason: string): OAuthProblem =>
  new OAuthProblem('invalid_grant', 'The code or refresh token is not valid. Start a new sign-in.', {
    status: context.profile.invalidGrantStatus,
    reason,
  })

/** An access token for a session, and how many seconds it lives: never beyond the session itself. */
export async function issueAccessToken(
  context: AuthContext,
  holder: Holder,
  app: AppFacts,
  now: Temporal.Instant,
  seconds = context.config.accessTokenSeconds,
): Promise<{ token: string; expiresIn: number }> {
  const expiresIn = Math.min(seconds, epochSeconds(holder.sessionExpiresAt) - epochSeconds(now))
  const token = await context.tokens.issue({
    sub: holder.userKey,
    client_id: app.AppKey,
    iat: epochSeconds(now),
    exp: epochSeconds(now) + expiresIn,
    uid: holder.userKey,
    cid: holder.clientKey,
    sid: holder.sessionId,
    aid: app.AppKey,
    oaa: accessLevel(app.onlineLevel, app.offlineLevel),
  })
  return { token, expiresIn }
}

/** A whole token response with a new refresh token. */
export async function makeTokenResponse(
  context: AuthContext,
  holder: Holder,
  app: AppFacts,
  now: Temporal.Instant,
): Promise<TokenResponse> {
  const { token, expiresIn } = await issueAccessToken(context, holder, app, now)
  const left = epochSeconds(holder.sessionExpiresAt) - epochSeconds(now)
  return {
    access_token: token,
    expires_in: expiresIn,
    token_type: 'Bearer',
    refresh_token: randomGuid(),
    refresh_token_expires_in: Math.min(context.config.refreshTokenSeconds, left),
  }
}

/** Begins a session: one grant, and all that will be refreshed from it. */
export async function beginSession(
  context: AuthContext,
  db: Db,
  grant: { app: AppFacts; userKey: string; clientKey: string; signInId: string | null; redirectUri: string | null } & {
    challenge: Challenge | undefined
  },
  source: RequestSource,
  now: Temporal.Instant,
  seconds = context.config.sessionSeconds,
): Promise<Holder> {
  const holder = {
    sessionId: randomHex(),
    userKey: grant.userKey,
    clientKey: grant.clientKey,
    sessionExpiresAt: plusSeconds(now, Math.min(seconds, context.config.sessionSeconds)),
  }
  await insertSession(db, {
    sessionId: holder.sessionId,
    userKey: grant.userKey,
    appKey: grant.app.AppKey,
    signInId: grant.signInId,
    redirectUri: grant.redirectUri,
    challenge: grant.challenge,
    createdAt: now,
    expiresAt: holder.sessionExpiresAt,
    ...source,
  })
  return holder
}

/** A line of the log about a grant. */
export function grantEntry(
  kind: AuditEntry['kind'],
  who: { sessionId?: string | undefined; userKey: string },
  app: AppFacts,
  source: RequestSource,
  now: Temporal.Instant,
): AuditEntry {
  return {
    at: now,
    kind,
    user: who.userKey,
    app: app.AppKey,
    address: source.address,
    ...(who.sessionId === undefined ? {} : { session: who.sessionId }),
  }
}
