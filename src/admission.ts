import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowsOrigin, originsOf } from './apps/rules/origins.ts'
import { agentMetadataPath } from './auth/api/routes.ts'
import { BearerCheck } from './auth/bearer.ts'
import type { AuthContext } from './auth/context.ts'
import type { Config } from './config.ts'
import type { Caller } from './core/caller.ts'
import { basePathOf } from './core/environment.ts'
import { invalidToken, Problem } from './core/problem.ts'
import { givenCaller } from './http/in-process.ts'
import { type BucketLimits, rateLimitBuckets } from './http/limits/buckets.ts'
import { type CountRequest, countRates, limitRates } from './http/limits/rate-limits.ts'
import { cors } from './http/output/cors.ts'
import { addSteps, type Steps } from './http/pipeline.ts'
import type { Server } from './http/typed-server.ts'
import { ActiveFaults } from './sim/active-faults.ts'
import { injectFaults } from './sim/fault-injection.ts'

const bucketLimits = (config: Config): BucketLimits => ({
  Session: { limit: config.rateLimitSessionMinute, windowSeconds: 60 },
  RefDataInstrumentsMinute: { limit: config.rateLimitRefdataMinute, windowSeconds: 60 },
  ExplainMinute: rateLimitBuckets.ExplainMinute,
  AppDay: { limit: config.rateLimitAppDay, windowSeconds: 86_400 },
})

const countIn = ({ config, limiter }: AuthContext, basePath: string): CountRequest => {
  const { rateLimits: mode, rateLimitUserSessions: userSessions } = config
  return countRates({ limiter, mode, basePath, limits: bucketLimits(config), userSessions })
}

/** Undefined in live. */
export const activeFaultsOf = ({ config, db, feed, clock }: AuthContext): ActiveFaults | undefined =>
  config.environment === 'sim' ? new ActiveFaults(db, feed, clock.real) : undefined

/** What a REST request passes before its operation: CORS, bearer check, injected faults, rate limits, remembered answers. */
export function admitRestRequests(
  scope: Server,
  context: AuthContext,
  active: ActiveFaults | undefined,
  answers: Pick<Steps, 'answer' | 'remember'> = {},
): { count: CountRequest; isValid(authorization: string | undefined): Promise<boolean> } {
  const { config } = context
  const [basePath, limits] = [basePathOf(config.environment), bucketLimits(config)]
  const bearer = new BearerCheck(context)
  const findCaller = callerFinder(scope, context, bearer)
  const sources = { real: context.clock.real, expiredToken: invalidToken, chance: Math.random }
  const faults = active && injectFaults(scope, { faults: active, ...sources, basePath, limits })
  const count = countIn(context, basePath)
  const limit = limitRates(count)
  // A fault may have ended the request.
  const limitUnlessEnded = (request: FastifyRequest, reply: FastifyReply) =>
    reply.sent ? undefined : limit(request, reply)
  const enter = (request: FastifyRequest, reply: FastifyReply) => {
    const delay = faults?.(request, reply)
    return delay ? delay.then(() => limitUnlessEnded(request, reply)) : limitUnlessEnded(request, reply)
  }
  addSteps(scope, {
    ...answers,
    admit(request, reply) {
      const finding = findCaller(request)
      return finding ? finding.then(() => enter(request, reply)) : enter(request, reply)
    },
  })
  return { count, isValid: (authorization) => isValid(bearer, authorization) }
}

/** What a message of an agent passes: CORS, origin, bearer check. Returns what counts it, unless its operation does (§11.12). */
export function admitAgents(scope: Server, context: AuthContext): CountRequest {
  const { config, directory, resources } = context
  const findCaller = callerFinder(scope, context, new BearerCheck(context, resources.agents))
  addSteps(scope, {
    async admit(request) {
      const { origin } = request.headers
      // A page of another site, whose name may now lead to this machine (DNS rebinding).
      if (origin !== undefined && origin !== config.publicUrl && !directory.hasOrigin(origin))
        throw new Problem('RequestNotAllowed', 'Pages of this origin may not call the tools: it belongs to no app.')
      try {
        await findCaller(request)
      } catch (error) {
        throw withResourceMetadata(error, config.publicUrl)
      }
    },
  })
  return countIn(context, '')
}

/** Says where an agent finds out how to sign in (RFC 9728 §5.1). */
function withResourceMetadata(error: unknown, publicUrl: string): unknown {
  if (!(error instanceof Problem) || error.code !== 'Unauthorized') return error
  const [scheme = '', ...parameters] = (error.headers['www-authenticate'] ?? 'Bearer').split(/ (.*)/s).filter(Boolean)
  const all = [`resource_metadata="${publicUrl}${agentMetadataPath}"`, ...parameters].join(', ')
  return new Problem('Unauthorized', error.message, { headers: { 'www-authenticate': `${scheme} ${all}` } })
}

/** Whether a token is valid now. It is verified again if need be, such as after a travel or a change of keys. */
async function isValid(bearer: BearerCheck, authorization: string | undefined): Promise<boolean> {
  try {
    await bearer.caller(authorization)
    return true
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return false
    throw error
  }
}

/** Sets the caller of a request. Returns a promise if the token must be verified, or if a page of the app asks. */
function callerFinder(
  scope: Server,
  context: AuthContext,
  bearer: BearerCheck,
): (request: FastifyRequest) => Promise<void> | undefined {
  const callersOrigins = new WeakMap<object, Set<string>>()
  cors(scope, {
    mayPreflight: (origin) => context.directory.hasOrigin(origin),
    // Until the caller is known, the origins of any app may read errors; after that, only those of the calling app.
    mayRead: (request, origin) => {
      const own = callersOrigins.get(request)
      return own ? allowsOrigin(own, origin) : context.directory.hasOrigin(origin)
    },
    credentials: true,
  })
  const findOrigins = async (request: FastifyRequest, { appKey }: Caller) => {
    const app = await context.directory.find(appKey)
    callersOrigins.set(request, new Set(app?.redirectUris.flatMap(({ uri }) => originsOf(uri, app.flow))))
  }
  const setCaller = (request: FastifyRequest, caller: Caller) => {
    request.caller = caller
    return request.headers.origin === undefined ? undefined : findOrigins(request, caller)
  }
  return (request) => {
    if (request.method === 'OPTIONS' || request.routeOptions.config.withoutToken) return undefined
    const { authorization } = request.headers
    // A call in process has the caller of the request that makes it.
    const given = authorization === undefined ? givenCaller(request.raw) : undefined
    const caller = given ?? bearer.caller(authorization)
    return caller instanceof Promise ? caller.then((found) => setCaller(request, found)) : setCaller(request, caller)
  }
}
