import type { FastifyRequest } from 'fastify'
import { appendAudit } from '../../audit/append.ts'
import { addCookie, formTokenFor, hasFormToken } from '../../http/html/form-token.ts'
import { pageHeaders, travelledOf } from '../../http/html/layout.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AuthContext } from '../context.ts'
import { languageOf } from '../grants/authorization.ts'
import { signedOutPage, signOutPage } from '../pages/signed-out.ts'
import { endSignIn } from '../store/sign-ins.ts'
import { anySignIn, signInCookie } from './authorize.ts'

/** Signing out of this browser: the sign-in ends, and every session begun from it. */
export function logoutRoutes(server: Server, context: AuthContext): void {
  const { environment, publicUrl } = context.config
  const placeOf = (request: FastifyRequest) => {
    return { environment, lang: languageOf(request), travel: travelledOf(context.clock) }
  }

  server.get('/logout', { schema: { hide: true } }, async (request, reply) => {
    const signIn = await anySignIn(context, request)
    const page = signIn
      ? signOutPage({
          ...placeOf(request),
          userName: signIn.userName,
          formToken: formTokenFor(publicUrl, request, reply),
        })
      : signedOutPage(placeOf(request))
    return reply.headers(pageHeaders()).send(page.toString())
  })

  server.post('/logout', { schema: { hide: true } }, async (request, reply) => {
    const form = new URLSearchParams(String(request.body ?? ''))
    // Another site must not sign people out: without our own form's token the question is asked again.
    if (!hasFormToken(publicUrl, request, form)) return reply.redirect('/logout', 303)
    const signIn = await anySignIn(context, request)
    if (signIn) {
      const now = context.clock.now()
      await context.db.transaction().execute(async (trx) => {
        await endSignIn(trx, signIn.signInId, now)
        await appendAudit(trx, { at: now.toString(), kind: 'SignOut', user: signIn.userKey, address: request.ip })
      })
      await context.feed.poll()
    }
    addCookie(publicUrl, reply, signInCookie, '', 0)
    const page = signedOutPage(placeOf(request))
    return reply.headers(pageHeaders()).send(page.toString())
  })
}
