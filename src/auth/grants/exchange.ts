import { endSessions } from '../../access/store/sessions.ts'
import { isRegistered } from '../../apps/rules/redirect-match.ts'
import type { AppFacts } from '../../apps/store/apps.ts'
import { appendAudit } from '../../audit/append.ts'
import { plusSeconds } from '../../core/clock.ts'
import { sha256 } from '../../core/crypto/keys.ts'
import type { Trx } from '../../database/open.ts'
import type { TokenResponse } from '../api/schema.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { OAuthProblem } from '../problem.ts'
import type { Form } from '../rules/client-authentication.ts'
import { decideExchange, missingExchangeField } from '../rules/code-exchange.ts'
import { lockCode, type StoredCode, spendCode } from '../store/codes.ts'
import { insertRefreshToken } from '../store/refresh-tokens.ts'
import { beginSession, grantEntry, invalidGrant, makeTokenResponse, s256 } from './issue.ts'

/** Exchanges a code (§5.2 step 3). Decided and written in one transaction; refused only after what a refusal must
 *  leave behind (a burnt code, a dead session, the log) is committed. */
export async function exchangeCode(
  context: AuthContext,
  app: AppFacts,
  form: Form,
  source: RequestSource,
): Promise<TokenResponse> {
  const missing = missingExchangeField(form, context.profile)
  if (missing) throw new OAuthProblem('invalid_request', missing)
  const hash = sha256(form.code ?? '')
  const now = context.clock.now()
  const outcome = await context.db.transaction().execute(async (trx) => {
    const found = await lockCode(trx, hash)
    // Where the code went may be the app's no longer.
    const isOwn = found !== undefined && isRegistered(app.redirectUris, found.redirectUri, app.Flow)
    const code = found && { ...found, preconditionsHold: found.preconditionsHold && isOwn }
    const decision = decideExchange(code, app.AppKey, form, now, context.profile, s256)
    if (decision.kind === 'grant' && code) return grantByCode(context, trx, app, code, hash, source, now)
    if (code) await refuseCode(trx, decision.kind, app, code, hash, source, now)
    return decision
  })
  if ('access_token' in outcome) return outcome
  // A replay ended a session: this node knows it before it answers.
  if (outcome.kind === 'replay') await context.feed.poll()
  throw invalidGrant(context, outcome.reason)
}

async function grantByCode(
  context: AuthContext,
  trx: Trx,
  app: AppFacts,
  code: StoredCode,
  hash: Buffer,
  source: RequestSource,
  now: Temporal.Instant,
): Promise<TokenResponse> {
  const holder = await beginSession(context, trx, { app, ...code }, source, now)
  const answer = await makeTokenResponse(context, holder, app, now)
  await insertRefreshToken(trx, {
    hash: sha256(answer.refresh_token),
    sessionId: holder.sessionId,
    issuedAt: now,
    expiresAt: plusSeconds(now, answer.refresh_token_expires_in),
  })
  await spendCode(trx, hash, now, holder.sessionId)
  await appendAudit(trx, grantEntry('CodeExchanged', holder, app, source, now))
  return answer
}

async function refuseCode(
  trx: Trx,
  kind: string,
  app: AppFacts,
  code: StoredCode,
  hash: Buffer,
  source: RequestSource,
  now: Temporal.Instant,
): Promise<void> {
  const { sessionId, userKey } = code
  if (kind === 'burn') await spendCode(trx, hash, now, null)
  if (kind === 'replay' && sessionId) {
    await endSessions(trx, { sessionId }, 'code replayed', now)
    await appendAudit(trx, grantEntry('CodeReplayed', { sessionId, userKey }, app, source, now))
  } else {
    await appendAudit(trx, grantEntry('GrantRefused', { userKey }, app, source, now))
  }
}
