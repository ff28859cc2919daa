import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TravelClock } from '../../core/clock.ts'
import type { Observer } from '../output/observations.ts'
import { type Entry, idOf, maxBodyBytes } from './entry.ts'
import { factsOf } from './facts.ts'
import type { KnownRoutes } from './known-routes.ts'
import type { RequestRing } from './ring.ts'
import { showBody } from './rules/body.ts'
import type { Shown } from './rules/values.ts'
import { showRequestHeaders, showResponseHeaders } from './shown-headers.ts'

type Capturing = Readonly<{ ring: RequestRing; routes: KnownRoutes; clock: TravelClock; nodeName: string }>

type Answered = Pick<FastifyReply, 'statusCode'> & Partial<Pick<FastifyReply, 'payload' | 'getHeaders'>>
type Capture = Readonly<{
  addResponse: Observer
  /** Adds a request whose connection was ended instead. */
  addUnanswered(request: FastifyRequest, milliseconds: number): void
}>

/** Adds every response to the ring, except responses of health checks and of the log itself. */
export function captureRequests({ ring, routes, clock, nodeName }: Capturing): Capture {
  let loggedMs = 0
  let count = 0

  const add = (request: FastifyRequest, reply: Answered, milliseconds: number): void => {
    const facts = factsOf(request.raw)
    if (request.routeOptions.config.unlogged || facts?.isUnlogged) return
    // Never back, so that ids stay in order.
    loggedMs = Math.max(loggedMs, clock.real.nowMs())
    count += 1
    const { caller, method, url, is404, routeOptions, id: requestId, ip: address } = request
    const app = caller?.appKey ?? facts?.app
    const shown: Shown = { parameters: routes.parameters, members: routes.members, app }
    const { secret, fault, reason, body = '' } = facts ?? {}
    ring.add({
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

  return {
    addResponse: add,
    addUnanswered: (request, milliseconds) => add(request, { statusCode: 0 }, milliseconds),
  }
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
