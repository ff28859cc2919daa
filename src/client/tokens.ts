import { serviceAddress } from './address.ts'
import { bodyOf, errorOf, jsonType, RefdeskError } from './errors.ts'
import { exchange } from './exchange.ts'

/** Returns an access token. Called before every call, and again with the token that the service has just rejected: return
 *  another one to retry, or the same one to give up. */
export type TokenSource = (rejected?: string) => string | Promise<string>

/** The response of /token, and when the access token expires. It can be stored and used later. */
export interface Tokens {
  access_token: string
  expires_in?: number | undefined
  /** Absent in the implicit flow, whose tokens cannot be refreshed. */
  refresh_token?: string | undefined
  refresh_token_expires_in?: number | undefined
  /** When the access token expires, in seconds since 1970 by the local clock. */
  expires_at?: number | undefined
}

export interface AppAccess {
  /** {auth_url}: the origin of the service, such as `http://localhost:4700`. */
  authUrl: string
  /** The AppKey. */
  clientId: string
  /** For the Code flow only. Never use it in a browser, where anyone can read it. */
  clientSecret?: string | undefined
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined
}

export interface RefreshingTokensOptions extends AppAccess {
  /** From `finishSignIn`, or the last ones of `onTokens`. */
  tokens: Tokens
  /** Awaited with new tokens before they are used. Store them: a refresh token can be used only once. If it fails, the
   *  calls that wait for the token reject with its error. */
  onTokens?: ((tokens: Tokens) => unknown) | undefined
}

/**
 * Refreshes tokens shortly before they expire, or when the service rejects them; concurrent calls share one refresh. If
 * the service cannot be reached, a token that has not expired is still used, and the next call tries again.
 *
 * When the session has ended (`invalid_grant`), every call rejects with that error: let the user sign in again and create
 * a new source.
 *
 * @example
 * const token = refreshingTokens({ authUrl, clientId, tokens, onTokens: save })
 * const client = createClient({ baseUrl, token })
 */
export function refreshingTokens(options: RefreshingTokensOptions): TokenSource {
  const app = { ...options, authUrl: serviceAddress('authUrl', options.authUrl, 'http://localhost:4700') }
  let tokens = withExpiry(options.tokens)
  let refreshing: Promise<string> | undefined
  let lastRejected: string | undefined
  let finalError: unknown

  async function refresh(refresh_token: string): Promise<string> {
    const next = await requestTokens(app, { grant_type: 'refresh_token', refresh_token }).catch((error) => {
      if (isFinal(error)) finalError = error
      throw error
    })
    try {
      await options.onTokens?.(next)
    } finally {
      tokens = next
    }
    return next.access_token
  }

  return async (rejected) => {
    if (finalError) throw finalError
    lastRejected = rejected ?? lastRejected
    const current = tokens
    const { access_token, refresh_token } = current
    if (!refreshing) {
      if (!refresh_token || (access_token !== rejected && !expiresSoon(current))) return access_token
      refreshing = refresh(refresh_token).finally(() => {
        refreshing = undefined
      })
    }
    return refreshing.catch((error) => {
      if (finalError || tokens !== current || access_token === lastRejected || secondsLeft(current) <= 0) throw error
      return access_token
    })
  }
}

/** A decision of the service, which would be the same again. Errors of proxies in between are not final. */
const isFinal = (error: unknown): boolean =>
  error instanceof RefdeskError && error.status !== 429 && /^(invalid|unauthorized|unsupported)_/.test(error.code)

const nowSeconds = (): number => Date.now() / 1000

function withExpiry(tokens: Tokens): Tokens {
  const { expires_in, expires_at } = tokens
  return expires_in === undefined || expires_at !== undefined
    ? tokens
    : { ...tokens, expires_at: Math.floor(nowSeconds() + expires_in) }
}

/** Early enough for a slow call, but late in the life of a short-lived token. */
const expiresSoon = (tokens: Tokens): boolean => secondsLeft(tokens) < Math.min(30, (tokens.expires_in ?? 300) / 10)

const secondsLeft = ({ expires_at = Number.POSITIVE_INFINITY }: Tokens): number => expires_at - nowSeconds()

/** Requests tokens (RFC 6749 §4.1.3, §6). */
export async function requestTokens(app: AppAccess, grant: Record<string, string>): Promise<Tokens> {
  const { authUrl, clientId, clientSecret, fetch = globalThis.fetch } = app
  const isRepeatable = grant.grant_type === 'refresh_token'
  // The service repeats the response to a refresh for ten seconds, so a retry must come before that.
  const timeoutMs = isRepeatable ? 4_000 : 30_000
  const form = new URLSearchParams({ ...grant, client_id: clientId })
  if (clientSecret !== undefined) form.set('client_secret', clientSecret)
  const response = await exchange({
    url: `${authUrl}/token`,
    init: {
      method: 'POST',
      headers: { accept: jsonType, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(form),
    },
    isRepeatable,
    options: { fetch, timeoutMs, retries: 3, maxWaitSeconds: 60 },
  })
  if (response.status >= 300) throw errorOf(response)
  const tokens = bodyOf(response) as Tokens | undefined
  if (typeof tokens?.access_token !== 'string')
    throw new RefdeskError(response.status, 'InvalidAnswer', `The response has no token: is ${authUrl} right?`)
  return withExpiry(tokens)
}
