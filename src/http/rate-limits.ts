import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../core/problem.ts'
import { type BucketLimits, type BucketName, rateLimitBuckets } from './limits.ts'
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

export function sendStanding(reply: FastifyReply, name: BucketName, standing: Standing): void {
  reply.header(`x-ratelimit-${name}-limit`, standing.limit)
  reply.header(`x-ratelimit-${name}-remaining`, standing.remaining)
  reply.header(`x-ratelimit-${name}-reset`, standing.resetSeconds)
}

/** Whether requests like this one are counted at all. */
export function isCounted(request: FastifyRequest, mode: RateLimitMode): boolean {
  return mode !== 'off' && !(mode === 'loopback-off' && isLoopback(request))
}

/** Refuses when a bucket was full, until all have room again. */
export function requireRoom(standings: readonly Standing[]): void {
  const full = standings.filter(({ admitted }) => !admitted).map(({ resetSeconds }) => resetSeconds)
  if (full.length === 0) return
  throw new Problem('RateLimitExceeded', 'Too many requests. Retry-After says in how many seconds to go on.', {
    headers: { 'retry-after': String(Math.max(...full)) },
  })
}

/** A hook to add behind the bearer check: counts by the caller it found, and lets requests without one pass. */
export function limitRates(options: {
  limiter: RateLimiter
  mode: RateLimitMode
  basePath: string
  limits?: BucketLimits
}): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const { limiter, mode, basePath, limits = rateLimitBuckets } = options
  return async (request, reply) => {
    const { caller } = request
    const { countedByParts, rateLimit: perSession = 'Session' } = request.routeOptions.config
    if (!caller || countedByParts || !isCounted(request, mode)) return
    const group = serviceGroupOf(request, basePath)
    const names: BucketName[] = [perSession, 'AppDay']
    const buckets: Bucket[] = [
      { key: `${perSession}/${group}/${caller.sessionId}`, ...limits[perSession] },
      { key: `AppDay/${caller.appKey}`, ...limits.AppDay },
    ]
    const standings = limiter.take(buckets)
    for (const [index, name] of names.entries()) {
      const standing = standings[index]
      if (standing) sendStanding(reply, name, standing)
    }
    requireRoom(standings)
  }
}
