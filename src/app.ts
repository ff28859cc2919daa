import type { FastifyBaseLogger } from 'fastify'
import type { AccessDirectory } from './access/directory.ts'
import { identityRoutes } from './access/routes.ts'
import { appAuditRoutes } from './apps/audit-routes.ts'
import { appRoutes } from './apps/routes.ts'
import { admitsOrigin, originsOf } from './apps/rules/origins.ts'
import { BearerCheck } from './auth/bearer.ts'
import type { AuthContext } from './auth/context.ts'
import { authRoutes } from './auth/routes.ts'
import { sessionRoutes } from './auth/session-routes.ts'
import type { HomeProps } from './console/home.ts'
import { homeRoutes } from './console/routes.ts'
import { basePathOf } from './core/environment.ts'
import type { Db } from './database/open.ts'
import { calendarRoutes } from './events/calendar-routes.ts'
import { eventRenderings } from './events/renderings.ts'
import { eventRoutes } from './events/routes.ts'
import { subscriptionRoutes } from './events/subscription-routes.ts'
import { assetRoutes } from './http/assets.ts'
import { cors } from './http/cors.ts'
import { collectOpenApi } from './http/openapi.ts'
import type { RateLimiter } from './http/rate-limiter.ts'
import { limitRates } from './http/rate-limits.ts'
import { buildServer } from './http/server.ts'
import type { Server } from './http/typed-server.ts'
import type { Catalogue } from './instruments/catalogue/catalogue.ts'
import { revisionRoutes } from './instruments/revision-routes.ts'
import { instrumentRoutes } from './instruments/routes.ts'
import { healthRoutes, metricsRoutes } from './operations.ts'
import { version } from './version.ts'

export type AppParts = Readonly<{
  context: AuthContext
  catalogue: Catalogue
  access: AccessDirectory
  /** Where corporate actions are read from: a replica, or the database itself. */
  reads: Db
  /** Opens the secrets of apps that are listed. */
  secretKey: Buffer
  log: FastifyBaseLogger
  nodeName: string
  limiter: RateLimiter
  /** What the start page tells of the demo data, where there is some. */
  demo?: HomeProps['demo']
}>

/** The map of the service: every mount point, top to bottom. */
export function buildApp(parts: AppParts): Server {
  const { context, log, nodeName } = parts
  const { config, profile } = context
  const server = buildServer({ log, nodeName, trustProxy: config.trustProxy, profile })
  const openApi = collectOpenApi(server, {
    title: 'refdesk',
    version,
    description: 'Sign-in, who the caller is, instrument reference data, corporate actions and developer apps.',
    serverUrl: config.publicUrl,
  })

  healthRoutes(server, context)
  metricsRoutes(server, config)
  server.register(assetRoutes)
  homeRoutes(server, config, parts.demo)
  authRoutes(server, context)
  subscriptionRoutes(server, { ...eventParts(parts), limiter: parts.limiter, rateLimits: config.rateLimits })
  server.register(async (scope: Server) => {
    cors(scope, '*')
    scope.get('/openapi.json', { schema: { hide: true } }, async () => openApi())
  })
  server.register(async (api: Server) => restRoutes(api, parts), { prefix: basePathOf(config.environment) })
  return server
}

/** Events are read from a replica where there is one; the calendars of them are kept in the database itself. */
function eventParts({ context, reads }: AppParts) {
  const { db, config, clock, profile } = context
  const renderings = eventRenderings({ host: new URL(config.publicUrl).host, version, clock })
  return { db, events: { db: reads, clock, profile }, renderings }
}

/** Everything under {base_url}. A caller, then a limit, then the operation. */
function restRoutes(api: Server, parts: AppParts): void {
  const { context, catalogue, access, limiter } = parts
  const { config } = context
  const baseUrl = `${config.publicUrl}${basePathOf(config.environment)}`
  const bearer = new BearerCheck(context)

  // Load balancers ask these; they carry no token.
  for (const group of ['ref', 'ca', 'developer'])
    api.get(`/${group}/isalive`, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send('Service is alive'),
    )

  api.register(async (scope: Server) => {
    cors(scope, {
      mayPreflight: (origin) => context.directory.hasOrigin(origin),
      // Before the caller is known any app's page may read the refusal; after that only the calling app's own.
      mayRead: (request, origin) => {
        const own = callersOrigins.get(request)
        return own ? admitsOrigin(own, origin) : context.directory.hasOrigin(origin)
      },
      credentials: true,
    })
    const callersOrigins = new WeakMap<object, Set<string>>()
    scope.addHook('onRequest', async (request) => {
      if (request.method === 'OPTIONS') return
      const caller = await bearer.caller(request.headers.authorization)
      request.caller = caller
      if (request.headers.origin === undefined) return
      const app = await context.directory.find(caller.appKey)
      callersOrigins.set(request, new Set(app ? originsOf(app.redirectUris, app.Flow) : []))
    })
    scope.addHook(
      'onRequest',
      limitRates({
        limiter,
        mode: config.rateLimits,
        basePath: basePathOf(config.environment),
        limits: {
          Session: { limit: config.rateLimitSessionMinute, windowSeconds: 60 },
          RefDataInstrumentsMinute: { limit: config.rateLimitRefdataMinute, windowSeconds: 60 },
          AppDay: { limit: config.rateLimitAppDay, windowSeconds: 86_400 },
        },
      }),
    )
    identityRoutes(scope, context.db, baseUrl)
    sessionRoutes(scope, context, baseUrl)
    revisionRoutes(scope, catalogue)
    const { events, renderings } = eventParts(parts)
    eventRoutes(scope, { ...events, renderings, baseUrl })
    const { db, clock, feed } = context
    const { environment, publicUrl, secrets: mode } = config
    calendarRoutes(scope, { db, clock, publicUrl })
    const apps = { db, clock, feed, secretKey: parts.secretKey, mode, environment, publicUrl, baseUrl }
    appRoutes(scope, apps)
    appAuditRoutes(scope, apps)
    instrumentRoutes(scope, { version, catalogue, access, clock: context.clock, profile: context.profile, baseUrl })
  })
}
