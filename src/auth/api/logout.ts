import type { FastifyReply, FastifyRequest } from 'fastify'
import { appendAudit } from '../../audit/append.ts'
import { addCookie } from '../../http/html/cookies.ts'
import { formTokenFor, hasFormToken } from '../../http/html/form-token.ts'
import { pageHeaders } from '../../http/html/layout.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AuthContext } from '../context.ts'
import { pageFrame } from '../grants/authorization.ts'
import { signedOutPage, signOutPage } from '../pages/messages.ts'
import { endSignIn } from '../store/sign-ins.ts'
import { findSignIn, signInCookie } from './authorize.ts'

/** Signs out of this browser: ends the sign-in and every session started from it (§4.12). */
export function logoutRoutes(server: Server, context: AuthContext): void {
  const options = { schema: { hide: true } }
  server.get('/logout', options, (request, reply) => showLogout(context, request, reply))
  server.post('/logout', options, (request, reply) => signOut(context, request, reply))
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
