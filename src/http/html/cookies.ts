import type { FastifyReply, FastifyRequest } from 'fastify'

/** Under https the prefix ties a cookie to this host, so that a neighbouring subdomain cannot set it. */
const fullName = (publicUrl: string, name: string): string => (publicUrl.startsWith('https:') ? `__Host-${name}` : name)

export function readCookie(publicUrl: string, request: FastifyRequest, name: string): string | undefined {
  return request.server.parseCookie(request.headers.cookie ?? '')[fullName(publicUrl, name)]
}

/** Scripts cannot read the cookie, and browsers do not send it with the forms of other sites. */
export function addCookie(
  publicUrl: string,
  reply: FastifyReply,
  name: string,
  value: string,
  maxAgeSeconds?: number,
): void {
  reply.setCookie(fullName(publicUrl, name), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
    ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
  })
}
