import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { type Problem, unavailable } from '../core/problem.ts'
import type { BucketLimits } from '../http/limits/buckets.ts'
import { requireWithinLimits, serviceGroupOf, standingHeaders } from '../http/limits/rate-limits.ts'
import type { Server } from '../http/typed-server.ts'
import type { FaultBoard } from './fault-board.ts'
import { defaultDelaySeconds, type Fault, isSpared, strikes } from './rules/fault.ts'

export type FaultParts = Readonly<{
  board: FaultBoard
  real: Clock
  basePath: string
  limits: BucketLimits
  /** The refusal of a token that has ended. */
  expiredToken(): Problem
  /** From 0 up to, not including, 1. */
  chance(): number
}>

/** Answers that wait take memory and a place among the requests in flight: so many at a time, then the rest is refused. */
const mostWaiting = 500

/** Makes calls of an app go wrong as somebody asked for it: a hook to add behind the bearer check and before the limits. */
export function injectFaults(scope: Server, parts: FaultParts): void {
  const wait = waitingRoom(scope)
  scope.addHook('onReady', () => parts.board.load())
  scope.addHook('onRequest', async (request, reply) => {
    const { url, config } = request.routeOptions
    // A batch is met in its parts.
    const fault = request.caller && !config.countedByParts && parts.board.of(request.caller.appKey)
    if (!fault || isSpared(url?.slice(parts.basePath.length) ?? '')) return
    if (!strikes(fault, serviceGroupOf(request, parts.basePath), parts.real.now(), parts.chance())) return
    // So that nobody hunts a ghost.
    reply.header('x-refdesk-fault', fault.kind)
    if (fault.kind === 'RateLimited') refuseAsFull(request, reply, parts)
    if (fault.kind === 'Unavailable') throw unavailable()
    if (fault.kind === 'ExpiredToken') throw parts.expiredToken()
    if (fault.kind === 'Dropped') cut(request, reply)
    // Who has hung up is not there to be answered.
    if (fault.kind === 'Slow' && !(await wait(reply, fault))) reply.hijack()
  })
}

/** As a session whose minute is used up. */
function refuseAsFull(request: FastifyRequest, reply: FastifyReply, { limits, real }: FaultParts): void {
  const name = request.routeOptions.config.rateLimit ?? 'Session'
  const untilReset = (windowSeconds: number) =>
    windowSeconds - (Math.floor(real.now().epochMilliseconds / 1_000) % windowSeconds)
  const { limit, windowSeconds } = limits[name]
  const full = { limit, remaining: 0, resetSeconds: untilReset(windowSeconds), admitted: false }
  const day = limits.AppDay
  const rested = { limit: day.limit, remaining: day.limit, resetSeconds: untilReset(day.windowSeconds), admitted: true }
  reply.headers({ ...standingHeaders(name, full), ...standingHeaders('AppDay', rested) })
  requireWithinLimits([full])
}

/** Lets answers wait, until their time, until the caller hangs up, or until the server closes. False when the caller has
 *  hung up. */
function waitingRoom(scope: Server): (reply: FastifyReply, fault: Fault) => Promise<boolean> {
  const closing = new AbortController()
  let waiting = 0
  scope.addHook('preClose', async () => closing.abort())
  return async (reply, { delaySeconds = defaultDelaySeconds }) => {
    if (waiting >= mostWaiting) throw unavailable()
    const hangUp = new AbortController()
    const onClose = () => hangUp.abort()
    reply.raw.once('close', onClose)
    waiting += 1
    try {
      await sleep(delaySeconds * 1_000, undefined, { signal: AbortSignal.any([closing.signal, hangUp.signal]) })
    } catch {
      // Woken before its time.
    } finally {
      waiting -= 1
      reply.raw.off('close', onClose)
    }
    return !hangUp.signal.aborted
  }
}

/** The connection ends in the middle of nothing, without an answer. */
function cut(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({ fault: 'Dropped' }, 'the connection is cut by a fault that was asked for')
  reply.hijack()
  request.raw.destroy()
}
