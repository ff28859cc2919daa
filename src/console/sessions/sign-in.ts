import type { FastifyReply, FastifyRequest } from 'fastify'
import { equalInConstantTime, randomHex, sha256 } from '../../core/crypto/keys.ts'
import { addCookie, readCookie } from '../../http/html/cookies.ts'
import type { Server } from '../../http/typed-server.ts'
import { PageContext } from '../shared/context.ts'
import type { ConsoleDependencies } from '../shared/dependencies.ts'
import { renderMessage } from '../shared/messages.ts'
import { openSealed, requestTokens, sealed, sessionFrom, writeSession } from '../shared/session.ts'

// No HEAD routes: they would start or finish a sign-in like GET.
const hidden = { schema: { hide: true }, exposeHeadRoute: false } as const

/** Signs in through /authorize, like any other app. */
export function signInRoutes(scope: Server, deps: ConsoleDependencies): void {
  scope.get('/console/login', hidden, async (request, reply) => {
    const ctx = new PageContext(deps, request, reply, undefined)
    return startSignIn(deps, request, reply, { next: ctx.query('next') ?? '/' })
  })

  scope.get('/console/callback', hidden, async (request, reply) => {
    const ctx = new PageContext(deps, request, reply, undefined)
    const [code, state, error] = ['code', 'state', 'error'].map((name) => ctx.query(name))
    const result = await finishSignIn(deps, request, reply, { code, state, error })
    if (result.kind === 'signedIn') return ctx.redirect(result.next)
    if (result.kind === 'denied') return ctx.redirect('/')
    // A user who opened 127.0.0.1 is on localhost now and already signed in: a second round needs no input.
    if (!result.isSecond) return startSignIn(deps, request, reply, { next: result.next, isSecond: true })
    return renderMessage(ctx, {
      status: 400,
      title: 'Sign-in not completed',
      text: `The sign-in failed or took too long, or this browser blocks cookies for ${new URL(deps.publicUrl).host}. Sign in again.`,
      href: `/console/login?${new URLSearchParams({ next: result.next })}`,
      action: 'Sign in again',
    })
  })
}

const browserCookie = 'refdesk_console_start'
const startSeconds = 600
/** `state` has a length limit (§4.3) and is sealed. */
const maxNextLength = 1000

/** The `state` of a sign-in. It is sealed and not kept in a cookie, so two windows can sign in at the same time.
 *  `browser` binds it to the browser that started it, against injected codes (RFC 6749 §10.12). */
type SignInState = Readonly<{ browser: string; verifier: string; next: string; isSecond: boolean }>

/** A path of ours that no browser reads as another host, in characters that a header may contain. */
const ownPath = /^(?!.*\\)\/(console(\/[!-~]*)?)?([?#][!-~]*)?$/

/** The page after the sign-in: `next` if it is a page of ours (without its query if too long), else the home page. */
export function safeNext(next: string): string {
  const path = next.length > maxNextLength ? (next.split(/[?#]/, 1)[0] ?? '') : next
  return path.length <= maxNextLength && ownPath.test(path) ? path : '/'
}

/** Redirects to /authorize with a code challenge. */
export function startSignIn(
  deps: ConsoleDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, isSecond = false }: { next: string; isSecond?: boolean },
): FastifyReply {
  const browser = browserOf(deps, request) ?? randomHex()
  addCookie(deps.publicUrl, reply, browserCookie, browser, startSeconds)
  const state: SignInState = { browser, verifier: `${randomHex()}${randomHex()}`, next: safeNext(next), isSecond }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: deps.appKey,
    redirect_uri: deps.callback,
    state: sealed(deps, state, 'console start'),
    code_challenge: sha256(state.verifier).toString('base64url'),
    code_challenge_method: 'S256',
  })
  return reply.header('cache-control', 'no-store').redirect(`${deps.publicUrl}/authorize?${query}`, 302)
}

export type SignInResult =
  | { kind: 'signedIn'; next: string }
  | { kind: 'denied' }
  /** Started in another browser, at another address of this machine or too long ago. Worth one retry. */
  | { kind: 'lost'; next: string; isSecond: boolean }

/** Handles the redirect from /authorize. */
export async function finishSignIn(
  deps: ConsoleDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { code: string | undefined; state: string | undefined; error: string | undefined },
): Promise<SignInResult> {
  if (given.error === 'access_denied') return { kind: 'denied' }
  const state = openSealed<SignInState>(deps, given.state ?? '', 'console start')
  const lost: SignInResult = { kind: 'lost', next: state?.next ?? '/', isSecond: state?.isSecond ?? false }
  if (!state || given.code === undefined || !isSameBrowser(deps, request, state)) return lost
  const tokens = await requestTokens(deps, request, {
    grant_type: 'authorization_code',
    code: given.code,
    redirect_uri: deps.callback,
    code_verifier: state.verifier,
  })
  if (!tokens) return lost
  const { Name } = await deps.apiFor(request, tokens.access_token).get<{ Name: string }>('/port/v1/users/me')
  writeSession(deps, reply, sessionFrom(deps, tokens, Name))
  return { kind: 'signedIn', next: state.next }
}

function browserOf(deps: ConsoleDependencies, request: FastifyRequest): string | undefined {
  const cookie = readCookie(deps.publicUrl, request, browserCookie)
  return cookie && /^[0-9a-f]{32}$/.test(cookie) ? cookie : undefined
}

function isSameBrowser(deps: ConsoleDependencies, request: FastifyRequest, { browser }: SignInState): boolean {
  return equalInConstantTime(Buffer.from(browserOf(deps, request) ?? ''), Buffer.from(browser))
}
