import { endSessions } from '../../access/store/sessions.ts'
import { appendAudit, auditBody } from '../../audit/append.ts'
import { plusSeconds, systemClock } from '../../core/clock.ts'
import { seal, sha256, sha256Latin1, unseal } from '../../core/crypto/keys.ts'
import type { TokenResponse } from '../api/schema.ts'
import { OAuthProblem } from '../problem.ts'
import type { Form } from '../rules/client-authentication.ts'
import { decideRefresh } from '../rules/refresh.ts'
import type { StoredRefresh } from '../store/refresh-tokens.ts'
import { noticeTravel } from '../travel.ts'
import { type GrantCall, grantEntry, invalidGrant, makeTokenResponse, s256 } from './issue.ts'

/** `provedWith`: how the app authenticated. `real`: real time, which differs from `now` after a time travel. */
type Refresh = GrantCall & Readonly<{ provedWith: string; presented: string; hash: string; real: Temporal.Instant }>

/** Refreshes (§4.5): reads the token, decides, and applies the decision in one statement or transaction. A rotation can lose
 *  against a concurrent one of the same token; then it decides again. */
export async function refreshTokens(call: GrantCall, provedWith: string, form: Form): Promise<TokenResponse> {
  const { context, app } = call
  const presented = form.refresh_token
  if (!presented) throw new OAuthProblem('invalid_request', 'refresh_token is missing.')
  const hash = sha256Latin1(presented)
  let reason = 'no such refresh token'
  for (let round = 0; round < 3; round++) {
    const { travelCount } = context.clock
    const times = { now: context.clock.now(), real: context.clock.real.now() }
    const refresh = { ...call, ...times, provedWith, presented, hash }
    const token = context.refreshes.recent.take(hash) ?? (await context.refreshes.read.add(hash))
    const decision = decideRefresh(token, app.appKey, provedWith, form, times, context.profile, s256)
    if (!token) break
    if (decision === 'reject') {
      if (round === 0 && (await noticeTravel(context, travelCount))) continue
      reason =
        'the refresh token is of another app, expired, of an ended session, or was sent with another redirect_uri or verifier'
      await appendAudit(context.db, grantEntry('GrantRefused', refresh, token))
      break
    }
    if (decision === 'repeat' && token.answer) return openResponse(presented, token.answer)
    if (decision === 'reuse') {
      reason = 'the refresh token was used before; its session has ended'
      await endReusedSession(refresh, token)
      break
    }
    const response = await rotate(refresh, token)
    if (response) return response
  }
  throw invalidGrant(context, reason)
}

async function rotate(refresh: Refresh, token: StoredRefresh): Promise<TokenResponse | undefined> {
  const { context, provedWith, presented, hash, now, real } = refresh
  const response = makeTokenResponse(refresh, token)
  const newHash = sha256Latin1(response.refresh_token)
  const newExpiresAt = plusSeconds(now, response.refresh_token_expires_in)
  const won = await context.refreshes.rotate.add({
    hash,
    clientKey: token.clientKey,
    spentWith: provedWith,
    answer: seal(graceKey(presented), JSON.stringify(response), 'grace'),
    newHash,
    newExpiresAtMs: newExpiresAt.epochMilliseconds,
    nowMs: now.epochMilliseconds,
    realMs: real.epochMilliseconds,
    auditBody: auditBody(grantEntry('TokenRefreshed', refresh, token), systemClock.nowMs()),
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
async function endReusedSession(refresh: Refresh, token: StoredRefresh): Promise<void> {
  const { context, now } = refresh
  await context.db.transaction().execute(async (trx) => {
    await endSessions(trx, { sessionId: token.sessionId }, 'refresh token reused', now)
    await appendAudit(trx, grantEntry('RefreshReused', refresh, token))
  })
  await context.feed.poll()
}
