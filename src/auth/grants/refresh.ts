import { endSessions } from '../../access/store/sessions.ts'
import type { AppFacts } from '../../apps/store/apps.ts'
import { appendAudit, auditBody } from '../../audit/append.ts'
import { plusSeconds, systemClock } from '../../core/clock.ts'
import { seal, sha256, unseal } from '../../core/crypto/keys.ts'
import type { TokenResponse } from '../api/schema.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { OAuthProblem } from '../problem.ts'
import type { Form } from '../rules/client-authentication.ts'
import { decideRefresh, type Times } from '../rules/refresh.ts'
import type { StoredRefresh } from '../store/refresh-tokens.ts'
import { noticeTravel } from '../travel.ts'
import { grantEntry, invalidGrant, makeTokenResponse, s256 } from './issue.ts'

/** Refreshes (§4.5): reads the token, decides, and applies the decision in one statement or transaction. A rotation can lose
 *  against a concurrent one of the same token; then it decides again. */
export async function refreshTokens(
  context: AuthContext,
  app: AppFacts,
  provedWith: string,
  form: Form,
  source: RequestSource,
): Promise<TokenResponse> {
  const presented = form.refresh_token
  if (!presented) throw new OAuthProblem('invalid_request', 'refresh_token is missing.')
  const hash = sha256(presented)
  let reason = 'no such refresh token'
  for (let round = 0; round < 3; round++) {
    const { travelCount } = context.clock
    const times = { now: context.clock.now(), real: context.clock.real.now() }
    const { now } = times
    const token = context.refreshes.recent.take(hash) ?? (await context.refreshes.read.add(hash))
    const decision = decideRefresh(token, app.AppKey, provedWith, form, times, context.profile, s256)
    if (!token) break
    if (decision === 'reject') {
      if (round === 0 && (await noticeTravel(context, travelCount))) continue
      reason =
        'the refresh token is of another app, expired, of an ended session, or was sent with another redirect_uri or verifier'
      await appendAudit(context.db, grantEntry('GrantRefused', token, app, source, now))
      break
    }
    if (decision === 'repeat' && token.answer) return openResponse(presented, token.answer)
    if (decision === 'reuse') {
      reason = 'the refresh token was used before; its session has ended'
      await endReusedSession(context, token, app, source, now)
      break
    }
    const response = await rotate(context, app, token, { presented, hash, provedWith, source }, times)
    if (response) return response
  }
  throw invalidGrant(context, reason)
}

async function rotate(
  context: AuthContext,
  app: AppFacts,
  token: StoredRefresh,
  request: { presented: string; hash: Buffer; provedWith: string; source: RequestSource },
  { now, real }: Times,
): Promise<TokenResponse | undefined> {
  const response = await makeTokenResponse(context, token, app, now)
  const newHash = sha256(response.refresh_token)
  const newExpiresAt = plusSeconds(now, response.refresh_token_expires_in)
  const won = await context.refreshes.rotate.add({
    hash: request.hash,
    clientKey: token.clientKey,
    spentWith: request.provedWith,
    answer: seal(graceKey(request.presented), JSON.stringify(response), 'grace'),
    newHash,
    newExpiresAt,
    now,
    real,
    auditBody: auditBody(grantEntry('TokenRefreshed', token, app, request.source, now), systemClock.now()),
  })
  if (!won) return undefined
  context.refreshes.recent.remember(newHash, { ...token, issuedAt: now, expiresAt: newExpiresAt })
  return response
}

/** A response is kept in case it gets lost, under a key that only the presented token yields: its 128 random bits hashed with
 *  a label, so that the key differs from the stored hash. */
const graceKey = (presented: string): Buffer => sha256(`refdesk refresh answer ${presented}`)

function openResponse(presented: string, sealed: Buffer): TokenResponse {
  return JSON.parse(unseal(graceKey(presented), sealed, 'grace').toString()) as TokenResponse
}

/** A spent token came back: either it or its successor was stolen, so the session ends (RFC 9700 §4.14.2). */
async function endReusedSession(
  context: AuthContext,
  token: StoredRefresh,
  app: AppFacts,
  source: RequestSource,
  now: Temporal.Instant,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await endSessions(trx, { sessionId: token.sessionId }, 'refresh token reused', now)
    await appendAudit(trx, grantEntry('RefreshReused', token, app, source, now))
  })
  await context.feed.poll()
}
