import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimitHeaderNames } from '../limits/rate-limits.ts'
import { rejectUnknownPath } from '../paths.ts'
import type { Server } from '../typed-server.ts'
import { addVary } from './caching.ts'

/** Who may call from a browser. A preflight has no token, so only its origin can be checked. */
export type CorsRules =
  | '*'
  | Readonly<{
      mayPreflight(origin: string): boolean
      mayRead(request: FastifyRequest, origin: string): boolean
      credentials: boolean
    }>

declare module 'fastify' {
  interface FastifyInstance {
    corsRules?: CorsRules
  }
}

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Cache-Control and Pragma, because client libraries send them with calls that must not be cached. */
const requestHeaders =
  'Authorization, Cache-Control, Content-Type, If-Match, If-None-Match, MCP-Protocol-Version, Pragma, X-HTTP-Method-Override, X-Request-Id'
const plainHeaders = ['X-Correlation', 'X-Request-Id', 'ETag', 'Link', 'Location', 'WWW-Authenticate', 'Retry-After']
const exposedHeaders = [...plainHeaders, ...rateLimitHeaderNames()].join(', ')
const maxAgeSeconds = 600

/** With credentials, the origin itself instead of `*` (Fetch standard, CORS protocol). */
function admit(reply: FastifyReply, rules: CorsRules, origin: string): void {
  reply.header('access-control-allow-origin', rules === '*' ? '*' : origin)
  if (rules !== '*' && rules.credentials) reply.header('access-control-allow-credentials', 'true')
}

export function sendPreflight(reply: FastifyReply, rules: CorsRules, origin: string): FastifyReply {
  if (rules !== '*') addVary(reply, 'Origin')
  if (rules === '*' || rules.mayPreflight(origin)) {
    admit(reply, rules, origin)
    reply.header('access-control-allow-methods', methods)
    reply.header('access-control-allow-headers', requestHeaders)
    reply.header('access-control-max-age', maxAgeSeconds)
  }
  return reply.code(204).send()
}

/** Adds an OPTIONS route for every path, because Fastify runs the hooks of a scope only for its own routes. */
function addOptionsRoutes(scope: Server): void {
  scope.addHook('onRoute', function (this: Server, { method, url, routePath }) {
    if (method === 'OPTIONS' || this.hasRoute({ method: 'OPTIONS', url })) return
    this.options(routePath, { schema: { hide: true } }, async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? ''
      return reply.code(204).header('allow', request.server.allowedMethods(path).join(', ')).send()
    })
  })
}

/** Lets the page read the response, if its origin may. */
export function addCorsHeaders(request: FastifyRequest, reply: FastifyReply, rules: CorsRules): void {
  const { origin } = request.headers
  if (rules !== '*') addVary(reply, 'Origin')
  if (origin === undefined || request.method === 'OPTIONS') return
  if (rules !== '*' && !rules.mayRead(request, origin)) return
  admit(reply, rules, origin)
  reply.header('access-control-expose-headers', exposedHeaders)
}

/** Applies to all routes that are added to this scope afterwards. A preflight is answered before the token is checked. */
export function cors(scope: Server, rules: CorsRules): void {
  scope.decorate('corsRules', { getter: () => rules })
  addOptionsRoutes(scope)
  // A page that cannot read the 404 of an unknown path would take it for a network failure.
  if (scope.prefix !== '') scope.setNotFoundHandler(rejectUnknownPath)
}
