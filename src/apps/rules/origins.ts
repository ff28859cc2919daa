import type { Flow } from '../../core/app.ts'

const loopbackWithoutPort = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([/?]|$)/

/** The web origins of an app's redirect URIs. A loopback address that a PKCE app registered without a port allows every
 *  port (RFC 8252 §7.3), written `http://localhost:*`. */
export function originsOf(redirectUris: readonly string[], flow: Flow): string[] {
  return redirectUris.flatMap((uri) => {
    const loopback = flow === 'PKCE' ? loopbackWithoutPort.exec(uri) : null
    if (loopback) return [`http://${loopback[1]}`, `http://${loopback[1]}:*`]
    const url = URL.canParse(uri) ? new URL(uri) : undefined
    return url && /^https?:$/.test(url.protocol) ? [url.origin] : []
  })
}

export function allowsOrigin(origins: ReadonlySet<string>, origin: string): boolean {
  return origins.has(origin) || origins.has(origin.replace(/:\d+$/, ':*'))
}
