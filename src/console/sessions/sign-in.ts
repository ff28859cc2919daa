import type { FastifyReply } from 'fastify'
import { equalInConstantTime, randomHex, sha256 } from '../../core/crypto/keys.ts'
import { addCookie, readCookie } from '../../http/html/cookies.ts'
import type { Server } from '../../http/typed-server.ts'
import { type ApiClient, undefinedIf } from '../shared/api.ts'
import { PageContext } from '../shared/context.ts'
import type { ConsoleDependencies } from '../shared/dependencies.ts'
import { renderMessage } from '../shared/messages.ts'
import type { PageRouter, PostHandler } from '../shared/router.ts'
import { openSealed, requestTokens, sealed, storeSession } from '../shared/session.ts'

// No HEAD routes: they would start or finish a sign-in like GET.
const hidden = { schema: { hide: true }, exposeHeadRoute: false } as const

export function signInRoutes(scope: Server, router: PageRouter, deps: ConsoleDependencies): void {
  scope.get('/console/login', hidden, async (request, reply) => {
    const ctx = new PageContext({ deps, request, reply })
    return startSignIn(ctx, ctx.query('next') ?? '/')
  })
  scope.get('/console/callback', hidden, async (request, reply) =>
    finishSignIn(new PageContext({ deps, request, reply })),
  )
  if (deps.demo) router.post('/console/switch', switchUser, { isPublic: true })
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

function startSignIn(ctx: PageContext, next: string, isSecond = false): FastifyReply {
  const url = `${ctx.deps.publicUrl}/authorize?${authorizationRequest(ctx, next, isSecond)}`
  return ctx.reply.header('cache-control', 'no-store').redirect(url, 302)
}

function authorizationRequest(ctx: PageContext, next: string, isSecond = false): URLSearchParams {
  const { deps, reply } = ctx
  const browser = browserOf(ctx) ?? randomHex()
  addCookie(deps.publicUrl, reply, browserCookie, browser, startSeconds)
  const state: SignInState = { browser, verifier: `${randomHex()}${randomHex()}`, next: safeNext(next), isSecond }
  return new URLSearchParams({
    response_type: 'code',
    client_id: deps.appKey,
    redirect_uri: deps.callback,
    state: sealed(deps, state, 'console start'),
    code_challenge: sha256(state.verifier).toString('base64url'),
    code_challenge_method: 'S256',
  })
}

/** The 307 makes the browser post the same form to the sign-in page, which knows the demo users and their password. */
const switchUser: PostHandler = (ctx, form) =>
  ctx.redirect(`/login?${authorizationRequest(ctx, form.get('next') ?? '/')}`, 307)

async function finishSignIn(ctx: PageContext): Promise<FastifyReply> {
  if (ctx.query('error') === 'access_denied') return ctx.redirect('/')
  const state = openSealed<SignInState>(ctx.deps, ctx.query('state') ?? '', 'console start')
  if (state && (await exchangeCode(ctx, state))) return ctx.redirect(state.next)
  const next = state?.next ?? '/'
  // Started in another browser, at another host name or too long ago. A user who opened 127.0.0.1 is on localhost now
  // and already signed in, so a second round needs no input.
  if (!state?.isSecond) return startSignIn(ctx, next, true)
  const text = `The sign-in failed or took too long, or this browser blocks cookies for ${new URL(ctx.deps.publicUrl).host}. Sign in again.`
  const again = `/console/login?${new URLSearchParams({ next })}`
  return renderMessage(ctx, 400, 'Sign-in not completed', text, ['Sign in again', again])
}

/** Returns false if the code is missing or rejected, or was requested by another browser. */
async function exchangeCode(ctx: PageContext, { browser, verifier }: SignInState): Promise<boolean> {
  const code = ctx.query('code')
  if (code === undefined || !equalInConstantTime(Buffer.from(browserOf(ctx) ?? ''), Buffer.from(browser))) return false
  const { deps, request } = ctx
  const grant = { grant_type: 'authorization_code', code, redirect_uri: deps.callback, code_verifier: verifier }
  const tokens = await requestTokens(ctx, grant)
  if (!tokens) return false
  const api = deps.apiFor(request, tokens.access_token)
  const [{ Name, ClientKey }, isOperator] = await Promise.all([
    api.get<{ Name: string; ClientKey: string }>('/port/v1/users/me'),
    mayOperate(api),
  ])
  storeSession(ctx, tokens, { userName: Name, clientKey: ClientKey, isOperator })
  return true
}

/** Whether the operations for operators accept the user. No error of theirs prevents a sign-in. */
async function mayOperate(api: ApiClient): Promise<boolean> {
  const clients = api.getUnlogged<object>('/x/v1/clients', { $top: 1 })
  return (await clients.catch(undefinedIf(() => true))) !== undefined
}

function browserOf({ deps, request }: PageContext): string | undefined {
  const cookie = readCookie(deps.publicUrl, request, browserCookie)
  return cookie && /^[0-9a-f]{32}$/.test(cookie) ? cookie : undefined
}
