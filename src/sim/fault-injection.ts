import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { type Problem, unavailable } from '../core/problem.ts'
import type { BucketLimits } from '../http/limits/buckets.ts'
import { rateLimitHeaders, requireWithinLimits, serviceGroupOf } from '../http/limits/rate-limits.ts'
import { noteFacts } from '../http/request-log/facts.ts'
import type { Server } from '../http/typed-server.ts'
import type { ActiveFaults } from './active-faults.ts'
import { affects, defaultDelaySeconds, type Fault, isExempt } from './rules/fault.ts'

type FaultDependencies = Readonly<{
  faults: ActiveFaults
  real: Clock
  basePath: string
  limits: BucketLimits
  /** The error for an expired token. */
  expiredToken(): Problem
  /** A random number, at least 0 and below 1. */
  chance(): number
}>

/** Delayed requests take memory and count as in flight. */
const maxDelayed = 500

/** Returns the step that injects faults, for after the token check and before the rate limits. It waits only to delay. */
export function injectFaults(
  scope: Server,
  deps: FaultDependencies,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined {
  const delay = makeDelay(scope)
  const delayOrHijack = async (reply: FastifyReply, fault: Fault) => {
    if (!(await delay(reply, fault))) reply.hijack()
  }
  scope.addHook('onReady', () => deps.faults.load())
  return (request, reply) => {
    const fault = request.caller && deps.faults.of(request.caller.appKey)
    if (!fault) return undefined
    const { url, config } = request.routeOptions
    // A batch passes: its requests are affected individually.
    if (config.countedByParts || isExempt(url?.slice(deps.basePath.length) ?? '')) return undefined
    if (!affects(fault, serviceGroupOf(url, deps.basePath), deps.real.now(), deps.chance())) return undefined
    // Marks injected faults, in responses and in the log.
    reply.header('x-refdesk-fault', fault.kind)
    if (fault.kind === 'RateLimited') rejectAsRateLimited(request, reply, deps)
    if (fault.kind === 'Unavailable') throw unavailable()
    if (fault.kind === 'ExpiredToken') throw deps.expiredToken()
    if (fault.kind === 'Dropped') dropConnection(request, reply)
    return fault.kind === 'Slow' ? delayOrHijack(reply, fault) : undefined
  }
}

/** As if the session had used up its minute. */
function rejectAsRateLimited(request: FastifyRequest, reply: FastifyReply, { limits, real }: FaultDependencies): void {
  const name = request.routeOptions.config.rateLimit ?? 'Session'
  const untilReset = (windowSeconds: number) =>
    windowSeconds - (Math.floor(real.now().epochMilliseconds / 1_000) % windowSeconds)
  const { limit, windowSeconds } = limits[name]
  const used = { limit, remaining: 0, resetSeconds: untilReset(windowSeconds), admitted: false }
  const day = limits.AppDay
  const unused = { limit: day.limit, remaining: day.limit, resetSeconds: untilReset(day.windowSeconds), admitted: true }
  reply.headers({ ...rateLimitHeaders(name, used), ...rateLimitHeaders('AppDay', unused) })
  requireWithinLimits([used])
}

/** Waits for the delay, until the server closes or the caller disconnects; false if the caller has disconnected. */
function makeDelay(scope: Server): (reply: FastifyReply, fault: Fault) => Promise<boolean> {
  const closing = new AbortController()
  let delayed = 0
  scope.addHook('preClose', async () => closing.abort())
  return async (reply, { delaySeconds = defaultDelaySeconds }) => {
    if (delayed >= maxDelayed) throw unavailable()
    const disconnected = new AbortController()
    const onClose = () => disconnected.abort()
    reply.raw.once('close', onClose)
    delayed += 1
    try {
      await sleep(delaySeconds * 1_000, undefined, { signal: AbortSignal.any([closing.signal, disconnected.signal]) })
    } catch {
      // Aborted early.
    } finally {
      delayed -= 1
      reply.raw.off('close', onClose)
    }
    return !disconnected.signal.aborted
  }
}

function dropConnection(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({ fault: 'Dropped' }, 'connection dropped by an injected fault')
  noteFacts(request, { fault: 'Dropped' })
  request.server.requestLog?.addUnanswered(request, reply.elapsedTime)
  reply.hijack()
  request.raw.destroy()
}
