import type { FastifyReply, FastifyRequest } from 'fastify'
import { maxBodyBytes } from './entry.ts'
import { showHeader } from './rules/body.ts'
import { hideTokens } from './rules/secrets.ts'
import { showLocation } from './rules/target.ts'
import { type Shown, showQueries } from './rules/values.ts'

/** Everything else is left out: a new header might have a secret. */
const shownOfRequest = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'content-type', 'content-length', 'host', 'origin', 'user-agent'],
  ...['if-match', 'if-none-match', 'x-request-id', 'x-http-method-override', 'cache-control', 'last-event-id'],
  ...['access-control-request-method', 'access-control-request-headers', 'x-forwarded-for', 'x-forwarded-proto'],
  ...['authorization', 'cookie'],
])

const shownOfResponse = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'etag', 'last-modified', 'cache-control', 'vary', 'allow'],
  ...['location', 'link', 'retry-after', 'www-authenticate', 'x-correlation', 'x-request-id', 'x-refdesk-fault'],
  ...['x-redirect-uri-hint', 'access-control-allow-origin', 'access-control-expose-headers', 'connection'],
])
const isShownOfResponse = (name: string): boolean => shownOfResponse.has(name) || name.startsWith('x-ratelimit-')

/** Headers of responses whose values may repeat parts of the request. */
const repeating = new Set(['link', 'www-authenticate', 'x-redirect-uri-hint', 'access-control-allow-origin'])

/** Names and values in turn, at most about 16 KB. */
export function showRequestHeaders(headers: FastifyRequest['headers'], shown: Shown): string[] {
  const pairs: string[] = []
  let length = 0
  for (const name in headers) {
    if (!shownOfRequest.has(name)) continue
    const value = showHeader(name, String(headers[name]).slice(0, Math.max(0, maxBodyBytes - length)), shown)
    length += value.length
    pairs.push(name, value)
  }
  return pairs
}

/** Names and values in turn. */
export function showResponseHeaders(headers: Partial<ReturnType<FastifyReply['getHeaders']>>, shown: Shown): string[] {
  const pairs: string[] = []
  for (const name in headers) {
    if (!isShownOfResponse(name)) continue
    const value = String(headers[name])
    if (name === 'location') pairs.push(name, hideTokens(showLocation(value)))
    else pairs.push(name, repeating.has(name) ? hideTokens(showQueries(value, shown)) : value)
  }
  return pairs
}
