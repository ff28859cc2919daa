import { originOf, serviceAddress } from './address.ts'
import { RefdeskError } from './errors.ts'
import { type AppAccess, requestTokens, type Tokens } from './tokens.ts'

/** A sign-in in progress. Store it as JSON while the user is away, for example in `sessionStorage`. */
export interface PendingSignIn {
  /** Send the user here: `location.assign(url)`, or a redirect. */
  url: string
  authUrl: string
  clientId: string
  redirectUri: string
  /** Returned with the result, to show that it belongs to this sign-in. */
  state: string
  /** The PKCE code verifier (RFC 7636). Never put it into a URL. */
  verifier: string
}

export interface SignInOptions {
  /** {auth_url}: the origin of the service, such as `http://localhost:4700`. */
  authUrl: string
  /** The AppKey of an app with the PKCE or Code flow. */
  clientId: string
  /** One of the app's redirect URIs, exactly as registered. */
  redirectUri: string
  /** `login` always asks for the password; `none` shows no page and fails with `login_required` instead. */
  prompt?: 'login' | 'none' | undefined
}

/**
 * Begins a sign-in with PKCE. Store the result, send the user to its `url`, and call `finishSignIn` when they return.
 *
 * @example
 * const pending = await beginSignIn({ authUrl, clientId, redirectUri: `${location.origin}/callback` })
 * sessionStorage.setItem('pending', JSON.stringify(pending))
 * location.assign(pending.url)
 */
export async function beginSignIn(options: SignInOptions): Promise<PendingSignIn> {
  const { clientId, redirectUri, prompt } = options
  const authUrl = serviceAddress('authUrl', options.authUrl, 'http://localhost:4700')
  const state = base64Url(crypto.getRandomValues(new Uint8Array(16)))
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: base64Url(new Uint8Array(challenge)),
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  })
  return { url: `${authUrl}/authorize?${query}`, authUrl, clientId, redirectUri, state, verifier }
}

/**
 * Finishes a sign-in: checks that the result belongs to it, and exchanges the code for tokens.
 *
 * @param pending the result of `beginSignIn`
 * @param callback the URL at which the user returned, such as `location.href`
 * @param more the secret, for an app with the Code flow
 * @throws RefdeskError with the code `access_denied` if the user cancelled, and `InvalidAnswer` for another sign-in
 *
 * @example
 * const pending = JSON.parse(sessionStorage.getItem('pending'))
 * const tokens = await finishSignIn(pending, location.href)
 */
export async function finishSignIn(
  pending: PendingSignIn,
  callback: string | URL,
  more: Pick<AppAccess, 'clientSecret' | 'fetch'> = {},
): Promise<Tokens> {
  const { authUrl, clientId, redirectUri, state, verifier } = pending
  if (!URL.canParse(String(callback)))
    throw new TypeError('callback must be the absolute URL at which the user returned, such as location.href.')
  const result = new URL(callback).searchParams
  const [code, error, issuer] = ['code', 'error', 'iss'].map((name) => result.get(name))
  if (result.get('state') !== state)
    throw new RefdeskError(0, 'InvalidAnswer', 'The state belongs to another sign-in. Start again.')
  // RFC 9207: another authorization server may try to obtain the code.
  if (issuer && originOf(issuer) !== originOf(authUrl))
    throw new RefdeskError(0, 'InvalidAnswer', `The result is from ${issuer}, not from ${authUrl}. Start again.`)
  if (error) throw new RefdeskError(0, error, result.get('error_description') ?? `The sign-in failed with ${error}.`)
  if (!code) throw new RefdeskError(0, 'InvalidAnswer', 'The callback URL has no code.')
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  return requestTokens({ authUrl, clientId, ...more }, grant)
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
