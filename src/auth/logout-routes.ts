import { appendAudit } from '../access/audit.ts'
import { pageHeaders } from '../http/layout.ts'
import type { Server } from '../http/typed-server.ts'
import { languageOf } from './authorization.ts'
import { currentSignIn, signInCookie } from './authorize-routes.ts'
import type { AuthContext } from './context.ts'
import { addCookie, formTokenFor, hasFormToken } from './login-routes.ts'
import { signedOutPage, signOutPage } from './pages/signed-out.ts'
import { endSignIn } from './sign-in-store.ts'

/** Signing out of this browser: the sign-in ends, and every session begun from it. */
export function logoutRoutes(server: Server, context: AuthContext): void {
  const { environment } = context.config

  server.get('/logout', { schema: { hide: true } }, async (request, reply) => {
    const lang = languageOf(request)
    const signIn = await currentSignIn(context, request)
    const page = signIn
      ? signOutPage({ environment, lang, userName: signIn.userName, formToken: formTokenFor(context, request, reply) })
      : signedOutPage({ environment, lang })
    return reply.headers(pageHeaders()).send(page.toString())
  })

  server.post('/logout', { schema: { hide: true } }, async (request, reply) => {
    const form = new URLSearchParams(String(request.body ?? ''))
    // Another site must not sign people out: without our own form's token the question is asked again.
    if (!hasFormToken(context, request, form)) return reply.redirect('/logout', 303)
    const signIn = await currentSignIn(context, request)
    if (signIn) {
      const now = context.clock.now()
      await context.db.transaction().execute(async (trx) => {
        await endSignIn(trx, signIn.signInId, now)
        await appendAudit(trx, { at: now.toString(), kind: 'SignOut', user: signIn.userKey, address: request.ip })
      })
      await context.feed.poll()
    }
    addCookie(context, reply, signInCookie, '', 0)
    const page = signedOutPage({ environment, lang: languageOf(request) })
    return reply.headers(pageHeaders()).send(page.toString())
  })
}
