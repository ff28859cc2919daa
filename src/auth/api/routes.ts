import { isOutage } from '../../core/network/outage.ts'
import { Problem } from '../../core/problem.ts'
import { cors } from '../../http/output/cors.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AuthContext } from '../context.ts'
import { sendErrorPage } from '../grants/authorization.ts'
import { authorizeRoutes } from './authorize.ts'
import { loginRoutes } from './login.ts'
import { logoutRoutes } from './logout.ts'
import { KeySet, ServerMetadata } from './schema.ts'
import { tokenRoutes } from './token.ts'

const foreignKeyViolation = '23503'

/** The authorization server, at the origin: pages for people, endpoints for apps, documents for libraries. */
export function authRoutes(server: Server, context: AuthContext): void {
  tokenRoutes(server, context)
  server.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    scope.setErrorHandler((error, request, reply) => {
      // What a page rests on may go while it works, when all data is replaced: trying again is right then too.
      const isGone = (error as { code?: string }).code === foreignKeyViolation
      const away = isOutage(error) || isGone || (error instanceof Problem && error.code === 'ServiceUnavailable')
      if (away) return sendErrorPage(context, request, reply.header('retry-after', '1'), 'unavailable', 503)
      const status = error instanceof Problem ? error.status : ((error as { statusCode?: number }).statusCode ?? 500)
      if (status < 500) return sendErrorPage(context, request, reply, 'unreadable', status)
      request.log.error({ err: error }, 'page failed')
      return sendErrorPage(context, request, reply, 'failed', 500)
    })
    authorizeRoutes(scope, context)
    loginRoutes(scope, context)
    logoutRoutes(scope, context)
  })
  server.register(async (scope: Server) => documents(scope, context))
}

const told = { tags: ['sign-in'], documented: { withoutToken: true } }
const metadataSchema = {
  ...told,
  operationId: 'getServerMetadata',
  summary: 'Where the authorization server has what',
  description: 'What libraries read first, so that they need to be told no address but that of the service (RFC 8414).',
  response: { 200: ServerMetadata },
}
const keysSchema = {
  ...told,
  operationId: 'getKeySet',
  summary: 'The keys that access tokens are signed with',
  description:
    'For whoever checks tokens without asking. Keys change from time to time: look again for one that is new.',
  response: { 200: KeySet },
}

/** What libraries read first: the metadata (RFC 8414) and the keys (RFC 7517). */
function documents(scope: Server, context: AuthContext): void {
  const issuer = context.config.publicUrl
  const cached = { 'cache-control': 'public, max-age=300' }
  cors(scope, '*')
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    introspection_endpoint: `${issuer}/introspect`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'implicit'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: context.profile.acceptsWeakPkce ? ['S256', 'plain'] : ['S256'],
    authorization_response_iss_parameter_supported: context.profile.sendsIssuer,
    ui_locales_supported: ['en', 'de', 'da'],
  }
  scope.get('/.well-known/oauth-authorization-server', { schema: metadataSchema }, async (_request, reply) =>
    reply.headers(cached).send(metadata),
  )
  scope.get('/.well-known/jwks.json', { schema: keysSchema }, async (_request, reply) =>
    reply.headers(cached).send({ keys: context.tokens.publishedKeys() as KeySet['keys'] }),
  )
}
