import serializerFactory from '@fastify/fast-json-stringify-compiler'
import proxyAddress from '@fastify/proxy-addr'
import fastify, {
  type FastifyReply,
  type FastifyRequest,
  type FastifySerializerCompiler,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { TSchema } from 'typebox'
import { Problem } from '../core/problem.ts'
import type { WireProfile } from '../core/wire-profile.ts'
import { ClientErrors, PendingResponses } from './client-errors.ts'
import { sendError } from './errors.ts'
import { parseQuery } from './input/query.ts'
import { compileValidator } from './input/validation.ts'
import { type ConnectionLimits, connectionLimits, limits } from './limits/buckets.ts'
import { Connections } from './limits/connections.ts'
import { applyMethodOverride } from './limits/guards.ts'
import { InFlight } from './limits/in-flight.ts'
import { closeOtherListeners, httpServers } from './listening.ts'
import { accessLog, type Names } from './output/access-log.ts'
import { redactedLog, requestIdOf, setCommonHeaders } from './output/correlation.ts'
import { rejectUnknownPaths, withBasePath } from './paths.ts'
import { addPipeline, Observations, type Observer } from './pipeline.ts'
import { noteFacts } from './request-log/facts.ts'
import { KnownRoutes } from './request-log/known-routes.ts'
import type { SchemaTypes, Server } from './typed-server.ts'

export type ServerOptions = Readonly<{
  log: Logger
  logFormat?: 'json' | 'pretty'
  /** For lines of the log that are pretty. */
  names?: Names
  nodeName: string
  /** Whether responses tell browsers to use https only. */
  isHttpsOnly?: boolean
  trustProxy: readonly string[]
  profile: WireProfile
  /** Where the REST API begins, in lower case. */
  basePath?: string
  limits?: Partial<ConnectionLimits>
  /** Renders a 404 page for browsers; returns undefined for addresses that are not pages. */
  missingPage?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined
}>

/** A server with the conventions of §2 and no routes. */
export function buildServer(options: ServerOptions): Server {
  const { nodeName, isHttpsOnly = false, trustProxy } = options
  const node = { nodeName, isHttpsOnly }
  const log = redactedLog(options.log)
  const observations = new Observations(log)
  const bounds = { ...connectionLimits, ...options.limits }
  const isProxy = proxyAddress.compile([...trustProxy])
  const connections = new Connections(bounds, (address) => isProxy(address, 0))
  const pending = new PendingResponses()
  const makeHttpServer = httpServers(bounds, connections, pending)
  const clientErrors = new ClientErrors({ node, limits: bounds, log, pending })
  const server = fastifyServer(options, {
    loggerInstance: log,
    serverFactory: (serve) =>
      makeHttpServer((raw, response) => {
        if (clientErrors.isEnding(raw.socket)) return void raw.resume()
        pending.add(raw, response)
        serve(raw, response)
      }),
    clientErrorHandler: clientErrors.handle,
    // Raised before routing, so no hook runs.
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply, node)
      sendError(error, request, reply, options.profile)
      observations.add(request, reply)
    },
  })
  const { logFormat, names } = options
  const forReader = logFormat === 'pretty' ? { routes: new KnownRoutes(server), names } : undefined
  observations.addObserver(accessLog(options.log, forReader))
  server.decorate('makeHttpServer', { getter: () => makeHttpServer })
  server.decorate('connections', { getter: () => connections })
  server.decorate('clientErrors', { getter: () => clientErrors.counts })
  server.decorate('observeResponses', (observer: Observer) => observations.addObserver(observer))
  acceptOnlyJson(server)
  drainOnClose(server)
  closeOtherListeners(server)
  rejectUnknownPaths(server, options.basePath ?? '')
  server.setValidatorCompiler(compileValidator)
  server.setSerializerCompiler(compileSerializer)
  addPipeline(server, { node, inFlight: new InFlight(bounds), observations, clientErrors })
  server.setErrorHandler((error, request, reply) => {
    const isMissing = request.is404 && error instanceof Problem && error.code === 'NoResultFound'
    return (isMissing && options.missingPage?.(request, reply)) || sendError(error, request, reply, options.profile)
  })
  return server
}

type OwnParts = 'loggerInstance' | 'serverFactory' | 'clientErrorHandler' | 'frameworkErrors'

function fastifyServer(
  { trustProxy, basePath = '' }: ServerOptions,
  own: Required<Pick<FastifyServerOptions, OwnParts>>,
): Server {
  return fastify({
    ...own,
    // The pipeline logs one line per request instead.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: limits.urlCharacters,
      querystringParser: parseQuery,
    },
    rewriteUrl: (raw) => {
      applyMethodOverride(raw)
      return withBasePath(raw.url ?? '/', basePath)
    },
    bodyLimit: limits.bodyBytes,
    maxRequestsPerSocket: 0,
    // While draining, requests that still arrive are answered; only idle connections are closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  }).withTypeProvider<SchemaTypes>()
}

/** An empty body counts as no body, because many clients send a JSON content type with every request. */
function acceptOnlyJson(server: Server): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    noteFacts(request, { body: body.toString() })
    if (body.length === 0) done(null, undefined)
    else parse(request, body.toString(), done)
  })
}

/** While closing, every response sends `Connection: close`, so that callers lose no request on a connection that ends. */
function drainOnClose(server: Server): void {
  let draining = false
  server.decorate('draining', { getter: () => draining })
  server.addHook('preClose', async () => {
    draining = true
  })
}

const compile = serializerFactory()()
type Write = ReturnType<typeof compile>
const compiledBySchema = new WeakMap<object, Write>()

/** Writes responses by their schemas, as Fastify does. A schema is compiled once in a process, for its first response. */
const compileSerializer: FastifySerializerCompiler<TSchema> = (route) => {
  let write: Write | undefined
  return (value) => {
    write ??= compiledBySchema.getOrInsertComputed(route.schema, () => compile(route as Parameters<typeof compile>[0]))
    return write(value)
  }
}
