import type { Flow } from '../../core/app.ts'

const loopbackWithoutPort = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([/?]|$)/

/** The web origins of a redirect URI. A loopback address that a PKCE app registered without a port allows every port
 *  (RFC 8252 §7.3), written `http://localhost:*`. */
export function originsOf(redirectUri: string, flow: Flow): string[] {
  const loopback = flow === 'PKCE' ? loopbackWithoutPort.exec(redirectUri) : null
  if (loopback) return [`http://${loopback[1]}`, `http://${loopback[1]}:*`]
  const url = URL.parse(redirectUri)
  return url && /^https?:$/.test(url.protocol) ? [url.origin] : []
}

export function allowsOrigin(origins: ReadonlySet<string>, origin: string): boolean {
  return origins.has(origin) || origins.has(origin.replace(/:\d+$/, ':*'))
}
