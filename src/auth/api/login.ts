import type { FastifyReply, FastifyRequest } from 'fastify'
import { findUserByName, lockUnchangedUser, type UserFacts } from '../../access/store/identities.ts'
import { consoleApp } from '../../apps/store/console-app.ts'
import { appendAudit } from '../../audit/append.ts'
import type { Refusal } from '../../audit/refusals.ts'
import { plusSeconds } from '../../core/clock.ts'
import { randomHex, sha256 } from '../../core/crypto/keys.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { addCookie, readCookie } from '../../http/html/cookies.ts'
import { formTokenFor, hasFormToken } from '../../http/html/form-token.ts'
import { formTargets, pageHeaders } from '../../http/html/layout.ts'
import { queryText } from '../../http/input/query.ts'
import { noteFacts } from '../../http/request-log/facts.ts'
import type { Server } from '../../http/typed-server.ts'
import { type AuthContext, requestSource } from '../context.ts'
import {
  consentOf,
  grant,
  pageFrame,
  redirectWithError,
  requireGrantWithinLimit,
  type Visit,
  withValidRequest,
} from '../grants/authorization.ts'
import { grantedPermissions } from '../grants/issue.ts'
import { signedOutPage, signOutPage } from '../pages/messages.ts'
import { type SignInProblem, signInPage } from '../pages/sign-in.ts'
import {
  endSignIn,
  hasConsent,
  insertSignIn,
  readSignIn,
  recordConsent,
  replaceSignIn,
  type SignIn,
} from '../store/sign-ins.ts'
import { toOAuthProblem } from './errors.ts'
import { authorizeQuery } from './schema.ts'

const signInCookie = 'refdesk_signin'

const maxNameLength = 200

const page = { type: 'text/html' }
const authorizeSchema = (profile: WireProfile) => ({
  operationId: 'authorize',
  summary: 'Start a sign-in',
  description:
    'Open it in the user’s browser; do not call it from a program. It shows the sign-in and consent pages, or redirects ' +
    'immediately if the user is already signed in and has consented. The result arrives at redirect_uri: `code` and `state` in ' +
    'the query, or the token in the fragment; an error as `error` and `error_description`.',
  tags: ['sign-in'],
  documented: {
    query: authorizeQuery(profile),
    withoutToken: true,
    onlyOwnErrors: true,
    responses: {
      302: { description: 'To the sign-in page, or back to the app.', headers: ['Location'] },
      400: { description: 'A page: the app or its redirect_uri is unknown, so there is no redirect.', ...page },
      503: { description: 'A page: try again.', headers: ['Retry-After'], ...page },
      default: {
        description: 'A page, for any other error; 431, headers too large, has the body of a REST error.',
        ...page,
      },
    },
  } as const,
})

export function authorizeRoutes(server: Server, context: AuthContext): void {
  // No HEAD: it would grant like GET, and link checkers send it.
  server.get(
    '/authorize',
    { schema: authorizeSchema(context.profile), exposeHeadRoute: false },
    withValidRequest(context, async (visit) => {
      try {
        return await authorize(visit)
      } catch (error) {
        // The address is trusted by now, so an internal error goes to the app too (RFC 6749 §4.1.2.1).
        const problem = toOAuthProblem(error, visit.request)
        return redirectWithError(visit, problem.error, problem.message)
      }
    }),
  )
}

async function authorize(visit: Visit): Promise<FastifyReply> {
  const { context, request, reply, asked } = visit
  const signIn = await findSignIn(context, request)
  const consented = signIn !== undefined && (await hasConsent(context.db, consentOf(visit, signIn)))
  if (asked.prompt === 'none' && !consented)
    return redirectWithError(visit, signIn ? 'consent_required' : 'login_required', 'prompt=none allows no page.')
  if (!consented || asked.prompt === 'login' || asked.prompt === 'consent')
    return reply.header('cache-control', 'no-store').redirect(`/login?${new URLSearchParams(queryText(request))}`, 302)
  requireGrantWithinLimit(visit, signIn.userKey)
  return grant(visit, signIn)
}

/** One page for sign-in and consent (§4.3). The authorization request is in its query and is checked again on every call.
 *  Signing out ends the sign-in of this browser and every session started from it (§4.12). */
export function loginRoutes(server: Server, context: AuthContext): void {
  const options = { schema: { hide: true } }
  server.get('/logout', options, (request, reply) => showLogout(context, request, reply))
  server.post('/logout', options, (request, reply) => signOut(context, request, reply))
  server.get(
    '/login',
    options,
    withValidRequest(context, async (visit) => showForm(visit, { signedInAs: (await usableSignIn(visit))?.userName })),
  )
  server.post('/login', options, withValidRequest(context, submitForm))
}

async function submitForm(visit: Visit): Promise<FastifyReply> {
  const { context, request } = visit
  const form = new URLSearchParams(String(request.body ?? ''))
  if (!hasFormToken(context.config.publicUrl, request, form)) return showForm(visit, { problem: 'stale' }, 400)
  const decision = form.get('decision')
  if (decision === 'cancel') return redirectWithError(visit, 'access_denied', 'The user cancelled.')
  if (decision === 'switch') return showForm(visit, {})
  const demoUser = form.get('demo_user')
  if (demoUser !== null) {
    // The user switcher of the console, which exists with demo data only, and so never in live.
    const { demo } = context
    if (!demo?.users.includes(demoUser) || visit.app.appKey !== consoleApp.AppKey) return showForm(visit, {})
    return signInByPassword(visit, demoUser, demo.password)
  }
  const userName = form.get('user')
  if (userName !== null) return signInByPassword(visit, userName, form.get('password') ?? '')
  const signIn = await usableSignIn(visit)
  if (!signIn) return showForm(visit, { problem: 'stale' }, 400)
  requireGrantWithinLimit(visit, signIn.userKey)
  return consent(visit, signIn)
}

async function usableSignIn({ context, request, asked }: Visit): Promise<SignIn | undefined> {
  return asked.prompt === 'login' ? undefined : findSignIn(context, request)
}

async function signInByPassword(visit: Visit, typedName: string, password: string): Promise<FastifyReply> {
  const { context, request, reply } = visit
  const userName = typedName.trim().slice(0, maxNameLength)
  const showBlocked = (seconds: number) => {
    noteRefusal(visit, 'AttemptsBlocked')
    reply.header('retry-after', seconds)
    return showForm(visit, { userName, problem: 'tooMany' }, 429)
  }
  // A known block takes no turn in the password queue.
  const known = context.guard.knownBlockSeconds('password', userName, request.ip)
  if (known !== undefined) return showBlocked(known)
  const { user, isRight, blockedSeconds } = await checkPassword(visit, userName, password)
  if (user && isRight) requireGrantWithinLimit(visit, user.userKey)
  const signIn = user && isRight ? await startSignIn(visit, user) : undefined
  if (signIn) return consent(visit, signIn)
  if (blockedSeconds !== undefined) return showBlocked(blockedSeconds)
  noteRefusal(visit, 'SignInRefused', user?.userKey)
  return showForm(visit, { userName, problem: 'wrong' }, 401)
}

type PasswordCheck = { user?: UserFacts | undefined; isRight: boolean; blockedSeconds?: number }

/** Attempts are counted inside the queue: of many concurrent guesses, no more pass the count than are checked at a time. */
function checkPassword({ context, request }: Visit, userName: string, password: string): Promise<PasswordCheck> {
  return context.passwords.inTurn(request.ip, async (matches) => {
    const blockedSeconds = await context.guard.passwordBlockedSeconds(userName, request.ip)
    if (blockedSeconds !== undefined) return { isRight: false, blockedSeconds }
    const user = await findUserByName(context.db, userName)
    const matched = (await matches(user?.passwordHash, password)) && !context.rejectedPasswords.has(password)
    const isRight = matched && user?.disabled === false
    if (!isRight) await context.guard.recordWrongPassword(userName, request.ip)
    return { user, isRight }
  })
}

/** Undefined if the password was changed, or the user disabled, since it was checked. */
async function startSignIn({ context, request, reply }: Visit, user: UserFacts): Promise<SignIn | undefined> {
  const { userKey, clientKey, name } = user
  const cookie = `${randomHex()}${randomHex()}`
  const signInId = randomHex()
  const now = context.clock.now()
  const before = await findSignIn(context, request, 'any')
  const isStarted = await context.db.transaction().execute(async (trx) => {
    if (!(await lockUnchangedUser(trx, user))) return false
    await insertSignIn(trx, {
      sign_in_id: signInId,
      cookie_hash: sha256(cookie),
      user_key: userKey,
      created_at: now.toString(),
      expires_at: plusSeconds(now, context.config.signinSeconds).toString(),
      address: request.ip,
      user_agent: requestSource(request).userAgent,
    })
    await appendAudit(trx, { at: now, kind: 'SignIn', user: userKey, address: request.ip })
    // One sign-in per browser: signing out could not reach an earlier one.
    if (before?.userKey === userKey) await replaceSignIn(trx, before.signInId, signInId, now)
    else if (before) await endSignIn(trx, before.signInId, now)
    return true
  })
  if (!isStarted) return undefined
  if (before) await context.feed.poll()
  addCookie(context.config.publicUrl, reply, signInCookie, cookie, context.config.signinSeconds)
  return { signInId, userKey, clientKey, userName: name }
}

async function consent(visit: Visit, signIn: SignIn): Promise<FastifyReply> {
  const { context, request, app } = visit
  const now = context.clock.now()
  await context.db.transaction().execute(async (trx) => {
    const isNew = await recordConsent(trx, consentOf(visit, signIn), now)
    const actor = { user: signIn.userKey, app: app.appKey, address: request.ip }
    if (isNew) await appendAudit(trx, { at: now, kind: 'ConsentGiven', ...actor })
  })
  return grant(visit, signIn)
}

/** Not whether the user exists: the owner of the app reads this. */
const problemReasons: Readonly<Record<SignInProblem, string>> = {
  wrong: 'The user name or the password is wrong, or the user is disabled.',
  tooMany: 'Too many wrong passwords.',
  stale: 'The form is not of this browser, or its sign-in has ended.',
}

function noteRefusal({ context, request, app }: Visit, kind: Refusal['kind'], user?: string): void {
  context.refusals.note({ kind, address: request.ip, app: app.appKey, user })
}

function showForm(
  { context, request, reply, app, asked, target }: Visit,
  state: { userName?: string; problem?: SignInProblem; signedInAs?: string | undefined },
  status = 200,
): FastifyReply {
  if (state.problem) noteFacts(request, { reason: { code: state.problem, message: problemReasons[state.problem] } })
  const page = signInPage({
    ...pageFrame(context, request),
    appName: app.name,
    permissions: grantedPermissions(context, app, asked.resource),
    simControls: context.config.simControls,
    destination: new URL(target.redirectUri).host || target.redirectUri,
    action: `/login?${queryText(request)}`,
    formToken: formTokenFor(context.config.publicUrl, request, reply),
    demo: context.demo,
    ...state,
  })
  const headers = pageHeaders({ formAction: formTargets(target.redirectUri), mayBePopup: true })
  return reply.code(status).headers(headers).send(page.toString())
}

async function showLogout(context: AuthContext, request: FastifyRequest, reply: FastifyReply) {
  const signIn = await findSignIn(context, request, 'any')
  const frame = pageFrame(context, request)
  const formToken = signIn && formTokenFor(context.config.publicUrl, request, reply)
  const page = formToken ? signOutPage(frame, signIn.userName, formToken) : signedOutPage(frame)
  return reply.headers(pageHeaders()).send(page.toString())
}

async function signOut(context: AuthContext, request: FastifyRequest, reply: FastifyReply) {
  const { publicUrl } = context.config
  const form = new URLSearchParams(String(request.body ?? ''))
  // Another site must not sign users out: without the token of our form, ask again.
  if (!hasFormToken(publicUrl, request, form)) return reply.redirect('/logout', 303)
  const signIn = await findSignIn(context, request, 'any')
  if (signIn) {
    const now = context.clock.now()
    await context.db.transaction().execute(async (trx) => {
      await endSignIn(trx, signIn.signInId, now)
      await appendAudit(trx, { at: now, kind: 'SignOut', user: signIn.userKey, address: request.ip })
    })
    await context.feed.poll()
  }
  addCookie(publicUrl, reply, signInCookie, '', 0)
  return reply.headers(pageHeaders()).send(signedOutPage(pageFrame(context, request)).toString())
}

/** The sign-in of this browser, by its cookie. `any` also finds one that has expired or, after a time travel, has not started:
 *  its sessions may still have to end. */
async function findSignIn(context: AuthContext, request: FastifyRequest, which: 'valid' | 'any' = 'valid') {
  const cookie = readCookie(context.config.publicUrl, request, signInCookie)
  const validAt = which === 'valid' ? context.clock.now() : undefined
  return cookie ? readSignIn(context.db, sha256(cookie), validAt) : undefined
}
