import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TravelClock } from '../../core/clock.ts'
import type { Server } from '../typed-server.ts'
import { type Entry, idOf, maxBodyBytes } from './entry.ts'
import { factsOf } from './facts.ts'
import { KnownRoutes } from './known-routes.ts'
import { RequestRing, type RingLimits } from './ring.ts'
import { showBody, showHeader } from './rules/body.ts'
import { hideTokens } from './rules/secrets.ts'
import { showLocation } from './rules/target.ts'
import { type Shown, showQueries } from './rules/values.ts'

type Options = Readonly<{ clock: TravelClock; nodeName: string; limits?: RingLimits }>
type Answered = Pick<FastifyReply, 'statusCode'> & Partial<Pick<FastifyReply, 'payload' | 'getHeaders'>>

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined if it is off. */
    requestLog?: RequestLog
  }
}

/** The latest requests of a node (§11.6): all except health checks and requests to the log itself. */
export class RequestLog {
  readonly ring: RequestRing
  /** The names that may be shown. */
  readonly shown: KnownRoutes
  readonly #options: Options
  #loggedMs = 0
  #count = 0

  constructor(server: Server, options: Options) {
    this.shown = new KnownRoutes(server)
    this.ring = new RequestRing(options.limits)
    this.#options = options
    server.observeResponses((request, reply, milliseconds) => this.#add(request, reply, milliseconds))
  }

  /** Adds a request whose connection was ended instead of a response. */
  addUnanswered(request: FastifyRequest, milliseconds: number): void {
    this.#add(request, { statusCode: 0 }, milliseconds)
  }

  /** The newest entry with this id, id of the request or X-Correlation of the response. Of one client, or of any. */
  find(id: string, client?: string): Entry | undefined {
    const requestId = (id.includes('#') ? id.split('#')[2] : id) ?? ''
    const isWanted = (entry: Entry) => entry.id === id || (requestId !== '' && entry.requestId === requestId)
    return this.ring.newest(client).find(isWanted)
  }

  #add(request: FastifyRequest, reply: Answered, milliseconds: number): void {
    const facts = factsOf(request.raw)
    if (request.routeOptions.config.unlogged || facts?.isUnlogged) return
    const { clock, nodeName } = this.#options
    // Never back, so that ids stay in order.
    this.#loggedMs = Math.max(this.#loggedMs, clock.real.nowMs())
    this.#count += 1
    const [loggedMs, count, routes] = [this.#loggedMs, this.#count, this.shown]
    const { caller, method, url, is404, routeOptions, id: requestId, ip: address } = request
    const app = caller?.appKey ?? facts?.app
    const shown: Shown = { parameters: routes.parameters, members: routes.members, app }
    const { secret, fault, reason, body = '' } = facts ?? {}
    this.ring.add({
      ...{ id: idOf(loggedMs, count, nodeName), count, requestId, method, status: reply.statusCode, milliseconds },
      ...{ atMs: clock.msAt(loggedMs) - milliseconds, realMs: loggedMs - milliseconds },
      target: routes.show(url, is404 ? undefined : routeOptions.url, app),
      ...{ app, client: caller?.ClientKey ?? facts?.client ?? '', address, secret, fault },
      user: caller?.UserKey ?? facts?.user,
      session: caller?.sessionId ?? facts?.session,
      reason: reason && { code: reason.code, message: routes.showReason(reason) },
      unknownFields: reason ? routes.unknownFields(reason) : [],
      requestHeaders: showRequestHeaders(request.headers, shown),
      requestBody: body === '' ? undefined : showRequestBody(request, body, shown),
      ...responseOf(reply, shown),
    })
  }
}

/** Starts the log of a server, before its routes are added. */
export function startRequestLog(server: Server, options: Options): RequestLog {
  const log = new RequestLog(server, options)
  server.decorate('requestLog', { getter: () => log })
  return log
}

function showRequestBody({ headers }: FastifyRequest, body: string, shown: Shown): string {
  const text = body.slice(0, maxBodyBytes)
  const [contentType, bytes] = [headers['content-type'] ?? '', Buffer.byteLength(body)]
  return showBody({ contentType, text, isCut: text.length < body.length, bytes }, shown)
}

type Response = Pick<Entry, 'responseHeaders' | 'responseBody' | 'responseBytes'>

/** Keeps only JSON bodies, unmasked, because they may be compressed. Pages show secrets in many ways. */
function responseOf(reply: Answered, shown: Shown): Response {
  const { payload } = reply
  const headers: Partial<ReturnType<FastifyReply['getHeaders']>> = reply.getHeaders?.() ?? {}
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  const responseHeaders = showResponseHeaders(headers, shown)
  if (!Buffer.isBuffer(bytes) || bytes.length === 0)
    return { responseHeaders, responseBody: undefined, responseBytes: 0 }
  const isJson = /^application\/(?:[\w.]+\+)?json/.test(String(headers['content-type'] ?? ''))
  // A copy, so that the rest of a large body does not stay in memory with it.
  const kept = isJson ? Buffer.from(bytes.subarray(0, maxBodyBytes)) : undefined
  return { responseHeaders, responseBody: kept, responseBytes: bytes.length }
}

/** Everything else is left out: a new header might have a secret. */
const shownOfRequest = new Set(
  'accept accept-encoding accept-language content-type content-length host origin user-agent if-match if-none-match x-request-id '
    .concat(
      'x-http-method-override cache-control last-event-id access-control-request-method access-control-request-headers ',
    )
    .concat('x-forwarded-for x-forwarded-proto authorization cookie')
    .split(' '),
)
const shownOfResponse = new Set(
  'content-type content-length content-encoding etag last-modified cache-control vary allow location link retry-after connection '
    .concat(
      'www-authenticate x-correlation x-request-id x-refdesk-fault x-redirect-uri-hint access-control-allow-origin ',
    )
    .concat('access-control-expose-headers')
    .split(' '),
)
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
function showResponseHeaders(headers: Partial<ReturnType<FastifyReply['getHeaders']>>, shown: Shown): string[] {
  const pairs: string[] = []
  for (const name in headers) {
    if (!isShownOfResponse(name)) continue
    const value = String(headers[name])
    if (name === 'location') pairs.push(name, hideTokens(showLocation(value)))
    else pairs.push(name, repeating.has(name) ? hideTokens(showQueries(value, shown)) : value)
  }
  return pairs
}
