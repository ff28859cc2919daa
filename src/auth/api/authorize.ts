import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../../core/crypto/keys.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { cookieName, cookieValue } from '../../http/html/cookies.ts'
import { queryText } from '../../http/input/query.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AuthContext } from '../context.ts'
import { answerGrant, type Finding, findRequest, refuseByPage, refuseByRedirect } from '../grants/authorization.ts'
import { hasConsent, readSignIn, type SignIn } from '../store/sign-ins.ts'
import { toOAuthProblem } from './errors.ts'
import { authorizeQuery } from './schema.ts'

export const signInCookie = 'refdesk_signin'

/** Whose browser this is, by its cookie. */
export function currentSignIn(context: AuthContext, request: FastifyRequest): Promise<SignIn | undefined> {
  return signInOf(context, request, context.clock.now())
}

/** The same for a sign-in whose time is over or, after a travel, has not come: sessions of it may still be there to end. */
export function anySignIn(context: AuthContext, request: FastifyRequest): Promise<SignIn | undefined> {
  return signInOf(context, request)
}

async function signInOf(context: AuthContext, request: FastifyRequest, now?: Temporal.Instant) {
  const cookie = cookieValue(request.headers.cookie, cookieName(signInCookie, context.config.publicUrl))
  return cookie ? readSignIn(context.db, sha256(cookie), now) : undefined
}

const page = { type: 'text/html' }
const authorizeSchema = (profile: WireProfile) => ({
  operationId: 'authorize',
  summary: 'Start a sign-in',
  description:
    'To be opened in the browser of the user, not called by a program. Leads to the pages that sign the user in and ask ' +
    'whether to let the app in, or, where that is known already, straight back. The answer comes to redirect_uri: `code` ' +
    'and `state` in its query, or the token in its fragment; a refusal comes there too, as `error` and `error_description`.',
  tags: ['sign-in'],
  documented: {
    query: authorizeQuery(profile),
    withoutToken: true,
    onlyOwnErrors: true,
    answers: {
      302: { description: 'To the sign-in, or back to the app.', headers: ['Location'] },
      400: { description: 'A page: the app or its redirect_uri is not known, so nobody is sent there.', ...page },
      503: { description: 'A page: try again.', headers: ['Retry-After'], ...page },
      default: { description: 'A page, for whatever else went wrong.', ...page },
    },
  } as const,
})

/** GET /authorize: starts a flow (§5.2 step 1, §5.3 step 1). */
export function authorizeRoutes(server: Server, context: AuthContext): void {
  // No HEAD: it would grant like GET, and link checkers send it.
  server.get(
    '/authorize',
    { schema: authorizeSchema(context.profile), exposeHeadRoute: false },
    async (request, reply) => {
      const found = await findRequest(context, request)
      if (found.kind === 'page') return refuseByPage(context, request, reply, found.cause)
      if (found.kind === 'redirect') return refuseByRedirect(context, reply, found)
      try {
        return await decide(context, request, reply, found)
      } catch (error) {
        // The address is trusted by now, so a fault of ours goes to the app too (RFC 6749 §4.1.2.1).
        const problem = toOAuthProblem(error, request)
        return refuseByRedirect(context, reply, { ...found.back, error: problem.error, description: problem.message })
      }
    },
  )
}

async function decide(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Extract<Finding, { kind: 'request' }>,
): Promise<FastifyReply> {
  const { prompt, app } = found.request
  const signIn = await currentSignIn(context, request)
  const consented = signIn !== undefined && (await hasConsent(context.db, signIn.userKey, app.AppKey))
  if (prompt === 'none' && !consented) {
    const error = signIn ? 'consent_required' : 'login_required'
    return refuseByRedirect(context, reply, { ...found.back, error, description: 'prompt=none allows no page.' })
  }
  if (!consented || prompt === 'login' || prompt === 'consent') {
    return reply.header('cache-control', 'no-store').redirect(`/login?${queryText(request)}`, 302)
  }
  return answerGrant(context, request, reply, found, signIn)
}
