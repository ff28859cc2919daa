import { serviceAddress } from './address.ts'
import { bodyOf, errorOf, jsonType, RefdeskError } from './errors.ts'
import { exchange } from './exchange.ts'

/** Where the access token of a call comes from. It is asked before every call, and once more with a token that the
 *  service has just refused: another one is then tried, the same one means that there is none. */
export type TokenSource = (refused?: string) => string | Promise<string>

/** The answer of /token, and when its access token ends. As it is, it can be stored and used later. */
export interface Tokens {
  access_token: string
  /** Seconds that the access token lives, from when it was given. */
  expires_in?: number | undefined
  /** Absent in the implicit flow: such tokens cannot be refreshed. */
  refresh_token?: string | undefined
  /** Seconds that the refresh token lives, from when it was given. */
  refresh_token_expires_in?: number | undefined
  /** When the access token ends, in seconds since 1970 by the clock of this machine. */
  expires_at?: number | undefined
}

/** The app in whose name people sign in. */
export interface AppAccess {
  /** {auth_url}: the origin of the service, such as `http://localhost:4700`. */
  authUrl: string
  /** The AppKey. */
  clientId: string
  /** Of an app with the flow Code, which runs where nobody can read it: never in a browser. */
  clientSecret?: string | undefined
  /** Instead of the global one. */
  fetch?: typeof fetch | undefined
}

export interface RefreshingTokensOptions extends AppAccess {
  /** As `finishSignIn` gave them, or as `onTokens` last did. */
  tokens: Tokens
  /** Told of every new set before it is used, and waited for. Store it: a refresh token can be used only once, and the
   *  one before it opens nothing any more. When it fails, those who waited for the token see its error. */
  onTokens?: ((tokens: Tokens) => unknown) | undefined
}

/**
 * Tokens that renew themselves: shortly before they end, or when the service refuses them. However many calls need a new
 * token at the same time, one is asked for. Where that fails for now (the service cannot be reached), a token that has
 * not ended is used meanwhile, and the next call tries again.
 *
 * When the session is over (`invalid_grant`) every call rejects with that error and the service is not asked again: have
 * the person sign in, and make a new source of the tokens.
 *
 * @example
 * const token = refreshingTokens({ authUrl, clientId, tokens, onTokens: save })
 * const client = createClient({ baseUrl, token })
 */
export function refreshingTokens(options: RefreshingTokensOptions): TokenSource {
  const app = { ...options, authUrl: serviceAddress('authUrl', options.authUrl, 'http://localhost:4700') }
  let tokens = withEnd(options.tokens)
  let refreshing: Promise<string> | undefined
  let lastRefused: string | undefined
  let over: unknown

  async function refresh(refresh_token: string): Promise<string> {
    const next = await requestTokens(app, { grant_type: 'refresh_token', refresh_token }).catch((error) => {
      if (isFinal(error)) over = error
      throw error
    })
    try {
      await options.onTokens?.(next)
    } finally {
      tokens = next
    }
    return next.access_token
  }

  return async (refused) => {
    if (over) throw over
    lastRefused = refused ?? lastRefused
    const present = tokens
    const { access_token, refresh_token } = present
    if (!refreshing) {
      if (!refresh_token || (access_token !== refused && !endsSoon(present))) return access_token
      refreshing = refresh(refresh_token).finally(() => {
        refreshing = undefined
      })
    }
    return refreshing.catch((error) => {
      if (over || tokens !== present || access_token === lastRefused || secondsLeft(present) <= 0) throw error
      return access_token
    })
  }
}

/** The service has decided, and would decide the same again. What stands in between decides nothing. */
const isFinal = (error: unknown): boolean =>
  error instanceof RefdeskError && error.status !== 429 && /^(invalid|unauthorized|unsupported)_/.test(error.code)

const nowSeconds = (): number => Date.now() / 1000

function withEnd(tokens: Tokens): Tokens {
  const { expires_in, expires_at } = tokens
  return expires_in === undefined || expires_at !== undefined
    ? tokens
    : { ...tokens, expires_at: Math.floor(nowSeconds() + expires_in) }
}

/** Early enough for a call that is long under way, but never for most of a short life. */
const endsSoon = (tokens: Tokens): boolean => secondsLeft(tokens) < Math.min(30, (tokens.expires_in ?? 300) / 10)

const secondsLeft = ({ expires_at = Number.POSITIVE_INFINITY }: Tokens): number => expires_at - nowSeconds()

/** One grant of /token (RFC 6749 §4.1.3, §6). */
export async function requestTokens(app: AppAccess, grant: Record<string, string>): Promise<Tokens> {
  const { authUrl, clientId, clientSecret, fetch = globalThis.fetch } = app
  const isRepeatable = grant.grant_type === 'refresh_token'
  // The service repeats the answer to a refresh for ten seconds, so a lost one must be missed before that.
  const timeoutMs = isRepeatable ? 4_000 : 30_000
  const form = new URLSearchParams({ ...grant, client_id: clientId })
  if (clientSecret !== undefined) form.set('client_secret', clientSecret)
  const answer = await exchange({
    url: `${authUrl}/token`,
    init: {
      method: 'POST',
      headers: { accept: jsonType, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(form),
    },
    isRepeatable,
    patience: { fetch, timeoutMs, retries: 3, maxWaitSeconds: 60 },
  })
  if (answer.status >= 300) throw errorOf(answer)
  const tokens = bodyOf(answer) as Tokens | undefined
  if (typeof tokens?.access_token !== 'string')
    throw new RefdeskError(answer.status, 'InvalidAnswer', `There is no token in the answer: is ${authUrl} right?`)
  return withEnd(tokens)
}
