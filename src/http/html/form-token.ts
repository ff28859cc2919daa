import type { FastifyReply, FastifyRequest } from 'fastify'
import { equalInConstantTime, randomHex } from '../../core/crypto/keys.ts'
import { addCookie, readCookie } from './cookies.ts'

const formCookie = 'refdesk_form'

/** True if the form returns the value of our cookie, which no other site knows. */
export function hasFormToken(publicUrl: string, request: FastifyRequest, form: URLSearchParams): boolean {
  const cookie = readCookie(publicUrl, request, formCookie) ?? ''
  const field = form.get('form_token') ?? ''
  return cookie.length >= 32 && equalInConstantTime(Buffer.from(cookie), Buffer.from(field))
}

/** The token for a form. All tabs of a browser share one, so that they do not invalidate each other. */
export function formTokenFor(publicUrl: string, request: FastifyRequest, reply: FastifyReply): string {
  const known = readCookie(publicUrl, request, formCookie)
  if (known && /^[0-9a-f]{32}$/.test(known)) return known
  const token = randomHex()
  addCookie(publicUrl, reply, formCookie, token)
  return token
}
