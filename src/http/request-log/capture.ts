import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import { DirectReply } from '../direct/direct-reply.ts'
import type { RestReply, RestRequest } from '../exchange.ts'
import type { Observer } from '../output/observations.ts'
import { type Entry, maxBodyBytes } from './entry.ts'
import { factsOf } from './facts.ts'
import type { KnownRoutes } from './known-routes.ts'
import type { RequestRing } from './ring.ts'
import { showBody } from './rules/body.ts'
import { showLocation } from './rules/target.ts'

/** Everything else is left out: a new header might have a secret. */
const shownRequestHeaders = [
  ...['accept', 'accept-encoding', 'accept-language', 'content-type', 'content-length', 'host', 'origin', 'user-agent'],
  ...['if-match', 'if-none-match', 'x-request-id', 'x-http-method-override', 'cache-control', 'last-event-id'],
  ...['access-control-request-method', 'access-control-request-headers', 'x-forwarded-for', 'x-forwarded-proto'],
]

const shownResponseHeaders = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'etag', 'last-modified', 'cache-control', 'vary', 'allow'],
  ...['location', 'link', 'retry-after', 'www-authenticate', 'x-correlation', 'x-request-id', 'x-refdesk-fault'],
  ...['x-redirect-uri-hint', 'access-control-allow-origin', 'access-control-expose-headers', 'connection'],
])

const isShown = (name: string): boolean => shownResponseHeaders.has(name) || name.startsWith('x-ratelimit-')

type Clocks = Clock & Readonly<{ real: Clock }>
type Captured = Readonly<{ ring: RequestRing; routes: KnownRoutes; clock: Clocks; nodeName: string }>

/** An object and its short texts, about. */
const baseBytes = 1_024

/** Adds every response to the ring, except those of health checks and of the log itself. */
export function captureRequests({ ring, routes, clock, nodeName }: Captured): Observer {
  const nextId = idsOf(nodeName)
  return (request, reply, milliseconds) => {
    const { routeOptions, raw, url, caller } = request
    if (routeOptions.config.unlogged) return
    const route = request.is404 ? undefined : routeOptions.url
    const isDirect = reply instanceof DirectReply
    const facts = isDirect ? undefined : factsOf(raw)
    const response = isDirect ? directResponse(reply) : usualResponse(reply)
    // The direct path serves only known addresses, and reads show no other parameters of them.
    const target = isDirect ? url : routes.show(url, route)
    const requestHeaders = headersOf(request.headers)
    const requestBody = facts?.body === undefined ? undefined : bodySent(request, facts.body)
    const now = clock.real.nowMs()
    const entry: Entry = {
      id: nextId(now),
      atMs: clock.nowMs() - milliseconds,
      realMs: now - milliseconds,
      milliseconds,
      requestId: request.id,
      method: request.method,
      target,
      route,
      status: reply.statusCode,
      app: caller?.appKey ?? facts?.app,
      user: caller?.UserKey ?? facts?.user,
      client: caller?.ClientKey ?? facts?.client ?? '',
      session: caller?.sessionId ?? facts?.session,
      secret: facts?.secret,
      address: request.ip,
      reason: facts?.reason,
      requestHeaders,
      requestBody,
      ...response,
      bytes: baseBytes + target.length + requestHeaders.length + (requestBody?.length ?? 0) + bytesOf(response),
      next: undefined,
    }
    ring.add(entry)
  }
}

const idDigits = { time: 9, count: 6 }

/** Ids that sort by time, then by count. If the clock is set back, they stay at the latest time. */
function idsOf(nodeName: string): (now: number) => string {
  let latest = 0
  let time = ''
  let count = 0
  return (now) => {
    if (now > latest) {
      latest = now
      time = now.toString(36).padStart(idDigits.time, '0')
    }
    count += 1
    return `${time}${count.toString(36).padStart(idDigits.count, '0')}${nodeName}`
  }
}

type Response = Pick<Entry, 'responseHeaders' | 'responseBody' | 'responseBytes'>

const bytesOf = ({ responseBody }: Response): number => responseBody?.length ?? 0

/** The direct path has no credentials to leave out but one. */
function headersOf(headers: IncomingHttpHeaders): string {
  let text = ''
  for (const name of shownRequestHeaders) {
    const value = headers[name]
    if (value !== undefined) text += `${name}\n${value}\n`
  }
  const { authorization, cookie } = headers
  if (authorization !== undefined) text += `authorization\n${authorization.slice(0, 10).replace(/ .*$/, '')} \n`
  return cookie === undefined ? text : `${text}cookie\n\n`
}

/** What was sent is not changed any more, so it need not be copied. */
function directResponse({ pairs, payload }: DirectReply): Response {
  return { responseHeaders: pairs, responseBody: payload && keptOf(payload), responseBytes: payload?.length ?? 0 }
}

/** At most the first bytes: never a part that keeps the whole in memory. */
function keptOf(payload: Buffer | string): Buffer | string {
  if (typeof payload === 'string')
    return payload.length <= maxBodyBytes ? payload : Buffer.from(payload.slice(0, maxBodyBytes), 'latin1')
  const isAlone = payload.buffer.byteLength <= 2 * payload.length
  return payload.length <= maxBodyBytes && isAlone ? payload : Buffer.from(payload.subarray(0, maxBodyBytes))
}

function usualResponse(reply: RestReply): Response {
  const { payload } = reply
  const responseHeaders: string[] = []
  const sent = reply.getHeaders?.() ?? {}
  for (const name in sent)
    if (isShown(name)) {
      const value = String(sent[name])
      responseHeaders.push(name, name === 'location' ? showLocation(value) : value)
    }
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : Buffer.isBuffer(payload) ? payload : undefined
  const isKept = bytes && isJson(String(sent['content-type'] ?? ''))
  return { responseHeaders, responseBody: isKept ? keptOf(bytes) : undefined, responseBytes: bytes?.length ?? 0 }
}

const isJson = (type: string): boolean => /^application\/(?:[\w.]+\+)?json/.test(type)

function bodySent(request: RestRequest, text: string): string | undefined {
  return showBody(request.headers['content-type'] ?? '', text.slice(0, maxBodyBytes))
}
