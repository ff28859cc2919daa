import { originOf, serviceAddress } from './address.ts'
import { RefdeskError } from './errors.ts'
import { type AppAccess, requestTokens, type Tokens } from './tokens.ts'

/** A sign-in that has begun. It can be stored as JSON while the person is away, in `sessionStorage` for example. */
export interface PendingSignIn {
  /** Where to send the person: `location.assign(url)`, or a redirect. */
  url: string
  authUrl: string
  clientId: string
  redirectUri: string
  /** Comes back with the answer, which shows that it belongs to this sign-in. */
  state: string
  /** Proves that who finishes the sign-in has begun it (PKCE, RFC 7636). Never part of an address. */
  verifier: string
}

export interface SignInOptions {
  /** {auth_url}: the origin of the service, such as `http://localhost:4700`. */
  authUrl: string
  /** The AppKey of an app with the flow PKCE or Code. */
  clientId: string
  /** One of the app's redirect URIs, to the letter. */
  redirectUri: string
  /** `login` always asks for the password; `none` never shows a page, and fails with `login_required` instead. */
  prompt?: 'login' | 'none' | undefined
}

/**
 * Begins a sign-in with PKCE. Keep the result, send the person to its `url`, and hand both to `finishSignIn` when they
 * come back.
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
 * Finishes a sign-in: checks that the answer belongs to it, and exchanges its code for tokens.
 *
 * @param pending what `beginSignIn` gave
 * @param callback the whole address at which the person came back, such as `location.href`
 * @param more the secret, for an app with the flow Code
 * @throws RefdeskError with the code `access_denied` when the person cancelled, and with `InvalidAnswer` when the answer
 *   is not this sign-in's
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
    throw new TypeError('callback must be the whole address at which the person came back, such as location.href.')
  const answer = new URL(callback).searchParams
  const [code, error, issuer] = ['code', 'error', 'iss'].map((name) => answer.get(name))
  if (answer.get('state') !== state)
    throw new RefdeskError(0, 'InvalidAnswer', 'The answer belongs to another sign-in: its state differs. Begin anew.')
  // RFC 9207: the answer of another service, which might be after the code.
  if (issuer && originOf(issuer) !== originOf(authUrl))
    throw new RefdeskError(0, 'InvalidAnswer', `The answer comes from ${issuer}, not from ${authUrl}. Begin anew.`)
  if (error) throw new RefdeskError(0, error, answer.get('error_description') ?? `The sign-in ended with ${error}.`)
  if (!code) throw new RefdeskError(0, 'InvalidAnswer', 'The address of the answer has no code.')
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  return requestTokens({ authUrl, clientId, ...more }, grant)
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
