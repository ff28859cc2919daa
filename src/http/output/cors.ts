import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimitHeaderNames } from '../limits/rate-limits.ts'
import { isPreflight, rejectUnknownPath } from '../paths.ts'
import type { Server } from '../typed-server.ts'
import { addVary } from './caching.ts'

/** Who may call from a browser. A preflight has no token yet, so it can only be judged by its origin. */
export type CorsRules =
  | '*'
  | Readonly<{
      mayPreflight(origin: string): boolean
      mayRead(request: FastifyRequest, origin: string): boolean
      credentials: boolean
    }>

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Cache-Control and Pragma, since libraries of this interface send them with calls that must not be cached. */
const requestHeaders =
  'Authorization, Cache-Control, Content-Type, If-Match, If-None-Match, Pragma, X-HTTP-Method-Override, X-Request-Id'
const plainHeaders = ['X-Correlation', 'X-Request-Id', 'ETag', 'Link', 'Location', 'WWW-Authenticate', 'Retry-After']
const exposedHeaders = [...plainHeaders, ...rateLimitHeaderNames].join(', ')
const maxAgeSeconds = 600

/** Never `*` where credentials may travel: the origin itself is named (Fetch standard, CORS protocol). */
function admit(reply: FastifyReply, rules: CorsRules, origin: string): void {
  reply.header('access-control-allow-origin', rules === '*' ? '*' : origin)
  if (rules !== '*' && rules.credentials) reply.header('access-control-allow-credentials', 'true')
}

function answerPreflight(reply: FastifyReply, rules: CorsRules, origin: string): FastifyReply {
  if (rules !== '*') addVary(reply, 'Origin')
  if (rules === '*' || rules.mayPreflight(origin)) {
    admit(reply, rules, origin)
    reply.header('access-control-allow-methods', methods)
    reply.header('access-control-allow-headers', requestHeaders)
    reply.header('access-control-max-age', maxAgeSeconds)
  }
  return reply.code(204).send()
}

/** Every path of the scope gets an OPTIONS route, because Fastify runs a scope's hooks only for its own routes. */
function answerOptions(scope: Server): void {
  scope.addHook('onRoute', function (this: Server, { method, url, routePath }) {
    if (method === 'OPTIONS' || this.hasRoute({ method: 'OPTIONS', url })) return
    this.options(routePath, { schema: { hide: true } }, async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? ''
      return reply.code(204).header('allow', request.server.allowedMethods(path).join(', ')).send()
    })
  })
}

/**
 * Applies to all routes that are registered in this scope afterwards. Call it before adding the hook that asks for a
 * token: a browser sends none with a preflight.
 */
export function cors(scope: Server, rules: CorsRules): void {
  answerOptions(scope)
  // Where the scope has a prefix, what is unknown below it is of this scope too. A page that may not read the 404 would
  // take it for a failure of the network, and libraries try those again for ever.
  if (scope.prefix !== '') scope.setNotFoundHandler(rejectUnknownPath)
  scope.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    // Answered here, so nobody is called back.
    if (origin !== undefined && isPreflight(request)) return void answerPreflight(reply, rules, origin)
    done()
  })
  scope.addHook('onSend', (request, reply, payload, done) => {
    const { origin } = request.headers
    if (rules !== '*') addVary(reply, 'Origin')
    const isRead = origin !== undefined && request.method !== 'OPTIONS'
    if (isRead && (rules === '*' || rules.mayRead(request, origin))) {
      admit(reply, rules, origin)
      reply.header('access-control-expose-headers', exposedHeaders)
    }
    done(null, payload)
  })
}
