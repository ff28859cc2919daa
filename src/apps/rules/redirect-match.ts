import type { Flow } from '../../core/app.ts'

const loopbackWithoutPort = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(\/[^?#]*)?(\?[^#]*)?$/
const loopbackWithPort = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):(\d{1,5})((?:\/[^?#]*)?(?:\?[^#]*)?)$/

/** Redirect URIs are equal by exact string; only an empty path equals `/` (contract §4). */
export function sameRedirectUri(a: string, b: string): boolean {
  return withPath(a) === withPath(b)
}

/** Whether an app may be answered at this address. A PKCE app that registered a loopback address without a port
 *  may use any port of it (RFC 8252 §7.3). */
export function isRegistered(registered: readonly string[], asked: string, flow: Flow): boolean {
  if (registered.some((uri) => sameRedirectUri(uri, asked))) return true
  if (flow !== 'PKCE') return false
  const parts = loopbackWithPort.exec(asked)
  if (!parts || Number(parts[2]) > 65_535) return false
  const withoutPort = `${parts[1]}${parts[3]}`
  return registered.some((uri) => loopbackWithoutPort.test(uri) && sameRedirectUri(uri, withoutPort))
}

function withPath(uri: string): string {
  return uri.replace(/^(https?:\/\/[^/?#]+)(\?|$)/, '$1/$2')
}
