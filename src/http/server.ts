import fastifyCookie from '@fastify/cookie'
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { Problem } from '../core/problem.ts'
import type { WireProfile } from '../core/wire-profile.ts'
import { answerClientErrors } from './client-errors.ts'
import { sendError } from './errors.ts'
import { parseQuery } from './input/query.ts'
import { validateRequests } from './input/validation.ts'
import { limits } from './limits/buckets.ts'
import {
  applyMethodOverride,
  boundRequestsInFlight,
  refuseEndlessQueries,
  refuseUnreasonableRequests,
} from './limits/guards.ts'
import { compressAnswers } from './output/compression.ts'
import { correlate, logAnswer, markAnswer, requestIdOf, secretFreeLog } from './output/correlation.ts'
import { rejectUnknownPaths, withBasePath } from './paths.ts'
import type { SchemaTypes, Server } from './typed-server.ts'

export type ServerOptions = Readonly<{
  log: FastifyBaseLogger
  nodeName: string
  /** Addresses whose X-Forwarded-For counts; nobody's when empty. */
  trustProxy: readonly string[]
  profile: WireProfile
  /** Where the REST interface begins, in lower case. */
  basePath?: string
  maxInFlight?: number
  /** Answers people who are at an address that does not exist; undefined where it is none that people look at. */
  missingPage?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined
}>

/** A server with the conventions of contract §1 to §3 and no routes. The order of the hooks is the order of checks. */
export function buildServer(options: ServerOptions): Server {
  const server = fastifyServer(options)
  // Cookies are read on demand: REST requests have none.
  server.register(fastifyCookie, { hook: false })
  server.server.maxConnections = limits.connections
  acceptJsonOnly(server)
  drainOnClose(server)
  correlate(server, options.nodeName)
  compressAnswers(server)
  boundRequestsInFlight(server, options.maxInFlight ?? limits.requestsInFlight)
  refuseUnreasonableRequests(server)
  rejectUnknownPaths(server, options.basePath ?? '')
  refuseEndlessQueries(server)
  validateRequests(server)
  server.setErrorHandler((error, request, reply) => {
    const isMissing = request.is404 && error instanceof Problem && error.code === 'NoResultFound'
    return (isMissing && options.missingPage?.(request, reply)) || sendError(error, request, reply, options.profile)
  })
  return server
}

function fastifyServer({ log, nodeName, trustProxy, profile, basePath = '' }: ServerOptions): Server {
  return fastify({
    loggerInstance: secretFreeLog(log),
    // Our own single line per request stands in correlation.ts.
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
    requestTimeout: limits.requestTimeoutMilliseconds,
    keepAliveTimeout: limits.keepAliveMilliseconds,
    connectionTimeout: limits.connectionIdleMilliseconds,
    maxRequestsPerSocket: 0,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMilliseconds,
      connectionsCheckingInterval: limits.timeoutCheckMilliseconds,
    },
    // While we drain, whoever still reaches us is answered; only idle connections are cut.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerClientErrors(nodeName),
    // Raised before any route is known, so no hook of ours runs.
    frameworkErrors: (error, request, reply) => {
      markAnswer(request, reply, nodeName)
      sendError(error, request, reply, profile)
      logAnswer(request, reply)
    },
  }).withTypeProvider<SchemaTypes>()
}

/** An empty body is no body even under a JSON content type, which many clients send with every request. */
function acceptJsonOnly(server: Server): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parse(request, body.toString(), done)
  })
}

/**
 * From the first moment of closing every answer ends its connection, those to requests that came before too: their
 * connection is cut when they are done, and a caller who does not know would lose the next request on it.
 */
function drainOnClose(server: Server): void {
  let draining = false
  server.decorate('draining', { getter: () => draining })
  server.addHook('preClose', async () => {
    draining = true
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (draining) reply.header('connection', 'close')
    done(null, payload)
  })
}
