import type { FastifyReply, FastifyRequest } from 'fastify'
import { equalInConstantTime, randomHex } from '../../core/crypto/keys.ts'
import { cookieName, cookieValue, setCookie } from './cookies.ts'

const formCookie = 'refdesk_form'

/** The form is ours when it brings back what its page's cookie holds: another site can know neither. */
export function hasFormToken(publicUrl: string, request: FastifyRequest, form: URLSearchParams): boolean {
  const cookie = cookieValue(request.headers.cookie, cookieName(formCookie, publicUrl)) ?? ''
  const field = form.get('form_token') ?? ''
  return cookie.length >= 32 && equalInConstantTime(Buffer.from(cookie), Buffer.from(field))
}

/** The token for a page's form: the browser's own where it has one, so that two tabs do not outdo each other. */
export function formTokenFor(publicUrl: string, request: FastifyRequest, reply: FastifyReply): string {
  const known = cookieValue(request.headers.cookie, cookieName(formCookie, publicUrl))
  if (known && /^[0-9a-f]{32}$/.test(known)) return known
  const token = randomHex()
  addCookie(publicUrl, reply, formCookie, token)
  return token
}

/** A cookie of ours; under https its name holds it to this host. */
export function addCookie(
  publicUrl: string,
  reply: FastifyReply,
  name: string,
  value: string,
  maxAgeSeconds?: number,
): void {
  const secure = publicUrl.startsWith('https:')
  const options = maxAgeSeconds === undefined ? { secure } : { secure, maxAgeSeconds }
  reply.header('set-cookie', setCookie(cookieName(name, publicUrl), value, options))
}
