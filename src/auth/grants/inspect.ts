import { endSessions } from '../../access/store/sessions.ts'
import type { StoredApp } from '../../apps/store/apps.ts'
import { appendAudit } from '../../audit/append.ts'
import { epochSeconds, isBefore, isFromFuture } from '../../core/clock.ts'
import type { Introspection } from '../api/schema.ts'
import type { AuthContext } from '../context.ts'
import { grantHash } from '../grant-text.ts'
import { OAuthProblem } from '../problem.ts'
import type { AccessClaims } from '../rules/access-token.ts'
import type { Form } from '../rules/client-authentication.ts'
import type { StoredRefresh } from '../store/refresh-tokens.ts'
import { isTokenEnded } from '../travel.ts'
import { type GrantCall, grantEntry } from './issue.ts'

type Found =
  | { kind: 'access'; appKey: string; sessionId: string; userKey: string; claims: AccessClaims }
  | ({ kind: 'refresh' } & StoredRefresh)

/** The token of a request. token_type_hint is ignored: the form of a token shows its kind (RFC 7009 §2.1). */
async function findToken(context: AuthContext, form: Form): Promise<Found | undefined> {
  if (!form.token) throw new OAuthProblem('invalid_request', 'token is missing.')
  if (form.token.includes('.')) {
    const claims = (await context.tokens.open(form.token)) as AccessClaims | undefined
    if (!claims) return undefined
    return { kind: 'access', appKey: claims.client_id, sessionId: claims.sid, userKey: claims.uid, claims }
  }
  const refresh = await context.refreshes.read.add(grantHash(form.token))
  return refresh && { kind: 'refresh', ...refresh }
}

/** Ends the session of an app's own token (RFC 7009). An unknown token counts as revoked. */
export async function revoke(call: GrantCall, form: Form): Promise<void> {
  const { context, app, now } = call
  const token = await findToken(context, form)
  if (!token) return
  if (token.appKey !== app.appKey)
    throw new OAuthProblem('invalid_request', 'The token belongs to another app. Send one of your own.')
  await context.db.transaction().execute(async (trx) => {
    const ended = await endSessions(trx, { sessionId: token.sessionId }, 'revoked by the app', now)
    if (ended.length > 0) await appendAudit(trx, grantEntry('SessionRevoked', call, token))
  })
  await context.feed.poll()
}

/** The state of an app's own token (RFC 7662 §2.2). Another app's token is reported as inactive. */
export async function introspect(context: AuthContext, app: StoredApp, form: Form): Promise<Introspection> {
  const token = await findToken(context, form)
  if (!token || token.appKey !== app.appKey) return { active: false }
  if (token.kind === 'access') {
    const caller = context.tokens.callerOf(token.claims, token.claims.aud)
    if (!caller || (await isTokenEnded(context, token.claims))) return { active: false }
    return { active: true, token_type: 'Bearer', ...token.claims }
  }
  const now = context.clock.now()
  const usable = token.spentForMs === null && !token.sessionEnded && !token.userDisabled
  const inTime = isBefore(now, token.expiresAt) && isBefore(now, token.sessionExpiresAt)
  if (!usable || !inTime || isFromFuture(token.issuedAt, now)) return { active: false }
  return {
    active: true,
    client_id: token.appKey,
    sub: token.userKey,
    sid: token.sessionId,
    exp: epochSeconds(token.expiresAt),
    iss: context.config.publicUrl,
  }
}
