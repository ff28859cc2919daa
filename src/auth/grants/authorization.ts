import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRegistered } from '../../apps/rules/redirect-match.ts'
import type { AppFacts } from '../../apps/store/apps.ts'
import { appendAudit } from '../../audit/append.ts'
import { plusSeconds } from '../../core/clock.ts'
import { randomGuid, sha256 } from '../../core/crypto/keys.ts'
import { pageHeaders, travelledOf } from '../../http/html/layout.ts'
import type { AuthContext } from '../context.ts'
import { authorizeErrorTexts, type ErrorCause, errorPage } from '../pages/error.ts'
import { pickLanguage } from '../pages/texts.ts'
import type { OAuthError } from '../problem.ts'
import {
  type AuthorizationRequest,
  type PageCause,
  type Params,
  readAuthorizationRequest,
  redirectTarget,
  requestedAppKey,
} from '../rules/authorization-request.ts'
import { insertCode } from '../store/codes.ts'
import { lockPreconditions } from '../store/grants.ts'
import type { SignIn } from '../store/sign-ins.ts'
import { beginSession, grantEntry, issueAccessToken } from './issue.ts'

/** Where an answer goes: known as soon as the address is trusted. */
export type Back = Readonly<{ redirectUri: string; inFragment: boolean; state: string | undefined }>

export type Finding =
  | { kind: 'page'; cause: PageCause }
  | ({ kind: 'redirect'; error: OAuthError; description: string } & Back)
  | { kind: 'request'; request: AuthorizationRequest; app: AppFacts; back: Back }

/** The authorization request in the query of /authorize or /login. */
export async function findRequest(context: AuthContext, request: FastifyRequest): Promise<Finding> {
  const params = withoutEmpty(request.query as Params)
  const appKey = requestedAppKey(params)
  if (typeof appKey !== 'string') return appKey
  const app = await context.directory.find(appKey)
  const isOurs = (uri: string) => app !== undefined && isRegistered(app.redirectUris, uri, app.Flow)
  const reading = readAuthorizationRequest(params, app, isOurs, context.profile)
  if (reading.kind !== 'request' || !app) return reading as Finding
  const { redirectUri, responseType, state } = reading.request
  return { ...reading, app, back: { redirectUri, inFragment: responseType === 'token', state } }
}

/** Parameters without a value are as if they were not there (RFC 6749 §3.1). */
function withoutEmpty(query: Params): Params {
  const params: Record<string, string[]> = Object.create(null)
  for (const [name, values] of Object.entries(query)) {
    const given = (values ?? []).filter((value) => value !== '')
    if (given.length > 0) params[name] = given
  }
  return params
}

const pageCauses: Record<PageCause, ErrorCause> = {
  clientIdMissing: 'unknownApp',
  clientIdRepeated: 'repeatedParameter',
  appUnknown: 'unknownApp',
  appInactive: 'inactiveApp',
  redirectUriMissing: 'redirectUriMissing',
  redirectUriRepeated: 'repeatedParameter',
  redirectUriUnregistered: 'redirectUriUnregistered',
}

export function languageOf(request: FastifyRequest) {
  const lang = (request.query as Params | undefined)?.lang?.[0]
  return pickLanguage(lang, request.headers['accept-language'])
}

export function refuseByPage(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  cause: PageCause,
): FastifyReply {
  return sendErrorPage(context, request, reply, pageCauses[cause], 400)
}

export function sendErrorPage(
  context: Pick<AuthContext, 'config' | 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
  cause: ErrorCause,
  status: number,
): FastifyReply {
  const lang = languageOf(request)
  const { environment } = context.config
  const place = { environment, lang, travel: travelledOf(context.clock) }
  const page = errorPage({ ...authorizeErrorTexts[lang][cause], ...place, requestId: request.id })
  return reply.code(status).headers(pageHeaders()).send(page.toString())
}

/** Sends the browser back to the app with an error; in the query for code, in the fragment for token. */
export function refuseByRedirect(
  context: AuthContext,
  reply: FastifyReply,
  refusal: Back & { error: OAuthError; description: string },
): FastifyReply {
  return sendBack(context, reply, refusal, { error: refusal.error, error_description: refusal.description })
}

function sendBack(
  context: AuthContext,
  reply: FastifyReply,
  back: Back,
  members: Record<string, string | number>,
): FastifyReply {
  // RFC 9207; not in the implicit answer, whose members §5.3 names one by one.
  const iss = context.profile.sendsIssuer && !back.inFragment ? context.config.publicUrl : undefined
  const target = redirectTarget(back.redirectUri, back.inFragment, { ...members, state: back.state, iss })
  return reply.header('cache-control', 'no-store').redirect(target, 302)
}

/** Grants what was asked for: a code in the query, or for the implicit flow a token in the fragment. */
export async function answerGrant(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Extract<Finding, { kind: 'request' }>,
  signIn: SignIn,
): Promise<FastifyReply> {
  const source = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' }
  if (found.request.responseType === 'code') {
    const code = await issueCode(context, found, signIn, source.address)
    return sendBack(context, reply, found.back, { code })
  }
  const now = context.clock.now()
  const { app, back } = found
  const access = await context.db.transaction().execute(async (trx) => {
    if (!(await lockPreconditions(trx, { ...signIn, appKey: app.AppKey }))) return undefined
    const grant = { app, ...signIn, redirectUri: back.redirectUri, challenge: undefined }
    const holder = await beginSession(context, trx, grant, source, now)
    await appendAudit(trx, grantEntry('ImplicitGrant', holder, app, source, now))
    return issueAccessToken(context, holder, app, now)
  })
  if (!access)
    return refuseByRedirect(context, reply, { ...back, error: 'access_denied', description: 'The sign-in has ended.' })
  return sendBack(context, reply, back, {
    access_token: access.token,
    token_type: 'bearer',
    expires_in: access.expiresIn,
  })
}

async function issueCode(
  context: AuthContext,
  found: Extract<Finding, { kind: 'request' }>,
  signIn: SignIn,
  address: string,
): Promise<string> {
  const code = randomGuid()
  const now = context.clock.now()
  await context.db.transaction().execute(async (trx) => {
    await insertCode(trx, {
      hash: sha256(code),
      appKey: found.app.AppKey,
      userKey: signIn.userKey,
      signInId: signIn.signInId,
      redirectUri: found.back.redirectUri,
      challenge: found.request.challenge,
      issuedAt: now,
      expiresAt: plusSeconds(now, context.config.codeSeconds),
    })
    await appendAudit(trx, grantEntry('CodeIssued', signIn, found.app, { address, userAgent: '' }, now))
  })
  return code
}
