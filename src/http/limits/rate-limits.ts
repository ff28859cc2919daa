import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../core/caller.ts'
import { isForwarded } from '../../core/network/forwarded.ts'
import { isLoopbackAddress, isLoopbackHost } from '../../core/network/loopback.ts'
import { type Problem, rateLimitExceeded } from '../../core/problem.ts'
import { type BucketLimits, type BucketName, rateLimitBuckets, sessionsPerUser } from './buckets.ts'
import type { Bucket, BucketState, RateLimiter } from './rate-limiter.ts'

export type RateLimitMode = 'on' | 'off' | 'loopback-off'

export const rateLimitHeaderNames = (buckets = Object.keys(rateLimitBuckets)): string[] =>
  buckets.flatMap((name) => ['Limit', 'Remaining', 'Reset'].map((part) => `X-RateLimit-${name}-${part}`))

/** Whether a request comes from this machine (§1.3): from a loopback address to a loopback host, and through no proxy. A page of
 *  another site whose name leads here (DNS rebinding) sends its own host, and so does a proxy without forwarding headers. */
export function isLocal({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  const host = (headers.host ?? '').replace(/:\d*$/, '')
  return isLoopbackAddress(socket.remoteAddress ?? '') && isLoopbackHost(host) && !isForwarded(headers)
}

/** `ref` for the route `/sim/openapi/ref/v1/instruments`. */
export function serviceGroupOf(url: string | undefined, basePath: string): string {
  const from = basePath.length + 1
  const end = url?.indexOf('/', from) ?? 0
  return url?.slice(from, end < 0 ? undefined : end).toLowerCase() ?? ''
}

export function rateLimitHeaders(name: BucketName, state: BucketState): Record<string, string> {
  const prefix = `x-ratelimit-${name.toLowerCase()}`
  return {
    [`${prefix}-limit`]: String(state.limit),
    [`${prefix}-remaining`]: String(state.remaining),
    [`${prefix}-reset`]: String(state.resetSeconds),
  }
}

export function isCounted(request: Pick<FastifyRequest, 'headers' | 'socket'>, mode: RateLimitMode): boolean {
  return mode !== 'off' && !(mode === 'loopback-off' && isLocal(request))
}

/** The error if a bucket is full; Retry-After covers all full buckets. */
function limitProblem(states: readonly BucketState[], what?: string): Problem | undefined {
  if (states.every(({ admitted }) => admitted)) return undefined
  const seconds = states.map(({ admitted, resetSeconds }) => (admitted ? 0 : resetSeconds))
  return rateLimitExceeded(Math.max(...seconds), what)
}

/** The headers do not show this limit. */
const ofAllSessions = 'Too many requests by this user with this app, in all sessions together.'

export function requireWithinLimits(states: readonly BucketState[]): void {
  const problem = limitProblem(states)
  if (problem) throw problem
}

/** Counts a request. Returns the rate limit headers, and the error if a bucket was full. */
export type CountRequest = (request: FastifyRequest) => Counted
export type Counted = Readonly<{ headers: Record<string, string>; problem?: Problem | undefined }>

const notCounted = { headers: {} }

type CountOptions = Readonly<{
  limiter: RateLimiter
  mode: RateLimitMode
  basePath: string
  limits?: BucketLimits
  /** How many sessions' requests a user has with one app. */
  userSessions?: number
}>

/** Counts by the caller that the bearer check found; requests without a caller are not counted. */
export function countRates(options: CountOptions): CountRequest {
  const { limiter, mode, basePath, limits = rateLimitBuckets, userSessions = sessionsPerUser } = options
  /** Of the session, the app, and the user with the app: a new session must not be a way around the limits. */
  const bucketsOf = ({ sessionId, appKey, UserKey }: Caller, perSession: BucketName, url: string): Bucket[] => {
    const start = `${perSession}/${serviceGroupOf(url, basePath)}/`
    const { limit, windowSeconds } = limits[perSession]
    return [
      { key: `${start}${sessionId}`, limit, windowSeconds },
      { key: `AppDay/${appKey}`, ...limits.AppDay },
      { key: `User/${start}${UserKey}/${appKey}`, limit: limit * userSessions, windowSeconds },
    ]
  }
  return (request) => {
    const { caller } = request
    if (!caller || !isCounted(request, mode)) return notCounted
    const { url = '', config } = request.routeOptions
    const perSession = config.rateLimit ?? 'Session'
    const states = limiter.take(bucketsOf(caller, perSession, url))
    const [session, day, user] = states as [BucketState, BucketState, BucketState]
    const headers = { ...rateLimitHeaders(perSession, session), ...rateLimitHeaders('AppDay', day) }
    return { headers, problem: limitProblem(states, user.admitted ? undefined : ofAllSessions) }
  }
}

export function limitRates(count: CountRequest): (request: FastifyRequest, reply: FastifyReply) => undefined {
  return (request, reply) => {
    if (request.routeOptions.config.countedByParts) return undefined
    const { headers, problem } = count(request)
    reply.headers(headers)
    if (problem) throw problem
    return undefined
  }
}
