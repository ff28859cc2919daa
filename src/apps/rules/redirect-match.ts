import type { Flow } from '../../core/app.ts'
import { parseLoopbackUrl } from '../../core/network/loopback.ts'

type Registration = Readonly<{ redirectUris: readonly Readonly<{ uri: string }>[]; flow: Flow }>

/** Redirect URIs are compared exactly; only an empty path equals `/` (§4.3). */
export function sameRedirectUri(a: string, b: string): boolean {
  return withPath(a) === withPath(b)
}

/** Whether a sign-in of the app may return to this address. A PKCE app that registered a loopback address without a port
 *  may use any port (RFC 8252 §7.3). */
export function isRegistered({ redirectUris, flow }: Registration, requested: string): boolean {
  if (redirectUris.some(({ uri }) => sameRedirectUri(uri, requested))) return true
  if (flow !== 'PKCE') return false
  const asked = parseLoopbackUrl(requested)
  return asked?.port !== undefined && redirectUris.some(({ uri }) => sameRedirectUri(uri, asked.withoutPort))
}

/** The loopback origin that a user consents to with an app that has no secret (RFC 8252 §8.6): any program of the machine can
 *  listen on another port and name the app. Undefined for any other app or address. */
export function consentOrigin(flow: Flow, redirectUri: string): string | undefined {
  return flow !== 'Code' && parseLoopbackUrl(redirectUri) ? new URL(redirectUri).origin : undefined
}

function withPath(uri: string): string {
  return uri.replace(/^(https?:\/\/[^/?#]+)(\?|$)/, '$1/$2')
}
