import type { Flow } from '../../core/app.ts'
import { parseLoopbackUrl } from '../../core/network/loopback.ts'

/** The web origins of a redirect URI. A loopback address that a PKCE app registered without a port allows every port
 *  (RFC 8252 §7.3), written `http://localhost:*`. */
export function originsOf(redirectUri: string, flow: Flow): string[] {
  const url = URL.parse(redirectUri)
  if (!url || !/^https?:$/.test(url.protocol)) return []
  const loopback = parseLoopbackUrl(redirectUri)
  return flow === 'PKCE' && loopback && loopback.port === undefined ? [url.origin, `${url.origin}:*`] : [url.origin]
}

export function allowsOrigin(origins: ReadonlySet<string>, origin: string): boolean {
  return origins.has(origin) || origins.has(origin.replace(/:\d+$/, ':*'))
}
