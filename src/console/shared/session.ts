import { LRUCache } from 'lru-cache'
import type { TokenResponse } from '../../auth/api/schema.ts'
import { epochSeconds } from '../../core/clock.ts'
import { seal, unseal } from '../../core/crypto/keys.ts'
import { addCookie, readCookie } from '../../http/html/cookies.ts'
import { sourceOf } from '../../http/in-process.ts'
import { ApiError } from './api.ts'
import type { ConsoleDependencies, Exchange } from './dependencies.ts'

/** The console session, kept in an encrypted cookie. */
export type ConsoleSession = Readonly<{
  accessToken: string
  refreshToken: string
  /** When the access token expires, in seconds since 1970 on the service clock. */
  expiresAt: number
  userName: string
  clientKey: string
  /** Whether the user was an operator when they signed in. It decides only what the menu shows. */
  isOperator?: boolean
}>

type SessionUser = Pick<ConsoleSession, 'userName' | 'clientKey' | 'isOperator'>

const sessionCookie = 'refdesk_console'
const refreshBeforeSeconds = 30

/** The sessions of recent cookies, by the key that opens them. A cookie always holds the same session, which no one may change. */
const opened = new WeakMap<Buffer, LRUCache<string, ConsoleSession>>()
const maxOpened = 200

export function readSession({ deps, request }: Omit<Exchange, 'reply'>): ConsoleSession | undefined {
  const cookie = readCookie(deps.publicUrl, request, sessionCookie)
  if (!cookie) return undefined
  const recent = opened.get(deps.sealKey) ?? new LRUCache<string, ConsoleSession>({ max: maxOpened })
  opened.set(deps.sealKey, recent)
  const session = recent.get(cookie) ?? openSealed<ConsoleSession>(deps, cookie, 'console session')
  if (session) recent.set(cookie, session)
  return session
}

/** Decrypts a value of ours; undefined if another key encrypted it or it was tampered with. */
export function openSealed<Value>(deps: ConsoleDependencies, sealed: string, purpose: string): Value | undefined {
  try {
    return JSON.parse(unseal(deps.sealKey, Buffer.from(sealed, 'base64url'), purpose).toString())
  } catch {
    return undefined
  }
}

export const sealed = (deps: ConsoleDependencies, value: object, purpose: string): string =>
  seal(deps.sealKey, JSON.stringify(value), purpose).toString('base64url')

type Tokens = Pick<TokenResponse, 'access_token' | 'refresh_token' | 'expires_in'>

export function storeSession(
  { deps, reply }: Exchange,
  tokens: Tokens,
  { userName, clientKey, isOperator }: SessionUser,
): ConsoleSession {
  const session: ConsoleSession = {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAt: epochSeconds(deps.clock.now()) + tokens.expires_in,
    userName,
    clientKey,
    ...(isOperator && { isOperator }),
  }
  addCookie(deps.publicUrl, reply, sessionCookie, sealed(deps, session, 'console session'))
  return session
}

export function clearSession({ deps, reply }: Exchange): void {
  addCookie(deps.publicUrl, reply, sessionCookie, '', 0)
}

/** Posts to our own authorization server. Outages and rate limits are thrown, so they never sign anyone out. */
async function postForm({ deps, request }: Exchange, url: string, form: Record<string, string>) {
  const { remoteAddress, forwarded, userAgent, requestId } = sourceOf(request)
  const response = await deps.call({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-request-id': requestId,
      'user-agent': userAgent,
      ...forwarded,
    },
    payload: new URLSearchParams({ client_id: deps.appKey, ...form }).toString(),
    remoteAddress,
  })
  const { statusCode, headers } = response
  if (statusCode < 500 && statusCode !== 429) return response
  throw ApiError.unavailable(statusCode === 429 ? 429 : 503, String(headers['retry-after'] ?? 1))
}

export async function requestTokens(
  exchange: Exchange,
  grant: Record<string, string>,
): Promise<TokenResponse | undefined> {
  const { statusCode, body } = await postForm(exchange, '/token', grant)
  return statusCode < 300 ? JSON.parse(body) : undefined
}

/** Revokes the session (RFC 7009) and clears its cookie. */
export async function endSession(exchange: Exchange, { accessToken }: ConsoleSession): Promise<void> {
  await postForm(exchange, '/revoke', { token: accessToken })
  clearSession(exchange)
}

/** The session with a valid access token; undefined if it cannot be refreshed. Concurrent requests that refresh at
 *  the same moment get the same tokens, because /token repeats its last response. */
export async function currentSession(exchange: Exchange): Promise<ConsoleSession | undefined> {
  const session = readSession(exchange)
  if (!session || (session.expiresAt - refreshBeforeSeconds) * 1_000 > exchange.deps.clock.nowMs()) return session
  const grant = { grant_type: 'refresh_token', refresh_token: session.refreshToken }
  const tokens = await requestTokens(exchange, grant)
  if (tokens) return storeSession(exchange, tokens, session)
  clearSession(exchange)
  return undefined
}
