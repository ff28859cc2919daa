import type { TravelClock } from '../../core/clock.ts'
import { DirectReply } from '../direct/direct-reply.ts'
import type { RestReply, RestRequest } from '../exchange.ts'
import type { Observer } from '../output/observations.ts'
import { maxBodyBytes } from './entry.ts'
import { factsOf } from './facts.ts'
import type { HeaderTemplates } from './header-templates.ts'
import type { KnownRoutes } from './known-routes.ts'
import { usualTexts } from './record.ts'
import type { RequestRing } from './ring.ts'
import { showBody } from './rules/body.ts'
import { showLocation } from './rules/target.ts'
import { senderOf } from './sender.ts'
import { isShownHeader, shownHeaders } from './shown-headers.ts'

type Capturing = Readonly<{ ring: RequestRing; routes: KnownRoutes; headers: HeaderTemplates; clock: TravelClock }>

type UsualReply = Pick<RestReply, 'statusCode' | 'payload' | 'getHeaders'>
type Capture = Readonly<{
  addResponse: Observer
  /** Adds a request whose connection was ended instead. */
  addUnanswered(request: RestRequest, milliseconds: number): void
}>

/** Adds every response to the ring, except those of health checks and of the log itself. Every direct request pays for this, so
 *  only its reader looks for secrets. */
export function captureRequests({ ring, routes, headers, clock }: Capturing): Capture {
  let loggedMs = 0
  const readClock = (): void => {
    // Never back, so that ids stay in order.
    loggedMs = Math.max(loggedMs, clock.real.nowMs())
  }

  const addDirect = (request: RestRequest, reply: DirectReply, milliseconds: number) => {
    const { caller, id, url, raw, routeOptions } = request
    const { statusCode: status, pairs, payload, sharesPayload } = reply
    const route = routes.numberOf(routeOptions.url)
    const target = raw.rawHeaders === undefined ? plainTarget(url) : url
    const texts = [id, target === routeOptions.url ? '' : target]
    const template = headers.write(route, pairs, texts)
    const responseBytes = payload?.length ?? 0
    const isBodyShared = sharesPayload && responseBytes <= maxBodyBytes
    ring.add(
      caller?.ClientKey ?? '',
      { loggedMs, clockMs: clock.msAt(loggedMs), milliseconds, status, route, template, responseBytes },
      { texts, sender: senderOf(request), caller, body: payload, isBodyShared },
    )
  }

  const addUsual = (request: RestRequest, reply: UsualReply, milliseconds: number) => {
    const { caller, routeOptions } = request
    const facts = factsOf(request.raw)
    if (facts?.isUnlogged) return
    const route = request.is404 ? undefined : routeOptions.url
    const sent = usualResponse(reply)
    const texts = textsOf(request, sent, routes.show(request.url, route), routes.parameters)
    const client = caller?.ClientKey ?? facts?.client ?? ''
    ring.add(
      client,
      {
        loggedMs,
        clockMs: clock.msAt(loggedMs),
        milliseconds,
        status: reply.statusCode,
        route: routes.numberOf(route),
        template: 0,
        responseBytes: sent.bytes,
      },
      { texts, sender: undefined, caller: null, body: sent.body, isBodyShared: false },
    )
  }

  return {
    addResponse: (request, reply, milliseconds, isFirst = true) => {
      if (isFirst) readClock()
      if (request.routeOptions.config.unlogged) return
      if (reply instanceof DirectReply && request.method === 'GET') addDirect(request, reply, milliseconds)
      else addUsual(request, reply, milliseconds)
    },
    addUnanswered: (request, milliseconds) => {
      readClock()
      addUsual(request, { statusCode: 0 }, milliseconds)
    },
  }
}

function textsOf(request: RestRequest, { headers }: Sent, target: string, parameters: ReadonlySet<string>): string[] {
  const { id, method, caller, ip, raw } = request
  const facts = factsOf(raw)
  return usualTexts({
    requestId: id,
    method,
    caller,
    facts,
    address: ip,
    target,
    requestHeaders: shownHeaders(request.headers),
    requestBody: facts?.body === undefined ? undefined : bodySent(request, facts.body, parameters),
    responseHeaders: headers.join('\n'),
  })
}

/** The address of a request in process may have any character; one from the network has those of a byte. */
const plainTarget = (url: string): string => (/[^ -\xff]/.test(url) ? encodeURI(url.toWellFormed()) : url)

type Sent = Readonly<{ headers: readonly string[]; body: Buffer | string | undefined; bytes: number }>

function usualResponse(reply: UsualReply): Sent {
  const { payload } = reply
  const headers: string[] = []
  const sent = reply.getHeaders?.() ?? {}
  for (const name in sent)
    if (isShownHeader(name)) {
      const value = String(sent[name])
      headers.push(name, name === 'location' ? showLocation(value) : value)
    }
  const bytes = typeof payload === 'string' ? textBytes(reply, payload) : Buffer.isBuffer(payload) ? payload : undefined
  const isKept = isJson(String(sent['content-type'] ?? ''))
  return { headers, body: isKept ? bytes : undefined, bytes: bytes?.length ?? 0 }
}

/** The text of a direct response has a character per byte. */
const textBytes = (reply: UsualReply, payload: string): Buffer | string =>
  reply instanceof DirectReply ? payload : Buffer.from(payload)

const isJson = (type: string): boolean => /^application\/(?:[\w.]+\+)?json/.test(type)

/** One that was cut ends in `…`. */
function bodySent({ headers }: RestRequest, text: string, parameters: ReadonlySet<string>): string | undefined {
  const shown = showBody(headers['content-type'] ?? '', text.slice(0, maxBodyBytes), parameters)
  return shown === undefined || text.length <= maxBodyBytes ? shown : `${shown.replace(/…$/, '')}…`
}
