import type { Clock } from '../../core/clock.ts'
import { DirectReply } from '../direct/direct-reply.ts'
import type { RestReply, RestRequest } from '../exchange.ts'
import type { Observer } from '../output/observations.ts'
import { contextOf } from './context.ts'
import { maxBodyBytes } from './entry.ts'
import { factsOf } from './facts.ts'
import type { HeaderTemplates } from './header-templates.ts'
import type { KnownRoutes } from './known-routes.ts'
import type { RequestRing } from './ring.ts'
import { showBody } from './rules/body.ts'
import { showLocation } from './rules/target.ts'
import { isShownHeader } from './shown-headers.ts'

type Clocks = Clock & Readonly<{ real: Clock }>
type Capturing = Readonly<{ ring: RequestRing; routes: KnownRoutes; headers: HeaderTemplates; clock: Clocks }>

/** Adds every response to the ring, except those of health checks and of the log itself. Every request pays for this, so of what
 *  the direct path serves, only who reads it looks for secrets. */
export function captureRequests({ ring, routes, headers, clock }: Capturing): Observer {
  let loggedMs = 0
  return (request, reply, milliseconds) => {
    const { routeOptions, raw, url, caller } = request
    if (routeOptions.config.unlogged) return
    const isDirect = reply instanceof DirectReply
    const route = request.is404 ? undefined : routeOptions.url
    const number = routes.numberOf(route)
    const facts = isDirect ? undefined : factsOf(raw)
    if (facts?.isUnlogged) return
    const sent = isDirect ? directResponse(reply) : usualResponse(reply)
    // Never back, so that ids stay in order.
    loggedMs = Math.max(loggedMs, clock.real.nowMs())
    ring.add(
      caller?.ClientKey ?? facts?.client ?? '',
      {
        loggedMs,
        clockMs: clock.nowMs(),
        milliseconds,
        status: reply.statusCode,
        route: number,
        isShown: !isDirect,
        responseBytes: sent.bytes,
      },
      {
        requestId: request.id,
        target: isDirect ? url : routes.show(url, route),
        context: contextOf(request, facts),
        responseHeaders: isDirect ? headers.write(number, sent.headers) : sent.headers.join('\n'),
        facts,
        requestBody: facts?.body === undefined ? undefined : bodySent(request, facts.body),
      },
      sent.body,
    )
  }
}

type Sent = Readonly<{ headers: readonly string[]; body: Buffer | string | undefined; bytes: number }>

function directResponse({ pairs, payload }: DirectReply): Sent {
  return { headers: pairs, body: payload, bytes: payload?.length ?? 0 }
}

function usualResponse(reply: RestReply): Sent {
  const { payload } = reply
  const headers: string[] = []
  const sent = reply.getHeaders?.() ?? {}
  for (const name in sent)
    if (isShownHeader(name)) {
      const value = String(sent[name])
      headers.push(name, name === 'location' ? showLocation(value) : value)
    }
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : Buffer.isBuffer(payload) ? payload : undefined
  const isKept = isJson(String(sent['content-type'] ?? ''))
  return { headers, body: isKept ? bytes : undefined, bytes: bytes?.length ?? 0 }
}

const isJson = (type: string): boolean => /^application\/(?:[\w.]+\+)?json/.test(type)

function bodySent(request: RestRequest, text: string): string | undefined {
  return showBody(request.headers['content-type'] ?? '', text.slice(0, maxBodyBytes))
}
