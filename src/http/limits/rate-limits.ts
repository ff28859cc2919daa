import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../core/caller.ts'
import { isForwarded } from '../../core/network/forwarded.ts'
import { isLoopbackAddress, isLoopbackHost } from '../../core/network/loopback.ts'
import { type Problem, rateLimitExceeded } from '../../core/problem.ts'
import { type BucketLimits, type BucketName, rateLimitBuckets, sessionsPerUser } from './buckets.ts'
import type { Bucket, BucketState, RateLimiter } from './rate-limiter.ts'

export type RateLimitMode = 'on' | 'off' | 'loopback-off'

export const rateLimitHeaderNames = Object.keys(rateLimitBuckets).flatMap((name) =>
  ['Limit', 'Remaining', 'Reset'].map((part) => `X-RateLimit-${name}-${part}`),
)

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

/** Written out once: joining names costs more than counting. */
const headerNames = Object.fromEntries(
  Object.keys(rateLimitBuckets).map((name) => {
    const prefix = `x-ratelimit-${name.toLowerCase()}`
    return [name, { limit: `${prefix}-limit`, remaining: `${prefix}-remaining`, reset: `${prefix}-reset` }]
  }),
) as Record<BucketName, Readonly<{ limit: string; remaining: string; reset: string }>>

export function rateLimitHeaders(
  name: BucketName,
  state: BucketState,
  headers: Record<string, string> = {},
): Record<string, string> {
  const names = headerNames[name]
  headers[names.limit] = String(state.limit)
  headers[names.remaining] = String(state.remaining)
  headers[names.reset] = String(state.resetSeconds)
  return headers
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

/** Of the session, the app, and the user with the app: a new session must not be a way around the limits. */
type Buckets = readonly [Bucket, Bucket, Bucket]

/** Counts by the caller that the bearer check found; requests without a caller are not counted. */
export function countRates(options: CountOptions): CountRequest {
  const { limiter, mode, basePath, limits = rateLimitBuckets, userSessions = sessionsPerUser } = options
  /** The start of the session's key, by route. */
  const starts = new Map<string, string>()
  const startOf = (perSession: BucketName, url: string): string => {
    const start = starts.get(url) ?? `${perSession}/${serviceGroupOf(url, basePath)}/`
    starts.set(url, start)
    return start
  }
  /** By caller, which is one object as long as its token is known, and by the start of the key. */
  const bucketsOf = new WeakMap<Caller, Map<string, Buckets>>()
  const findBuckets = (caller: Caller, perSession: BucketName, url: string): Buckets => {
    const start = startOf(perSession, url)
    const known = bucketsOf.get(caller) ?? new Map<string, Buckets>()
    const { limit, windowSeconds } = limits[perSession]
    const buckets: Buckets = known.get(start) ?? [
      { key: `${start}${caller.sessionId}`, limit, windowSeconds },
      { key: `AppDay/${caller.appKey}`, ...limits.AppDay },
      { key: `User/${start}${caller.UserKey}/${caller.appKey}`, limit: limit * userSessions, windowSeconds },
    ]
    bucketsOf.set(caller, known.set(start, buckets))
    return buckets
  }
  return (request) => {
    const { caller } = request
    if (!caller || !isCounted(request, mode)) return notCounted
    const { url = '', config } = request.routeOptions
    const perSession = config.rateLimit ?? 'Session'
    const states = limiter.take(findBuckets(caller, perSession, url))
    const [session, day, user] = states as [BucketState, BucketState, BucketState]
    const headers = rateLimitHeaders('AppDay', day, rateLimitHeaders(perSession, session))
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
