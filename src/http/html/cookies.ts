import type { FastifyReply, FastifyRequest } from 'fastify'

/** Under https the prefix ties a cookie to this host, so that a neighbouring subdomain cannot set it. */
const fullName = (publicUrl: string, name: string): string => (publicUrl.startsWith('https:') ? `__Host-${name}` : name)

/** The first cookie with this name (RFC 6265 §5.4: the one with the longest path). */
export function readCookie(publicUrl: string, request: FastifyRequest, name: string): string | undefined {
  const wanted = fullName(publicUrl, name)
  const text = request.headers.cookie ?? ''
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf(';', start)
    const end = next < 0 ? text.length : next
    const at = text.indexOf('=', start)
    if (at >= 0 && at < end && text.slice(start, at).trim() === wanted) return decoded(text.slice(at + 1, end).trim())
    start = end + 1
  }
  return undefined
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Scripts cannot read the cookie, and browsers do not send it with the forms of other sites. Replaces one of the same name. */
export function addCookie(
  publicUrl: string,
  reply: FastifyReply,
  name: string,
  value: string,
  maxAgeSeconds?: number,
): void {
  const start = `${fullName(publicUrl, name)}=`
  const maxAge = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${start}${encodeURIComponent(value)}${maxAge}; Path=/; HttpOnly${secure}; SameSite=Lax`
  const others = [reply.getHeader('set-cookie') ?? []].flat().filter((other) => !String(other).startsWith(start))
  reply.removeHeader('set-cookie').header('set-cookie', others.length > 0 ? [...others, cookie] : cookie)
}
