import type { FastifyReply, FastifyRequest } from 'fastify'
import { percentDecoded } from '../../core/text.ts'

/** Under https the prefix ties a cookie to this host, so that a neighbouring subdomain cannot set it. */
const fullName = (publicUrl: string, name: string): string => (publicUrl.startsWith('https:') ? `__Host-${name}` : name)

/** The first cookie with this name (RFC 6265 §5.4: the one with the longest path). */
export function readCookie(publicUrl: string, request: FastifyRequest, name: string): string | undefined {
  const wanted = fullName(publicUrl, name)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [given = '', ...rest] = pair.split('=')
    const value = rest.join('=').trim()
    if (given.trim() === wanted && rest.length > 0) return percentDecoded(value) ?? value
  }
  return undefined
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
