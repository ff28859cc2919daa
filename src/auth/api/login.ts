import type { FastifyReply, FastifyRequest } from 'fastify'
import { findUserByName, type UserFacts } from '../../access/store/identities.ts'
import { appendAudit } from '../../audit/append.ts'
import { plusSeconds } from '../../core/clock.ts'
import { randomHex, sha256 } from '../../core/crypto/keys.ts'
import { addCookie, formTokenFor, hasFormToken } from '../../http/html/form-token.ts'
import { formTargets, pageHeaders, travelledOf } from '../../http/html/layout.ts'
import { queryText } from '../../http/input/query.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AuthContext } from '../context.ts'
import {
  answerGrant,
  type Finding,
  findRequest,
  languageOf,
  refuseByPage,
  refuseByRedirect,
} from '../grants/authorization.ts'
import { type SignInProblem, signInPage } from '../pages/sign-in.ts'
import { accessLevel, readAndWrite } from '../rules/access-token.ts'
import { endSignIn, insertSignIn, rememberConsent, replaceSignIn, type SignIn } from '../store/sign-ins.ts'
import { anySignIn, currentSignIn, signInCookie } from './authorize.ts'

type Asked = Extract<Finding, { kind: 'request' }>

const longestName = 200

/** One page signs in and asks to allow the app (contract §4). The authorization request travels in its query and is
 *  checked anew on every call. */
export function loginRoutes(server: Server, context: AuthContext): void {
  server.get('/login', { schema: { hide: true } }, async (request, reply) => {
    const found = await findRequest(context, request)
    if (found.kind === 'page') return refuseByPage(context, request, reply, found.cause)
    if (found.kind === 'redirect') return refuseByRedirect(context, reply, found)
    const signIn = found.request.prompt === 'login' ? undefined : await currentSignIn(context, request)
    return showForm(context, request, reply, found, { signedInAs: signIn?.userName })
  })

  server.post('/login', { schema: { hide: true } }, async (request, reply) => {
    const found = await findRequest(context, request)
    if (found.kind === 'page') return refuseByPage(context, request, reply, found.cause)
    if (found.kind === 'redirect') return refuseByRedirect(context, reply, found)
    const form = new URLSearchParams(String(request.body ?? ''))
    if (!hasFormToken(context.config.publicUrl, request, form))
      return showForm(context, request, reply, found, { problem: 'stale' }, 400)
    const decision = form.get('decision')
    if (decision === 'cancel')
      return refuseByRedirect(context, reply, { ...found.back, error: 'access_denied', description: 'Cancelled.' })
    if (decision === 'switch') return showForm(context, request, reply, found, {})
    return form.has('user')
      ? signInByPassword(context, request, reply, found, form)
      : goOn(context, request, reply, found)
  })
}

/** Somebody who is signed in allows the app. */
async function goOn(context: AuthContext, request: FastifyRequest, reply: FastifyReply, found: Asked) {
  const signIn = found.request.prompt === 'login' ? undefined : await currentSignIn(context, request)
  if (!signIn) return showForm(context, request, reply, found, { problem: 'stale' }, 400)
  return allow(context, request, reply, found, signIn)
}

async function signInByPassword(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Asked,
  form: URLSearchParams,
): Promise<FastifyReply> {
  const userName = (form.get('user') ?? '').trim().slice(0, longestName)
  const refuseTry = (seconds: number) => {
    reply.header('retry-after', seconds)
    return showForm(context, request, reply, found, { userName, problem: 'tooMany' }, 429)
  }
  // A block that is known takes no place in the line and no room in the log.
  const known = context.guard.knownBlockSeconds('password', userName, request.ip)
  if (known !== undefined) return refuseTry(known)
  const { user, right, blockedSeconds } = await checkPassword(context, userName, form.get('password') ?? '', request.ip)
  if (user && right) {
    const signIn = await beginSignIn(context, request, reply, { ...user, userName: user.name })
    return allow(context, request, reply, found, signIn)
  }
  if (blockedSeconds !== undefined) {
    await auditRefusal(context, request, found, 'AttemptsBlocked')
    return refuseTry(blockedSeconds)
  }
  await auditRefusal(context, request, found, 'SignInRefused', user?.userKey)
  return showForm(context, request, reply, found, { userName, problem: 'wrong' }, 401)
}

type Checked = { user?: UserFacts | undefined; right: boolean; blockedSeconds?: number }

/** Whose password it is, if anybody's. Counted within the turn, so that of many guesses at once only as many pass the
 *  count as are checked at a time. */
function checkPassword(context: AuthContext, userName: string, password: string, address: string): Promise<Checked> {
  return context.passwords.inTurn(async (matches) => {
    const blockedSeconds = await context.guard.passwordBlockedSeconds(userName, address)
    if (blockedSeconds !== undefined) return { right: false, blockedSeconds }
    const user = await findUserByName(context.db, userName)
    const matched = await matches(user?.passwordHash, password)
    const right = matched && user?.disabled === false
    if (!right) await context.guard.noteWrongPassword(userName, address)
    return { user, right }
  })
}

async function beginSignIn(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: { userKey: string; clientKey: string; userName: string },
): Promise<SignIn> {
  const cookie = `${randomHex()}${randomHex()}`
  const signInId = randomHex()
  const now = context.clock.now()
  const before = await anySignIn(context, request)
  await context.db.transaction().execute(async (trx) => {
    await insertSignIn(trx, {
      signInId,
      cookieHash: sha256(cookie),
      userKey: user.userKey,
      createdAt: now,
      expiresAt: plusSeconds(now, context.config.signinSeconds),
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    })
    await appendAudit(trx, { at: now.toString(), kind: 'SignIn', user: user.userKey, address: request.ip })
    // One browser, one sign-in: else signing out would leave the one before behind, out of reach.
    if (before?.userKey === user.userKey) await replaceSignIn(trx, before.signInId, signInId, now)
    else if (before) await endSignIn(trx, before.signInId, now)
  })
  if (before) await context.feed.poll()
  addCookie(context.config.publicUrl, reply, signInCookie, cookie, context.config.signinSeconds)
  return { signInId, ...user }
}

async function allow(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Asked,
  signIn: SignIn,
): Promise<FastifyReply> {
  const now = context.clock.now()
  await context.db.transaction().execute(async (trx) => {
    const isNew = await rememberConsent(trx, signIn.userKey, found.app.AppKey, now)
    const who = { user: signIn.userKey, app: found.app.AppKey, address: request.ip }
    if (isNew) await appendAudit(trx, { at: now.toString(), kind: 'ConsentGiven', ...who })
  })
  return answerGrant(context, request, reply, found, signIn)
}

async function auditRefusal(
  context: AuthContext,
  request: FastifyRequest,
  found: Asked,
  kind: 'SignInRefused' | 'AttemptsBlocked',
  user?: string,
): Promise<void> {
  const at = context.clock.now().toString()
  await appendAudit(context.db, { at, kind, app: found.app.AppKey, address: request.ip, ...(user ? { user } : {}) })
}

function showForm(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Asked,
  shown: { userName?: string; problem?: SignInProblem; signedInAs?: string | undefined },
  status = 200,
): FastifyReply {
  const { app, back } = found
  const page = signInPage({
    environment: context.config.environment,
    lang: languageOf(request),
    travel: travelledOf(context.clock),
    appName: app.Name,
    mayWrite: accessLevel(app.onlineLevel, app.offlineLevel) === readAndWrite,
    destination: destinationOf(back.redirectUri),
    action: `/login?${queryText(request)}`,
    formToken: formTokenFor(context.config.publicUrl, request, reply),
    cancelable: true,
    demo: context.demo,
    ...shown,
  })
  const headers = pageHeaders({ formAction: formTargets(back.redirectUri), mayBePopup: true })
  return reply.code(status).headers(headers).send(page.toString())
}

function destinationOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  return url.host || redirectUri
}
