import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { type BucketLimits, type BucketName, rateLimitBuckets } from './buckets.ts'
import type { Bucket, RateLimiter, Standing } from './rate-limiter.ts'

export type RateLimitMode = 'on' | 'off' | 'loopback-off'

export const rateLimitHeaderNames = Object.keys(rateLimitBuckets).flatMap((name) =>
  ['Limit', 'Remaining', 'Reset'].map((part) => `X-RateLimit-${name}-${part}`),
)

/** A request of this very machine. What was forwarded is somebody else's, whatever the socket says (contract §1). */
export function isLoopback(request: FastifyRequest): boolean {
  if (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined) return false
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}

/** `ref` of `/sim/openapi/ref/v1/instruments`. */
export function serviceGroupOf(request: FastifyRequest, basePath: string): string {
  const behind = request.routeOptions.url?.slice(basePath.length) ?? ''
  return (
    behind
      .split('/')
      .find((segment) => segment !== '')
      ?.toLowerCase() ?? ''
  )
}

export const standingHeaders = (name: BucketName, standing: Standing): Record<string, string> => ({
  [`x-ratelimit-${name.toLowerCase()}-limit`]: String(standing.limit),
  [`x-ratelimit-${name.toLowerCase()}-remaining`]: String(standing.remaining),
  [`x-ratelimit-${name.toLowerCase()}-reset`]: String(standing.resetSeconds),
})

/** Whether requests like this one are counted at all. */
export function isCounted(request: FastifyRequest, mode: RateLimitMode): boolean {
  return mode !== 'off' && !(mode === 'loopback-off' && isLoopback(request))
}

/** The refusal when a bucket was full, until all have room again. */
function refusalOf(standings: readonly Standing[]): Problem | undefined {
  const full = standings.filter(({ admitted }) => !admitted).map(({ resetSeconds }) => resetSeconds)
  if (full.length === 0) return undefined
  return new Problem('RateLimitExceeded', 'Too many requests. Retry-After says in how many seconds to go on.', {
    headers: { 'retry-after': String(Math.max(...full)) },
  })
}

export function requireWithinLimits(standings: readonly Standing[]): void {
  const refusal = refusalOf(standings)
  if (refusal) throw refusal
}

/** Counts a request; gives what its answer tells of the limits, and the refusal where there was no room. */
export type CountRequest = (request: FastifyRequest) => Readonly<{
  headers: Record<string, string>
  refusal?: Problem | undefined
}>

/** Counts by the caller that the bearer check found; a request without one costs nothing. */
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
    const standings = limiter.take(buckets)
    const told = standings.map((standing, index) => standingHeaders(index === 0 ? perSession : 'AppDay', standing))
    return { headers: Object.assign({}, ...told), refusal: refusalOf(standings) }
  }
}

/** A hook to add behind the bearer check. */
export function limitRates(count: CountRequest): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    if (request.routeOptions.config.countedByParts) return
    const { headers, refusal } = count(request)
    reply.headers(headers)
    if (refusal) throw refusal
  }
}
