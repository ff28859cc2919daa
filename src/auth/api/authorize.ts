import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../../core/crypto/keys.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { readCookie } from '../../http/html/cookies.ts'
import { queryText } from '../../http/input/query.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AuthContext } from '../context.ts'
import {
  consentOf,
  grant,
  redirectWithError,
  requireGrantWithinLimit,
  type Visit,
  withValidRequest,
} from '../grants/authorization.ts'
import { hasConsent, readSignIn } from '../store/sign-ins.ts'
import { toOAuthProblem } from './errors.ts'
import { authorizeQuery } from './schema.ts'

export const signInCookie = 'refdesk_signin'

/** The sign-in of this browser, by its cookie. `any` also finds one that has expired or, after a time travel, has not started:
 *  its sessions may still have to end. */
export async function findSignIn(context: AuthContext, request: FastifyRequest, which: 'valid' | 'any' = 'valid') {
  const cookie = readCookie(context.config.publicUrl, request, signInCookie)
  const validAt = which === 'valid' ? context.clock.now() : undefined
  return cookie ? readSignIn(context.db, sha256(cookie), validAt) : undefined
}

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

/** GET /authorize starts a flow (§4.3). */
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
