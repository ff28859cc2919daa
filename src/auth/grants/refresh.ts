import { endSessions } from '../../access/store/sessions.ts'
import { type AuditEntry, type AuditKind, appendAudit } from '../../audit/append.ts'
import { grantHash } from '../grant-text.ts'
import { OAuthProblem } from '../problem.ts'
import type { Form } from '../rules/client-authentication.ts'
import { reasons } from '../rules/reasons.ts'
import { decideRefresh } from '../rules/refresh.ts'
import type { StoredRefresh } from '../store/refresh-tokens.ts'
import { noticeTravel } from '../travel.ts'
import {
  type AppCall,
  grantEntry,
  invalidGrant,
  type NoteSession,
  noteRefusedGrant,
  planTokens,
  s256,
} from './issue.ts'
import { openResponse } from './rotation.ts'

/** `provedWith`: how the app authenticated. */
type Refresh = AppCall &
  Readonly<{ nowMs: number; provedWith: string; presented: string; hash: string; travelCount: number }>

/** Refreshes (§4.5), and returns the response as JSON: reads the token, decides, and applies the decision in one statement or transaction. A rotation can lose
 *  against a concurrent one of the same token; then it decides again. */
export async function refreshTokens(
  call: AppCall,
  provedWith: string,
  form: Form,
  noteSession: NoteSession,
): Promise<string> {
  const { context, app } = call
  const presented = form.refresh_token
  if (!presented) throw new OAuthProblem('invalid_request', 'refresh_token is missing.')
  const hash = grantHash(presented)
  let reason: string = reasons.unknownRefresh.text
  for (let round = 0; round < 3; round++) {
    const { travelCount } = context.clock
    const nowMs = context.clock.nowMs()
    const refresh = { ...call, nowMs, provedWith, presented, hash, travelCount }
    const token = context.refreshes.recent.take(hash) ?? (await context.refreshes.read.add(hash))
    const decision = decideRefresh(token, app.appKey, provedWith, form, nowMs, context.profile, s256)
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

/** Its holder may know the resource, and the token can be sent again (RFC 8707 §2). */
const otherResource = (resource: string): OAuthProblem =>
  new OAuthProblem(
    'invalid_target',
    `The sign-in was for another resource. Send resource=${resource}, or leave it out.`,
    {
      reason: reasons.sessionResource.text,
    },
  )

async function rotate(refresh: Refresh, token: StoredRefresh): Promise<string | undefined> {
  const { context, provedWith, presented, hash, nowMs } = refresh
  const times = { now: Math.floor(nowMs / 1_000), sessionExpires: Math.floor(token.sessionExpiresAtMs / 1_000) }
  const rotated = await context.refreshes.rotate.add({
    presented,
    hash,
    clientKey: token.clientKey,
    provedWith,
    nowMs,
    tokens: planTokens(refresh, token, times),
    entry: refreshEntry('TokenRefreshed', refresh, token),
  })
  if (!rotated) return undefined
  const { newHash, newExpiresAtMs, text } = rotated
  // A travel meanwhile may have moved its times.
  if (context.clock.travelCount === refresh.travelCount)
    context.refreshes.recent.remember(newHash, { ...token, issuedAtMs: nowMs, expiresAtMs: newExpiresAtMs })
  return text
}

const refreshEntry = (kind: AuditKind, { app, source, nowMs }: Refresh, token: StoredRefresh): AuditEntry =>
  grantEntry(kind, { app, source, now: nowMs }, token)

/** A spent token came back: either it or its successor was stolen, so the session ends (RFC 9700 §4.14.2). */
async function endReusedSession(refresh: Refresh, token: StoredRefresh): Promise<void> {
  const { context, nowMs } = refresh
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs)
  await context.db.transaction().execute(async (trx) => {
    const ended = await endSessions(trx, { sessionId: token.sessionId }, 'refresh token reused', now)
    if (ended.length > 0) await appendAudit(trx, refreshEntry('RefreshReused', refresh, token))
  })
  await context.feed.poll()
}
