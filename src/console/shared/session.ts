import type { FastifyReply, FastifyRequest } from 'fastify'
import { epochSeconds } from '../../core/clock.ts'
import { seal, unseal } from '../../core/crypto/keys.ts'
import { cookieName, cookieValue } from '../../http/html/cookies.ts'
import { addCookie } from '../../http/html/form-token.ts'
import { originOf } from '../../http/in-process.ts'
import { ApiRefusal } from './api.ts'
import type { ConsoleParts } from './dependencies.ts'

/** What the browser holds of its console session: sealed, so that nobody reads the tokens in it, the browser neither. */
export type ConsoleSession = Readonly<{
  accessToken: string
  refreshToken: string
  /** When the access token ends, in seconds since 1970 by the service's clock. */
  expiresAt: number
  userName: string
}>

const sessionCookie = 'refdesk_console'
/** A token that is about to end is changed before it is used. */
const spareSeconds = 30

export function readSession(parts: ConsoleParts, request: FastifyRequest): ConsoleSession | undefined {
  const cookie = cookieValue(request.headers.cookie, cookieName(sessionCookie, parts.publicUrl))
  if (!cookie) return undefined
  try {
    return JSON.parse(unseal(parts.sealKey, Buffer.from(cookie, 'base64url'), 'console session').toString())
  } catch {
    // Of another key, or tampered with: as if it were not there.
    return undefined
  }
}

export function writeSession(parts: ConsoleParts, reply: FastifyReply, session: ConsoleSession): void {
  const sealed = seal(parts.sealKey, JSON.stringify(session), 'console session').toString('base64url')
  addCookie(parts.publicUrl, reply, sessionCookie, sealed)
}

export function forgetSession(parts: ConsoleParts, reply: FastifyReply): void {
  addCookie(parts.publicUrl, reply, sessionCookie, '', 0)
}

/** A token response of ours (§2.2). */
export type TokenAnswer = Readonly<{ access_token: string; refresh_token?: string; expires_in: number }>

export function sessionOf(parts: ConsoleParts, answer: TokenAnswer, userName: string): ConsoleSession {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? '',
    expiresAt: epochSeconds(parts.clock.now()) + answer.expires_in,
    userName,
  }
}

/** A form to our own authorization server, as every app posts it. An outage or a limit is no answer: it is thrown, so
 *  that nobody is signed out by it. */
async function postForm(parts: ConsoleParts, request: FastifyRequest, url: string, form: Record<string, string>) {
  const { remoteAddress, forwarded, userAgent, requestId } = originOf(request)
  const answer = await parts.call({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-request-id': requestId,
      'user-agent': userAgent,
      ...forwarded,
    },
    payload: new URLSearchParams({ client_id: parts.appKey, ...form }).toString(),
    remoteAddress,
  })
  const { statusCode, headers } = answer
  if (statusCode < 500 && statusCode !== 429) return answer
  const told = JSON.stringify({ Message: 'Nothing was changed. Try again shortly.' })
  throw new ApiRefusal(statusCode === 429 ? 429 : 503, told, String(headers['retry-after'] ?? 1))
}

/** Tokens from our own /token, or undefined when the grant is refused for good. */
export async function askForTokens(
  parts: ConsoleParts,
  request: FastifyRequest,
  form: Record<string, string>,
): Promise<TokenAnswer | undefined> {
  const { statusCode, body } = await postForm(parts, request, '/token', form)
  return statusCode < 300 ? JSON.parse(body) : undefined
}

/** Ends the session itself and not only this browser's hold on it (RFC 7009). */
export async function endSession(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
  session: ConsoleSession,
): Promise<void> {
  await postForm(parts, request, '/revoke', { token: session.accessToken })
  forgetSession(parts, reply)
}

/** The session with a token that still lives; undefined when it cannot be refreshed any more. Of two requests that refresh
 *  at the same moment both get the same tokens, because /token answers again what it has just answered. */
export async function liveSession(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsoleSession | undefined> {
  const session = readSession(parts, request)
  if (!session || session.expiresAt - spareSeconds > epochSeconds(parts.clock.now())) return session
  const answer = await askForTokens(parts, request, {
    grant_type: 'refresh_token',
    refresh_token: session.refreshToken,
  })
  if (!answer) {
    forgetSession(parts, reply)
    return undefined
  }
  const renewed = sessionOf(parts, answer, session.userName)
  writeSession(parts, reply, renewed)
  return renewed
}
