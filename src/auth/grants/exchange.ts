import { endSessions } from '../../access/store/sessions.ts'
import { isRegistered } from '../../apps/rules/redirect-match.ts'
import { appendAudit } from '../../audit/append.ts'
import type { Trx } from '../../database/open.ts'
import type { TokenResponse } from '../api/schema.ts'
import { grantHash } from '../grant-text.ts'
import { OAuthProblem } from '../problem.ts'
import type { Form } from '../rules/client-authentication.ts'
import { decideExchange, type Exchange, missingExchangeField } from '../rules/code-exchange.ts'
import { lockCode, type StoredCode, spendCode } from '../store/codes.ts'
import { insertRefreshToken } from '../store/refresh-tokens.ts'
import {
  type GrantCall,
  grantEntry,
  grantedPermissions,
  invalidGrant,
  makeTokenResponse,
  type NoteSession,
  noteRefusedGrant,
  noteSignIn,
  type StartedSession,
  s256,
  startSession,
} from './issue.ts'

type CodeExchange = GrantCall & Readonly<{ trx: Trx; code: StoredCode; hash: string }>

/** Exchanges a code (§4.4). Decided and written in one transaction. A rejection is thrown only after the commit, because it may
 *  spend the code, end a session and write the audit log. */
export async function exchangeCode(call: GrantCall, form: Form, noteSession: NoteSession): Promise<TokenResponse> {
  const { context, app, now } = call
  const missing = missingExchangeField(form, context.profile)
  if (missing) throw new OAuthProblem('invalid_request', missing)
  const hash = grantHash(form.code ?? '')
  const outcome = await context.db.transaction().execute(async (trx) => {
    const found = await lockCode(trx, hash, (resource) => grantedPermissions(context, app, resource))
    // The redirect URI may have been deleted since.
    const isOwn = found !== undefined && isRegistered(app, found.redirectUri)
    const code = found && { ...found, preconditionsHold: found.preconditionsHold && isOwn }
    if (code?.appKey === app.appKey) noteSession(code)
    const decision = decideExchange(code, app.appKey, form, now, context.profile, s256)
    if (!code) return decision
    const exchange = { ...call, trx, code, hash }
    if (decision.kind === 'grant') return grantTokens(exchange)
    await rejectCode(exchange, decision.kind)
    return decision
  })
  if ('tokens' in outcome) {
    noteSession(outcome.session)
    await noteSignIn(context, outcome.session)
    return outcome.tokens
  }
  // A replay ended a session: this node must know before it responds.
  if (outcome.kind === 'replay') await context.feed.poll()
  throw invalidGrant(context, outcome.reason)
}

async function grantTokens(exchange: CodeExchange): Promise<{ tokens: TokenResponse; session: StartedSession }> {
  const { trx, code, hash, now } = exchange
  const session = await startSession(exchange, trx, code)
  const tokens = makeTokenResponse(exchange, session)
  await insertRefreshToken(trx, session.sessionId, tokens, now)
  await spendCode(trx, hash, now, session.sessionId)
  await appendAudit(trx, grantEntry('CodeExchanged', exchange, session))
  return { tokens, session }
}

/** Only the end of a session is logged individually: a spent code can be sent any number of times. */
async function rejectCode(exchange: CodeExchange, kind: Exchange['kind']): Promise<void> {
  const { trx, code, hash, now } = exchange
  const { sessionId, userKey } = code
  if (kind === 'burn') await spendCode(trx, hash, now, null)
  const isReplay = kind === 'replay' && sessionId !== null
  const ended = isReplay ? await endSessions(trx, { sessionId }, 'code replayed', now) : []
  if (isReplay && ended.length > 0) await appendAudit(trx, grantEntry('CodeReplayed', exchange, { sessionId, userKey }))
  else noteRefusedGrant(exchange, userKey)
}
