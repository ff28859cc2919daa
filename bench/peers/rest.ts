import type { FastifyReply, FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { Type } from 'typebox'
import { identityRoutes } from '../../src/access/api/routes.ts'
import { AccessDirectory } from '../../src/access/directory.ts'
import { IdentityDirectory } from '../../src/access/identities.ts'
import { consoleApp } from '../../src/apps/store/console-app.ts'
import { BearerCheck } from '../../src/auth/bearer.ts'
import { readConfig } from '../../src/config.ts'
import type { Caller } from '../../src/core/caller.ts'
import { systemClock } from '../../src/core/clock.ts'
import { basePathOf } from '../../src/core/environment.ts'
import { RateLimiter } from '../../src/http/limits/rate-limiter.ts'
import { countRates, limitRates } from '../../src/http/limits/rate-limits.ts'
import { cors } from '../../src/http/output/cors.ts'
import { addSteps } from '../../src/http/pipeline.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Server } from '../../src/http/typed-server.ts'
import { makeLog } from '../../src/log.ts'
import { readMasterKey } from '../../src/master-key.ts'
import { metricsRoutes } from '../../src/monitoring.ts'
import { openService } from '../../src/node.ts'

/** The REST side as app.ts mounts it, twice: under /checked behind the bearer check, under /open with a caller that
 *  was never asked for. One process serves both, so that only the check differs. */
const config = readConfig(process.env)
const log = makeLog(config, pino.destination(2))
const connection = { connectionString: config.databaseUrl as string }
const masterKey = await readMasterKey(config)
const { context, close } = await openService({ config, connection, masterKey, clock: systemClock, log })
const bearer = new BearerCheck(context)
const fixed = JSON.parse(process.env.FIXED_CALLER ?? '{}') as Caller
const limiter = new RateLimiter()
const access = new AccessDirectory(context.db, context.feed)
const identities = new IdentityDirectory(context.db, context.feed)

function restRoutes(scope: Server, callerOf: (authorization: string | undefined) => Promise<Caller> | Caller): void {
  cors(scope, {
    mayPreflight: (origin) => context.directory.hasOrigin(origin),
    mayRead: (_request, origin) => context.directory.hasOrigin(origin),
    credentials: true,
  })
  const limit = limitRates(countRates({ limiter, mode: config.rateLimits, basePath: basePathOf(config.environment) }))
  const setCaller = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => {
    request.caller = caller
    return limit(request, reply)
  }
  addSteps(scope, {
    admit(request, reply) {
      const caller = callerOf(request.headers.authorization)
      if (caller instanceof Promise) return caller.then((found) => setCaller(request, reply, found))
      return setCaller(request, reply, caller)
    },
  })
  const operator = { db: context.db, environment: config.environment, consoleKey: consoleApp.AppKey }
  const facts = { clock: context.clock, baseUrl: config.publicUrl, acceptsElections: true }
  identityRoutes(scope, { identities, access, ...facts, ...operator })
  const response = { 200: Type.Object({ Status: Type.String() }) }
  scope.get('/fixed', { schema: { response } }, async () => ({ Status: 'Live' }))
}

const server = buildServer({ log, nodeName: 'bench', trustProxy: [], profile: context.profile })
metricsRoutes(server, { config })
server.register(async (scope: Server) => restRoutes(scope, (header) => bearer.caller(header)), { prefix: '/checked' })
server.register(async (scope: Server) => restRoutes(scope, () => fixed), { prefix: '/open' })
await server.listen({ port: config.port, host: 'localhost' })
process.once('SIGTERM', async () => {
  await server.close()
  await close()
})
