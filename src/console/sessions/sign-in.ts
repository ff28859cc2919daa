import type { FastifyReply, FastifyRequest } from 'fastify'
import { equalInConstantTime, randomHex, seal, sha256, unseal } from '../../core/crypto/keys.ts'
import { cookieName, cookieValue } from '../../http/html/cookies.ts'
import { addCookie } from '../../http/html/form-token.ts'
import type { ConsoleParts } from '../shared/dependencies.ts'
import { askForTokens, sessionOf, writeSession } from '../shared/session.ts'

const browserCookie = 'refdesk_console_start'
const startSeconds = 600
/** A state has a limit (contract §4), and travels sealed. */
const longestNext = 1000

/** What a sign-in was begun with. It travels as the state, sealed, so that two windows that sign in do not outdo each
 *  other; `browser` ties it to the one that began it, which is what keeps a stranger's code out (RFC 6749 §10.12). */
type Start = Readonly<{ browser: string; verifier: string; next: string; isSecond: boolean }>

/** Only our own pages: a path that no browser reads as another host, in letters that a header can hold. */
const ownPath = /^(?!.*\\)\/(console(\/[!-~]*)?)?([?#][!-~]*)?$/

/** Where to go after the sign-in: the page that was wanted, without its query where that is endless, else the first. */
export function ownPage(next: string): string {
  const wanted = next.length > longestNext ? (next.split(/[?#]/, 1)[0] ?? '') : next
  return wanted.length <= longestNext && ownPath.test(wanted) ? wanted : '/'
}

/** Sends the browser to /authorize, like any app that signs in by code and PKCE. */
export function startSignIn(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, isSecond = false }: { next: string; isSecond?: boolean },
): FastifyReply {
  const browser = browserOf(parts, request) ?? randomHex()
  addCookie(parts.publicUrl, reply, browserCookie, browser, startSeconds)
  const start: Start = { browser, verifier: `${randomHex()}${randomHex()}`, next: ownPage(next), isSecond }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: parts.appKey,
    redirect_uri: parts.callback,
    state: seal(parts.sealKey, JSON.stringify(start), 'console start').toString('base64url'),
    code_challenge: sha256(start.verifier).toString('base64url'),
    code_challenge_method: 'S256',
  })
  return reply.header('cache-control', 'no-store').redirect(`${parts.publicUrl}/authorize?${query}`, 302)
}

export type SignInEnd =
  | { kind: 'signedIn'; next: string }
  | { kind: 'denied' }
  /** Begun in another browser, at another address of this machine or too long ago: worth beginning again, once. */
  | { kind: 'lost'; next: string; isSecond: boolean }

/** What /authorize sent the browser back with. */
export async function finishSignIn(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { code: string | undefined; state: string | undefined; error: string | undefined },
): Promise<SignInEnd> {
  if (given.error === 'access_denied') return { kind: 'denied' }
  const start = openStart(parts, given.state ?? '')
  const lost: SignInEnd = { kind: 'lost', next: start?.next ?? '/', isSecond: start?.isSecond ?? false }
  if (!start || given.code === undefined || !isBrowser(parts, request, start)) return lost
  const answer = await askForTokens(parts, request, {
    grant_type: 'authorization_code',
    code: given.code,
    redirect_uri: parts.callback,
    code_verifier: start.verifier,
  })
  if (!answer) return lost
  const { Name } = await parts.apiFor(request, answer.access_token).get<{ Name: string }>('/port/v1/users/me')
  writeSession(parts, reply, sessionOf(parts, answer, Name))
  return { kind: 'signedIn', next: start.next }
}

/** The state as we sealed it; of another key, or made up by somebody: none. */
function openStart(parts: ConsoleParts, state: string): Start | undefined {
  try {
    return JSON.parse(unseal(parts.sealKey, Buffer.from(state, 'base64url'), 'console start').toString())
  } catch {
    return undefined
  }
}

function browserOf(parts: ConsoleParts, request: FastifyRequest): string | undefined {
  const known = cookieValue(request.headers.cookie, cookieName(browserCookie, parts.publicUrl))
  return known && /^[0-9a-f]{32}$/.test(known) ? known : undefined
}

function isBrowser(parts: ConsoleParts, request: FastifyRequest, { browser }: Start): boolean {
  return equalInConstantTime(Buffer.from(browserOf(parts, request) ?? ''), Buffer.from(browser))
}
