import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppDirectory } from '../../apps/directory.ts'
import { describe } from '../../core/schema.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { readMultipartForm } from '../../http/input/multipart-form.ts'
import { queryText } from '../../http/input/query.ts'
import { cors } from '../../http/output/cors.ts'
import { noteFacts } from '../../http/request-log/facts.ts'
import type { Server } from '../../http/typed-server.ts'
import { type AuthenticatedClient, authenticateClient } from '../client.ts'
import { type AuthContext, requestSource } from '../context.ts'
import { grantHash } from '../grant-text.ts'
import { exchangeCode } from '../grants/exchange.ts'
import { introspect, revoke } from '../grants/inspect.ts'
import type { NoteSession } from '../grants/issue.ts'
import { refreshTokens } from '../grants/refresh.ts'
import { OAuthProblem } from '../problem.ts'
import { type Form, mayUseGrant } from '../rules/client-authentication.ts'
import { withResource } from '../rules/resource.ts'
import { neverStored, sendOAuthError } from './errors.ts'
import * as schema from './schema.ts'

const formType = 'application/x-www-form-urlencoded'
const tags = ['sign-in']
const byApp = { byApp: true, onlyOwnErrors: true }
const errorResponses = {
  400: describe(schema.OAuthError, 'The request cannot be granted; `error` says why.'),
  401: describe(schema.OAuthError, 'The app could not be authenticated.'),
  429: describe(schema.OAuthError, 'Too many wrong secrets. Retry after the seconds in Retry-After.'),
  503: describe(schema.OAuthError, 'The database is unavailable, or the node is overloaded. Retry.'),
  default: describe(
    schema.OAuthError,
    'Other errors: 405 wrong method, 413 body too large, 500 internal error. 431, headers too large, has the body of a REST error.',
  ),
}
const invalidGrants = describe(
  schema.OAuthError,
  'The app could not be authenticated, or its grant is invalid (invalid_grant).',
)

const tokenSchema = (profile: WireProfile) => ({
  operationId: 'grantTokens',
  summary: 'Exchange an authorization code or a refresh token',
  description:
    'Completes a sign-in, and later keeps its session alive. A refresh token can be used once. Using it again within ten ' +
    'seconds, for example after a lost response, returns the same response; later it ends the session.',
  tags,
  documented: { ...byApp, ...schema.formOf(schema.tokenForm(profile), profile) },
  response: {
    [profile.tokenStatus]: schema.tokenResponse(profile),
    ...errorResponses,
    ...(profile.invalidGrantStatus === 401 && { 401: invalidGrants }),
  },
})

const revokeSchema = {
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description:
    'Signs the user out: either token of a session ends all of it, on every node within a second. An unknown token counts as ' +
    'revoked (RFC 7009).',
  tags,
  documented: { ...byApp, form: schema.OwnTokenForm },
  response: { 200: schema.Revoked, ...errorResponses },
}

const introspectSchema = {
  operationId: 'introspectToken',
  summary: 'Introspect a token',
  description: 'Returns the state of a token of the app. Tokens of other apps are reported as inactive (RFC 7662).',
  tags,
  documented: { ...byApp, form: schema.OwnTokenForm },
  response: { 200: schema.Introspection, ...errorResponses },
}

/** /token, /revoke and /introspect: forms in, JSON out, errors by RFC 6749 §5.2. */
export function tokenRoutes(server: Server, context: AuthContext): void {
  server.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    // Fastify remembers the parser of a type, but not that `*` matched it.
    scope.addContentTypeParser([formType, '*'], { parseAs: 'buffer' }, rawBody)
    scope.setErrorHandler(sendOAuthError)
    cors(scope, browserRules(context.directory))
    scope.addHook('onSend', (_request, reply, _payload, done) => {
      reply.headers(neverStored)
      done()
    })

    scope.post('/token', { schema: tokenSchema(context.profile) }, async (request, reply) => {
      const form = await readForm(request, context.profile.acceptsTokenQueryAndMultipart)
      const response = await grantTokens(context, request, form)
      const { tokenStatus, tokenExtras } = context.profile
      return (reply as FastifyReply).code(tokenStatus).send({ ...response, ...tokenExtras })
    })
    scope.post('/revoke', { schema: revokeSchema }, async (request, reply) => {
      const form = await readForm(request)
      const { app } = await authenticateClient(context, request, form)
      await revoke({ context, app, source: requestSource(request), now: context.clock.now() }, form)
      // RFC 7009 §2.2 requires no body, but some libraries insist on JSON.
      return reply.send({})
    })
    scope.post('/introspect', { schema: introspectSchema }, async (request, reply) => {
      const form = await readForm(request)
      const { app } = await authenticateClient(context, request, form)
      return reply.send(await introspect(context, app, form))
    })
    for (const url of ['/token', '/revoke', '/introspect'])
      scope.route({
        method: ['GET', 'PUT', 'PATCH', 'DELETE'],
        url,
        schema: { hide: true },
        handler: () => {
          throw new OAuthProblem('invalid_request', `Send POST to ${url}.`, { status: 405, headers: { allow: 'POST' } })
        },
      })
  })
}

/** A browser app calls /token from its own page, without cookies. Only the form names the app, so any page of an active app
 *  may read the response: without a code or token of its own it gets nothing but an error. */
const browserRules = (directory: AppDirectory) => ({
  mayPreflight: (origin: string) => directory.hasOrigin(origin),
  mayRead: (_request: FastifyRequest, origin: string) => directory.hasOrigin(origin),
  credentials: false,
})

const noGrants = 'This app uses the Implicit flow, whose tokens come from /authorize; send the user there again.'

/** Order of checks: form, grant_type present, client, grant known, grant allowed, the rest (§4.9). */
async function grantTokens(context: AuthContext, request: FastifyRequest, sent: Form): Promise<schema.TokenResponse> {
  if (!sent.grant_type)
    throw new OAuthProblem('invalid_request', 'grant_type is missing; send authorization_code or refresh_token.')
  const { app, provedWith } = await grantingClient(context, request, sent)
  if (sent.grant_type !== 'authorization_code' && sent.grant_type !== 'refresh_token')
    throw new OAuthProblem('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  if (!mayUseGrant(app.flow)) throw new OAuthProblem('unauthorized_client', noGrants)
  const form = withResource(sent, context.resources)
  const { agents, rest } = context.resources
  if (!form) throw new OAuthProblem('invalid_target', `resource must be ${agents} or ${rest}.`)
  const call = { context, app, source: requestSource(request) }
  const noteSession: NoteSession = ({ userKey: user, sessionId }) =>
    noteFacts(request, { user, ...(sessionId !== null && { session: sessionId }) })
  if (form.grant_type === 'refresh_token') return refreshTokens(call, provedWith, form, noteSession)
  return exchangeCode({ ...call, now: context.clock.now() }, form, noteSession)
}

/** The vendor profile lets a PKCE app refresh without client_id: the app is then the refresh token's (§3). */
async function grantingClient(context: AuthContext, request: FastifyRequest, form: Form): Promise<AuthenticatedClient> {
  const isAnonymous = request.headers.authorization === undefined && form.client_id === undefined
  const mayBeAnonymous = !context.profile.pkceRefreshNeedsClientId && form.grant_type === 'refresh_token'
  if (isAnonymous && mayBeAnonymous && form.refresh_token) {
    const token = await context.refreshes.read.add(grantHash(form.refresh_token))
    const app = token && (await context.directory.find(token.appKey))
    if (app?.flow === 'PKCE' && app.isActive) return { app, provedWith: 'public' }
  }
  return authenticateClient(context, request, form)
}

function rawBody(request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void): void {
  noteFacts(request, { body: body.toString() })
  done(null, body)
}

/** The form of /token, /revoke or /introspect: each parameter once, empty ones count as absent (RFC 6749 §3.2). `isAnywhere`
 *  also allows multipart, and the query if there is no body (§3). */
async function readForm(request: FastifyRequest, isAnywhere = false): Promise<Form> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const type = request.headers['content-type'] ?? ''
  const mediaType = type.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType === formType && body.length > 0) return singleValues(new URLSearchParams(body.toString()))
  if (isAnywhere) {
    if (mediaType === 'multipart/form-data' && body.length > 0) return singleValues(await readMultipart(body, type))
    if (body.length === 0) return singleValues(new URLSearchParams(queryText(request)))
  }
  throw new OAuthProblem('invalid_request', `Send the parameters in the body, as ${formType}.`)
}

async function readMultipart(body: Buffer, type: string): Promise<Iterable<[string, string]>> {
  const form = await readMultipartForm(body, type)
  if (!form) throw new OAuthProblem('invalid_request', 'The multipart body is malformed, or has too many parts.')
  return [...form.entries()].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
}

function singleValues(pairs: Iterable<[string, string]>): Form {
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) {
    if (name in form) throw new OAuthProblem('invalid_request', 'A parameter is repeated; send each one once.')
    form[name] = value
  }
  for (const name in form) if (form[name] === '') delete form[name]
  return form
}
