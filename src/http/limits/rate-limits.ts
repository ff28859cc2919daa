import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, rateLimitExceeded } from '../../core/problem.ts'
import { type BucketLimits, type BucketName, rateLimitBuckets } from './buckets.ts'
import type { Bucket, BucketState, RateLimiter } from './rate-limiter.ts'

export type RateLimitMode = 'on' | 'off' | 'loopback-off'

export const rateLimitHeaderNames = Object.keys(rateLimitBuckets).flatMap((name) =>
  ['Limit', 'Remaining', 'Reset'].map((part) => `X-RateLimit-${name}-${part}`),
)

/** Whether a request comes from this machine. A forwarded request does not, whatever the socket says (§2.6). */
export function isLoopback(request: FastifyRequest): boolean {
  if (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined) return false
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}

/** `ref` for `/sim/openapi/ref/v1/instruments`. */
export function serviceGroupOf(request: FastifyRequest, basePath: string): string {
  const segments = request.routeOptions.url?.slice(basePath.length).split('/') ?? []
  return segments.find((segment) => segment !== '')?.toLowerCase() ?? ''
}

export const rateLimitHeaders = (name: BucketName, state: BucketState): Record<string, string> => ({
  [`x-ratelimit-${name.toLowerCase()}-limit`]: String(state.limit),
  [`x-ratelimit-${name.toLowerCase()}-remaining`]: String(state.remaining),
  [`x-ratelimit-${name.toLowerCase()}-reset`]: String(state.resetSeconds),
})

export function isCounted(request: FastifyRequest, mode: RateLimitMode): boolean {
  return mode !== 'off' && !(mode === 'loopback-off' && isLoopback(request))
}

/** The error if a bucket is full; Retry-After covers all full buckets. */
function limitProblem(states: readonly BucketState[]): Problem | undefined {
  const full = states.filter(({ admitted }) => !admitted).map(({ resetSeconds }) => resetSeconds)
  return full.length === 0 ? undefined : rateLimitExceeded(Math.max(...full))
}

export function requireWithinLimits(states: readonly BucketState[]): void {
  const problem = limitProblem(states)
  if (problem) throw problem
}

/** Counts a request. Returns the rate limit headers, and the error if a bucket was full. */
export type CountRequest = (request: FastifyRequest) => Readonly<{
  headers: Record<string, string>
  problem?: Problem | undefined
}>

/** Counts by the caller that the bearer check found; requests without a caller are not counted. */
export function countRates(options: {
  limiter: RateLimiter
  mode: RateLimitMode
  basePath: string
  limits?: BucketLimits
}): CountRequest {
  const { limiter, mode, basePath, limits = rateLimitBuckets } = options
  return (request) => {
    const { caller } = request
    const { rateLimit: perSession = 'Session' } = request.routeOptions.config
    if (!caller || !isCounted(request, mode)) return { headers: {} }
    const group = serviceGroupOf(request, basePath)
    const buckets: Bucket[] = [
      { key: `${perSession}/${group}/${caller.sessionId}`, ...limits[perSession] },
      { key: `AppDay/${caller.appKey}`, ...limits.AppDay },
    ]
    const states = limiter.take(buckets)
    const headers = states.map((state, index) => rateLimitHeaders(index === 0 ? perSession : 'AppDay', state))
    return { headers: Object.assign({}, ...headers), problem: limitProblem(states) }
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
