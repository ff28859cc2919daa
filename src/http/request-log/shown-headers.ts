import type { RestRequest } from '../exchange.ts'
import { maxBodyBytes } from './entry.ts'

/** Where a direct request came from: its address and headers. */
export type Sender = Readonly<{
  address: string | undefined
  /** Names and values in turn, as sent. A value that must not be kept is undefined. */
  headers: readonly (string | undefined)[]
  /** What it takes in memory, about. */
  bytes: number
}>

/** Everything else is left out: a new header might have a secret. */
const shownOfRequest = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'content-type', 'content-length', 'host', 'origin', 'user-agent'],
  ...['if-match', 'if-none-match', 'x-request-id', 'x-http-method-override', 'cache-control', 'last-event-id'],
  ...['access-control-request-method', 'access-control-request-headers', 'x-forwarded-for', 'x-forwarded-proto'],
])

const shownOfResponse = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'etag', 'last-modified', 'cache-control', 'vary', 'allow'],
  ...['location', 'link', 'retry-after', 'www-authenticate', 'x-correlation', 'x-request-id', 'x-refdesk-fault'],
  ...['x-redirect-uri-hint', 'access-control-allow-origin', 'access-control-expose-headers', 'connection'],
])

export const isShownOfRequest = (name: string): boolean => shownOfRequest.has(name)
export const isShownHeader = (name: string): boolean => shownOfResponse.has(name) || name.startsWith('x-ratelimit-')

/** Lines: names and values in turn. */
export function shownHeaders(headers: RestRequest['headers']): string {
  const parts: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (shownOfRequest.has(name)) parts.push(name, String(value))
    else if (name === 'authorization') parts.push(name, schemeOf(String(value)))
    else if (name === 'cookie') parts.push(name, '')
  }
  // Joined, it is one flat text; and a part of a long one would keep all of it.
  const text = parts.join('\n')
  return text.length <= maxBodyBytes ? text : Buffer.from(text.slice(0, maxBodyBytes)).toString()
}

/** The same of a direct request, whose token is always a bearer token. */
export function shownOfSender({ headers }: Sender): string[] {
  const shown: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = String(headers[at]).toLowerCase()
    const value = headers[at + 1] ?? shownInstead.get(name)
    if (value !== undefined) shown.push(name, value)
  }
  return shown
}

const shownInstead = new Map([
  ['authorization', 'Bearer '],
  ['cookie', ''],
])

/** `Bearer `, `Basic `; empty for anything else, which may be the secret itself. */
const schemeOf = (authorization: string): string => /^(?:bearer|basic) /i.exec(authorization)?.[0] ?? ''
