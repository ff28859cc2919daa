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

/** Refreshes (§5.2 step 6): reads the facts, decides, and does what was decided in one statement or one transaction. A
 *  rotation can lose against another one of the same token, and then decides anew. */
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
    if (decision === 'refuse') {
      if (round === 0 && (await noticeTravel(context, travelCount))) continue
      reason =
        'the refresh token is of another app, too old, of an ended session, or came with another redirect_uri or verifier'
      await appendAudit(context.db, grantEntry('GrantRefused', token, app, source, now))
      break
    }
    if (decision === 'again' && token.answer) return openAnswer(presented, token.answer)
    if (decision === 'reuse') {
      reason = 'the refresh token was used before; its session has ended'
      await endReusedSession(context, token, app, source, now)
      break
    }
    const answer = await rotate(context, app, token, { presented, hash, provedWith, source }, times)
    if (answer) return answer
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
  const answer = await makeTokenResponse(context, token, app, now)
  const newHash = sha256(answer.refresh_token)
  const newExpiresAt = plusSeconds(now, answer.refresh_token_expires_in)
  const won = await context.refreshes.rotate.add({
    hash: request.hash,
    clientKey: token.clientKey,
    spentWith: request.provedWith,
    answer: seal(graceKey(request.presented), JSON.stringify(answer), 'grace'),
    newHash,
    newExpiresAt,
    now,
    real,
    auditBody: auditBody(grantEntry('TokenRefreshed', token, app, request.source, now), systemClock.now()),
  })
  if (!won) return undefined
  context.refreshes.recent.remember(newHash, { ...token, issuedAt: now, expiresAt: newExpiresAt })
  return answer
}

/** The answer of a refresh is kept for a lost one, under a key that only the presented token yields: its 128 random
 *  bits hashed with a label, so that the key is not the hash that is stored. */
const graceKey = (presented: string): Buffer => sha256(`refdesk refresh answer ${presented}`)

function openAnswer(presented: string, sealed: Buffer): TokenResponse {
  return JSON.parse(unseal(graceKey(presented), sealed, 'grace').toString()) as TokenResponse
}

/** A spent token came back: it was stolen, or the thief was first. Either way the session ends (RFC 9700 §4.14.2). */
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
