import type { Flow } from '../../core/app.ts'

const loopbackWithoutPort = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(\/[^?#]*)?(\?[^#]*)?$/
const loopbackWithPort = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):(\d{1,5})((?:\/[^?#]*)?(?:\?[^#]*)?)$/

const loopbackOrigin = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/

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
  const match = loopbackWithPort.exec(requested)
  if (!match || Number(match[2]) > 65_535) return false
  const withoutPort = `${match[1]}${match[3]}`
  return redirectUris.some(({ uri }) => loopbackWithoutPort.test(uri) && sameRedirectUri(uri, withoutPort))
}

/** The loopback origin that a user consents to with an app that has no secret (RFC 8252 §8.6): any program of the machine can
 *  listen on another port and name the app. Undefined for any other app or address. */
export function consentOrigin(flow: Flow, redirectUri: string): string | undefined {
  if (flow === 'Code') return undefined
  return loopbackOrigin.exec(redirectUri)?.[0]
}

function withPath(uri: string): string {
  return uri.replace(/^(https?:\/\/[^/?#]+)(\?|$)/, '$1/$2')
}
