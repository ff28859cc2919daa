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
import { decideExchange, type Exchange, missingExchangeField } from '../rules/code-exchange.ts'
import { lockCode, type StoredCode, spendCode } from '../store/codes.ts'
import { insertRefreshToken } from '../store/refresh-tokens.ts'
import { grantEntry, invalidGrant, makeTokenResponse, s256, startSession } from './issue.ts'

type CodeExchange = Readonly<{
  context: AuthContext
  trx: Trx
  app: AppFacts
  code: StoredCode
  hash: Buffer
  source: RequestSource
  now: Temporal.Instant
}>

/** Exchanges a code (§4.4). Decided and written in one transaction. A rejection is thrown only after the commit, because it may
 *  spend the code, end a session and write the audit log. */
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
    // The redirect URI may have been deleted since.
    const isOwn = found !== undefined && isRegistered(app.redirectUris, found.redirectUri, app.Flow)
    const code = found && { ...found, preconditionsHold: found.preconditionsHold && isOwn }
    const decision = decideExchange(code, app.AppKey, form, now, context.profile, s256)
    if (!code) return decision
    const exchange = { context, trx, app, code, hash, source, now }
    if (decision.kind === 'grant') return grantTokens(exchange)
    await rejectCode(exchange, decision.kind)
    return decision
  })
  if ('access_token' in outcome) return outcome
  // A replay ended a session: this node must know before it responds.
  if (outcome.kind === 'replay') await context.feed.poll()
  throw invalidGrant(context, outcome.reason)
}

async function grantTokens({ context, trx, app, code, hash, source, now }: CodeExchange): Promise<TokenResponse> {
  const session = await startSession(context, trx, { app, ...code }, source, now)
  const response = await makeTokenResponse(context, session, app, now)
  await insertRefreshToken(trx, {
    hash: sha256(response.refresh_token),
    sessionId: session.sessionId,
    issuedAt: now,
    expiresAt: plusSeconds(now, response.refresh_token_expires_in),
  })
  await spendCode(trx, hash, now, session.sessionId)
  await appendAudit(trx, grantEntry('CodeExchanged', session, app, source, now))
  return response
}

async function rejectCode({ trx, app, code, hash, source, now }: CodeExchange, kind: Exchange['kind']): Promise<void> {
  const { sessionId, userKey } = code
  if (kind === 'burn') await spendCode(trx, hash, now, null)
  if (kind === 'replay' && sessionId) {
    await endSessions(trx, { sessionId }, 'code replayed', now)
    await appendAudit(trx, grantEntry('CodeReplayed', { sessionId, userKey }, app, source, now))
  } else {
    await appendAudit(trx, grantEntry('GrantRefused', { userKey }, app, source, now))
  }
}
