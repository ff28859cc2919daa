import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOutage } from '../../core/network/outage.ts'
import { Problem } from '../../core/problem.ts'
import { addOperation, operation } from '../../http/operation.ts'
import { cors } from '../../http/output/cors.ts'
import { noteFacts } from '../../http/request-log/facts.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AuthContext } from '../context.ts'
import { sendErrorPage } from '../grants/authorization.ts'
import { authorizeRoutes, loginRoutes } from './login.ts'
import { KeySet, ResourceMetadata, ServerMetadata } from './schema.ts'
import { tokenRoutes } from './token.ts'

/** The authorization server, at the root of the public URL: endpoints for apps, pages for users, metadata for libraries. */
export function authRoutes(server: Server, context: AuthContext): void {
  tokenRoutes(server, context)
  server.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
      noteFacts(request, { body: body.toString() })
      done(null, body)
    })
    scope.setErrorHandler((error, request, reply) => sendPageError(context, error, request, reply))
    authorizeRoutes(scope, context)
    loginRoutes(scope, context)
  })
  server.register(async (scope: Server) => {
    cors(scope, '*')
    const metadata = serverMetadata(context)
    addOperation(scope, getServerMetadata, (_request, reply) => reply.headers(cached).send(metadata))
    const resource = resourceMetadata(context)
    addOperation(scope, getResourceMetadata, (_request, reply) => reply.headers(cached).send(resource))
    // Clients that do not know the path of the resource look here.
    scope.get('/.well-known/oauth-protected-resource', { schema: { hide: true } }, (_request, reply) =>
      reply.headers(cached).send(resource),
    )
    addOperation(scope, getKeySet, (_request, reply) =>
      reply.headers(cached).send({ keys: context.tokens.publishedKeys() }),
    )
  })
}

const foreignKeyViolation = '23503'

function sendPageError(context: AuthContext, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  // A reset may delete what a page depends on while it works; a retry helps then too.
  const isGone = (error as { code?: string }).code === foreignKeyViolation
  const exchange = { context, request, reply }
  const isDown = isOutage(error) || isGone || (error instanceof Problem && error.code === 'ServiceUnavailable')
  if (isDown) return sendErrorPage({ ...exchange, reply: reply.header('retry-after', '1') }, 'unavailable', 503)
  const status = error instanceof Problem ? error.status : ((error as { statusCode?: number }).statusCode ?? 500)
  if (status < 500) return sendErrorPage(exchange, 'unreadable', status)
  request.log.error({ err: error }, 'page failed')
  return sendErrorPage(exchange, 'failed', 500)
}

/** Where agents find out how to sign in: the address of /mcp with the well-known path inserted (RFC 9728 §3.1). */
export const agentMetadataPath = '/.well-known/oauth-protected-resource/mcp'

const resourceMetadata = ({ config: { publicUrl }, resources }: AuthContext): ResourceMetadata => ({
  resource: resources.agents,
  authorization_servers: [publicUrl],
  bearer_methods_supported: ['header'],
  resource_name: 'refdesk',
  resource_documentation: `${publicUrl}/console/docs/guides/agents`,
})

const cached = { 'cache-control': 'public, max-age=300' }

const shared = { method: 'GET', tags: ['sign-in'], documented: { withoutToken: true } } as const

export const getServerMetadata = operation({
  ...shared,
  path: '/.well-known/oauth-authorization-server',
  operationId: 'getServerMetadata',
  summary: 'Get the server metadata',
  description:
    'Returns the endpoints and features of the authorization server, so that libraries configure themselves (RFC 8414).',
  responses: { 200: ServerMetadata },
})

export const getResourceMetadata = operation({
  ...shared,
  path: agentMetadataPath,
  operationId: 'getResourceMetadata',
  summary: 'Get the metadata of the tools for agents',
  description:
    'Returns the address that tokens for /mcp are for, and the authorization server that issues them (RFC 9728).',
  responses: { 200: ResourceMetadata },
})

export const getKeySet = operation({
  ...shared,
  path: '/.well-known/jwks.json',
  operationId: 'getKeySet',
  summary: 'Get the signing keys',
  description:
    'Returns the public keys of access tokens, to verify them locally (RFC 7517). Keys rotate: fetch them again when a token ' +
    'names an unknown key.',
  responses: { 200: KeySet },
})

function serverMetadata({ config: { publicUrl: issuer }, profile }: AuthContext): ServerMetadata {
  const authMethods = ['client_secret_basic', 'client_secret_post', 'none']
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    introspection_endpoint: `${issuer}/introspect`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'implicit'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: profile.acceptsWeakPkce ? ['S256', 'plain'] : ['S256'],
    authorization_response_iss_parameter_supported: profile.sendsIssuer,
    ui_locales_supported: ['en', 'de', 'da'],
  }
}
