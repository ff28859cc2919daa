import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preconditionFailed } from '../../core/problem.ts'

/** Adds names, separated by `, `, that Vary does not have yet. */
export function addVary(reply: FastifyReply, names: string): void {
  const present = String(reply.getHeader('vary') ?? '')
  const known = present.toLowerCase().split(', ')
  const added = names.split(', ').filter((name) => !known.includes(name.toLowerCase()))
  reply.header('vary', [present, ...added].filter(Boolean).join(', '))
}

/** An entity tag from everything that a response depends on. Weak, because the plain and the compressed response share it
 *  (RFC 9110 §8.8.1). JSON keeps the parts apart: ['ab'] is not ['a', 'b']. */
export const etagOf = (parts: readonly string[]): string => etagOfBytes(JSON.stringify(parts))

const opaque = (etag: string): string => etag.replace(/^W\//, '')

/** Weak comparison (RFC 9110 §8.8.3.2) with a list of tags or `*`. */
export function isAmong(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => opaque(tag) === opaque(etag))
}

/** Sends 304 if the caller already has this version; otherwise the body, which is only made when needed. */
export function sendWithEtag<Body, Reply extends FastifyReply>(
  request: Pick<FastifyRequest, 'headers'>,
  reply: Reply,
  etag: string,
  makeBody: () => Body,
  cacheControl = 'private, no-cache',
): Body | Reply {
  reply.header('etag', etag).header('cache-control', cacheControl)
  addVary(reply, 'Authorization, Accept, Accept-Encoding')
  const known = request.headers['if-none-match']
  if (known === undefined || !isAmong(known, etag)) return makeBody()
  // A link is about the body.
  reply.code(304).removeHeader('link').send()
  return reply
}

/** An entity tag from a body, or from other bytes that determine it. */
export const etagOfBytes = (bytes: Buffer | string): string => `W/"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`

/** The same with a hash of the body as the tag, for a body whose inputs change too often to be listed. */
export function sendWithBodyEtag<Body extends object | string, Reply extends FastifyReply>(
  request: Pick<FastifyRequest, 'headers'>,
  reply: Reply,
  body: Body,
): Body | Reply {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return sendWithEtag(request, reply, etagOfBytes(bytes), () => body)
}

/** Rejects a change to an outdated version; without If-Match, any version is accepted. RFC 9110 §13.1.1 requires strong
 *  comparison, but our tags identify a revision and not bytes, so `W/` is ignored. */
export function requireIfMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || isAmong(ifMatch, etag)) return
  throw preconditionFailed()
}
