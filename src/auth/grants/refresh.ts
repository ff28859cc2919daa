import { endSessions } from '../../access/store/sessions.ts'
import { appendAudit, auditBody } from '../../audit/append.ts'
import { plusSeconds, systemClock } from '../../core/clock.ts'
import { seal, sha256, unseal } from '../../core/crypto/keys.ts'
import type { TokenResponse } from '../api/schema.ts'
import type { AuthContext } from '../context.ts'
import { grantHash } from '../grant-text.ts'
import { OAuthProblem } from '../problem.ts'
import type { Form } from '../rules/client-authentication.ts'
import { reasons } from '../rules/reasons.ts'
import { decideRefresh } from '../rules/refresh.ts'
import type { StoredRefresh } from '../store/refresh-tokens.ts'
import { noticeTravel } from '../travel.ts'
import {
  type AppCall,
  type GrantCall,
  grantEntry,
  invalidGrant,
  makeTokenResponse,
  type NoteSession,
  noteRefusedGrant,
  s256,
} from './issue.ts'

type Refresh = GrantCall & Readonly<{ provedWith: string; presented: string; hash: string; travelCount: number }>

/** Refreshes (§4.5): reads the token, decides, and applies the decision in one statement or transaction. A rotation can lose
 *  against a concurrent one of the same token; then it decides again. */
export async function refreshTokens(
  call: AppCall,
  provedWith: string,
  form: Form,
  noteSession: NoteSession,
): Promise<TokenResponse> {
  const { context, app } = call
  const presented = form.refresh_token
  if (!presented) throw new OAuthProblem('invalid_request', 'refresh_token is missing.')
  const hash = grantHash(presented)
  let reason: string = reasons.unknownRefresh.text
  for (let round = 0; round < 3; round++) {
    const { travelCount } = context.clock
    const refresh = { ...call, now: context.clock.now(), provedWith, presented, hash, travelCount }
    const token = takeRecent(context, hash) ?? (await context.refreshes.read.add(hash))
    const decision = decideRefresh(token, app.appKey, provedWith, form, refresh.now, context.profile, s256)
    if (!token) break
    if (token.appKey === app.appKey) noteSession(token)
    if (decision === 'otherResource') {
      noteRefusedGrant(refresh, token.userKey)
      throw otherResource(token.resource ?? context.resources.rest)
    }
    if (typeof decision !== 'string') {
      if (round === 0 && (await noticeTravel(context, travelCount))) continue
      reason = decision.text
      noteRefusedGrant(refresh, token.userKey)
      break
    }
    if (decision === 'repeat' && token.answer) return openResponse(presented, token.answer)
    if (decision === 'reuse') {
      reason = reasons.spentRefresh.text
      await endReusedSession(refresh, token)
      break
    }
    const response = await rotate(refresh, token)
    if (response) return response
  }
  throw invalidGrant(context, reason)
}

/** Found once: a second attempt must read the database. */
function takeRecent({ refreshes: { recent } }: AuthContext, hash: string): StoredRefresh | undefined {
  const token = recent.get(hash)
  recent.delete(hash)
  return token
}

/** Its holder may know the resource, and the token can be sent again (RFC 8707 §2). */
function otherResource(resource: string): OAuthProblem {
  const text = `The sign-in was for another resource. Send resource=${resource}, or leave it out.`
  return new OAuthProblem('invalid_target', text, { reason: reasons.sessionResource.text })
}

async function rotate(refresh: Refresh, token: StoredRefresh): Promise<TokenResponse | undefined> {
  const { context, provedWith, presented, hash, now, travelCount } = refresh
  const response = makeTokenResponse(refresh, token)
  const newHash = grantHash(response.refresh_token)
  const newExpiresAt = plusSeconds(now, response.refresh_token_expires_in)
  const hasWon = await context.refreshes.rotate.add({
    ...{ hash, newHash, newExpiresAt, now },
    clientKey: token.clientKey,
    spentWith: provedWith,
    answer: seal(graceKey(presented), JSON.stringify(response), 'grace'),
    auditBody: auditBody(grantEntry('TokenRefreshed', refresh, token), systemClock.nowMs()),
  })
  if (!hasWon) return undefined
  // A travel meanwhile may have moved its times.
  if (context.clock.travelCount === travelCount)
    context.refreshes.recent.set(newHash, { ...token, issuedAt: now, expiresAt: newExpiresAt })
  return response
}

/** A response is kept in case it gets lost, under a key that only the presented token yields: its 128 random bits hashed with
 *  a label, so that the key differs from the stored hash. */
const graceKey = (presented: string): Buffer => sha256(`refdesk refresh answer ${presented}`)

const openResponse = (presented: string, sealed: Buffer): TokenResponse =>
  JSON.parse(unseal(graceKey(presented), sealed, 'grace').toString()) as TokenResponse

/** A spent token came back: either it or its successor was stolen, so the session ends (RFC 9700 §4.14.2). */
async function endReusedSession(refresh: Refresh, token: StoredRefresh): Promise<void> {
  const { context, now } = refresh
  await context.db.transaction().execute(async (trx) => {
    const ended = await endSessions(trx, { sessionId: token.sessionId }, 'refresh token reused', now)
    if (ended.length > 0) await appendAudit(trx, grantEntry('RefreshReused', refresh, token))
  })
  await context.feed.poll()
}
