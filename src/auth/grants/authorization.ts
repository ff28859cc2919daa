import type { FastifyReply, FastifyRequest } from 'fastify'
import { consentOrigin, isRegistered } from '../../apps/rules/redirect-match.ts'
import type { StoredApp } from '../../apps/store/apps.ts'
import { appendAudit } from '../../audit/append.ts'
import { plusSeconds } from '../../core/clock.ts'
import { pageHeaders, travelledOf } from '../../http/html/layout.ts'
import { isCounted } from '../../http/limits/rate-limits.ts'
import { noteFacts } from '../../http/request-log/facts.ts'
import { type AuthContext, requestSource } from '../context.ts'
import { grantHash, hashBytes, newGrantText } from '../grant-text.ts'
import { type ErrorCause, errorPage, type PageFrame } from '../pages/messages.ts'
import { pickLanguage, texts } from '../pages/texts.ts'
import { type OAuthError, OAuthProblem } from '../problem.ts'
import {
  type AuthorizationRequest,
  type Params,
  type ReturnTarget,
  readAuthorizationRequest,
  redirectTarget,
  requestedAppKey,
} from '../rules/authorization-request.ts'
import { challengeRow, insertCode, lockPreconditions } from '../store/codes.ts'
import type { Consent, SignIn } from '../store/sign-ins.ts'
import { grantEntry, grantedPermissions, issueAccessToken, noteSignIn, startSession } from './issue.ts'

export type Visit = Readonly<{
  context: AuthContext
  request: FastifyRequest
  reply: FastifyReply
  asked: AuthorizationRequest
  app: StoredApp
  target: ReturnTarget
}>

/** A handler for valid authorization requests. An invalid one gets an error page, or is redirected if its address is trusted. */
export function withValidRequest(context: AuthContext, work: (visit: Visit) => Promise<FastifyReply> | FastifyReply) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const params = withoutEmpty(request.query as Params)
    const appKey = requestedAppKey(params)
    const app = appKey === undefined ? undefined : await context.directory.find(appKey)
    if (app) noteFacts(request, { app: app.appKey, client: app.clientKey })
    const isOwn = (uri: string) => app !== undefined && isRegistered(app, uri)
    const read = readAuthorizationRequest(params, app, isOwn, context.profile, context.resources)
    if (read.kind === 'page') return sendErrorPage({ context, request, reply }, read.cause, 400)
    if (read.kind === 'redirect')
      return redirectWithError({ context, reply, target: read }, read.error, read.description)
    if (!app) throw new Error('A valid authorization request names an app.')
    const { redirectUri, responseType, state } = read.request
    const target = { redirectUri, inFragment: responseType === 'token', state }
    const visit = { context, request, reply, asked: read.request, app, target }
    try {
      return await work(visit)
    } catch (error) {
      if (error instanceof OAuthProblem) return redirectWithError(visit, error.error, error.message)
      throw error
    }
  }
}

/** A parameter without a value counts as absent (RFC 6749 §3.1). */
function withoutEmpty(query: Params): Params {
  const params: Record<string, string[]> = Object.create(null)
  for (const [name, values] of Object.entries(query)) {
    const given = (values ?? []).filter((value) => value !== '')
    if (given.length > 0) params[name] = given
  }
  return params
}

export function pageFrame({ config, clock }: AuthContext, request: FastifyRequest): PageFrame {
  const lang = pickLanguage((request.query as Params | undefined)?.lang?.[0], request.headers['accept-language'])
  return { environment: config.environment, lang, travel: travelledOf(clock) }
}

type Exchange = Pick<Visit, 'context' | 'request' | 'reply'>

export function sendErrorPage({ context, request, reply }: Exchange, cause: ErrorCause, status: number): FastifyReply {
  const page = errorPage(pageFrame(context, request), cause, request.id)
  const { sentence, developers } = texts.en.errors[cause]
  noteFacts(request, { reason: { code: cause, message: `${sentence} ${developers}` } })
  return reply.code(status).headers(pageHeaders()).send(page.toString())
}

type Redirect = Pick<Visit, 'context' | 'reply' | 'target'>

export function redirectWithError(to: Redirect, error: OAuthError, description: string): FastifyReply {
  noteFacts(to.reply.request, { reason: { code: error, message: description } })
  return redirectBack(to, { error, error_description: description })
}

function redirectBack({ context, reply, target }: Redirect, members: Record<string, string | number>): FastifyReply {
  // RFC 9207; not in the implicit response, whose members are fixed (§4.6).
  const iss = context.profile.sendsIssuer && !target.inFragment ? context.config.publicUrl : undefined
  const url = redirectTarget(target.redirectUri, target.inFragment, { ...members, state: target.state, iss })
  return reply.header('cache-control', 'no-store').redirect(url, 302)
}

export const consentOf = ({ context, asked, app, target }: Visit, { userKey }: SignIn): Consent => ({
  userKey,
  appKey: app.appKey,
  loopbackOrigin: consentOrigin(app.flow, target.redirectUri),
  permissions: grantedPermissions(context, app, asked.resource),
})

/** Bounds the new sessions of a user per minute (§2.6). The error is sent to the app. */
export function requireGrantWithinLimit({ context: { config, limiter }, request }: Visit, userKey: string): void {
  if (!isCounted(request, config.rateLimits)) return
  const bucket = { key: `SignIns/${userKey}`, limit: config.rateLimitSigninsMinute, windowSeconds: 60 }
  const [state] = limiter.take([bucket])
  if (state?.admitted !== false) return
  const text = `Too many sign-ins of this user within a minute. Try again in ${state.resetSeconds} seconds, and use the tokens you have meanwhile.`
  throw new OAuthProblem('temporarily_unavailable', text)
}

/** Grants the request: a code in the query, or for the implicit flow a token in the fragment. */
export async function grant(visit: Visit, signIn: SignIn): Promise<FastifyReply> {
  const { context, request, asked, app, target } = visit
  if (asked.responseType === 'code') {
    const code = await issueCode(visit, signIn)
    noteFacts(request, { user: signIn.userKey })
    return redirectBack(visit, { code })
  }
  const call = { context, app, source: requestSource(request), now: context.clock.now() }
  const granted = await context.db.transaction().execute(async (trx) => {
    const permissions = grantedPermissions(context, app, null)
    if (!(await lockPreconditions(trx, { ...signIn, appKey: app.appKey, permissions }))) return undefined
    const session = await startSession(call, trx, {
      ...signIn,
      redirectUri: target.redirectUri,
      challenge: null,
      resource: null,
    })
    await appendAudit(trx, grantEntry('ImplicitGrant', call, session))
    return { session, access: issueAccessToken(call, session) }
  })
  if (!granted) return redirectWithError(visit, 'access_denied', 'The sign-in has ended.')
  noteFacts(request, { user: signIn.userKey, session: granted.session.sessionId })
  await noteSignIn(context, granted.session)
  const { token: access_token, expiresIn: expires_in } = granted.access
  return redirectBack(visit, { access_token, token_type: 'bearer', expires_in })
}

async function issueCode({ context, request, asked, app, target }: Visit, signIn: SignIn): Promise<string> {
  const code = newGrantText(asked.resource)
  const now = context.clock.now()
  await context.db.transaction().execute(async (trx) => {
    await insertCode(trx, {
      code_hash: hashBytes(grantHash(code)),
      app_key: app.appKey,
      user_key: signIn.userKey,
      sign_in_id: signIn.signInId,
      redirect_uri: target.redirectUri,
      ...challengeRow(asked.challenge),
      resource: asked.resource,
      issued_at: now.toString(),
      expires_at: plusSeconds(now, context.config.codeSeconds).toString(),
    })
    const call = { context, app, source: requestSource(request), now }
    await appendAudit(trx, grantEntry('CodeIssued', call, signIn))
  })
  return code
}
