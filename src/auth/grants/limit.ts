import type { FastifyRequest } from 'fastify'
import { isCounted } from '../../http/limits/rate-limits.ts'
import type { AuthContext } from '../context.ts'
import { OAuthProblem } from '../problem.ts'

/** Bounds the new sessions of a user per minute (§2.6). The error is sent to the app. */
export function requireGrantWithinLimit(
  { config, limiter }: AuthContext,
  request: FastifyRequest,
  userKey: string,
): void {
  if (!isCounted(request, config.rateLimits)) return
  const bucket = { key: `SignIns/${userKey}`, limit: config.rateLimitSigninsMinute, windowSeconds: 60 }
  const [state] = limiter.take([bucket])
  if (state?.admitted !== false) return
  const text = `Too many sign-ins of this user within a minute. Try again in ${state.resetSeconds} seconds, and use the tokens you have meanwhile.`
  throw new OAuthProblem('temporarily_unavailable', text)
}
