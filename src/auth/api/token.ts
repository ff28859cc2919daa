import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppDirectory } from '../../apps/directory.ts'
import { sha256 } from '../../core/crypto/keys.ts'
import { describe } from '../../core/schema.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { cors } from '../../http/output/cors.ts'
import type { Server } from '../../http/typed-server.ts'
import { authenticateClient, type ProvenClient } from '../client.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { exchangeCode } from '../grants/exchange.ts'
import { introspect, revoke } from '../grants/inspect.ts'
import { refreshTokens } from '../grants/refresh.ts'
import { OAuthProblem } from '../problem.ts'
import { type Form, mayUseGrant } from '../rules/client-authentication.ts'
import { answerOAuthError, neverStored } from './errors.ts'
import { rawBody, readForm } from './form.ts'
import {
  formOf,
  Introspection,
  OAuthError,
  OwnTokenForm,
  Revoked,
  type TokenResponse,
  tokenForm,
  tokenResponse,
} from './schema.ts'

export const requestSource = (request: FastifyRequest): RequestSource => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
})

const tags = ['sign-in']
const byApp = { byApp: true, onlyOwnErrors: true }

/** What all three refuse with. */
const refusals = {
  400: describe(OAuthError, 'The request is not a form that can be granted: error says why.'),
  401: describe(OAuthError, 'The app could not be identified.'),
  429: describe(OAuthError, 'Too many wrong secrets; Retry-After says in how many seconds to go on.'),
  503: describe(OAuthError, 'The database is away, or the node has too much to do; try again.'),
  default: describe(
    OAuthError,
    'Any other refusal: 405 for another method, 413 for too large a body, 500 for a fault of ours.',
  ),
}
const invalidGrants = describe(
  OAuthError,
  'The app could not be identified, or what it brought is not valid (invalid_grant).',
)

const tokenSchema = (profile: WireProfile) => ({
  operationId: 'grantTokens',
  summary: 'Exchange an authorization code or a refresh token',
  description:
    'Ends the sign-in of an app, and later keeps its session going. A refresh token is spent when it is used; whoever uses ' +
    'it again within ten seconds, as after a lost answer, gets the same answer, later the session ends.',
  tags,
  documented: { ...byApp, ...formOf(tokenForm(profile), profile) },
  response: {
    [profile.tokenStatus]: tokenResponse(profile),
    ...refusals,
    ...(profile.invalidGrantStatus === 401 && { 401: invalidGrants }),
  },
})

const revokeSchema = {
  operationId: 'revokeToken',
  summary: 'End the session of a token',
  description:
    'To sign out: either token of a session ends all of it, on every node within a second. A token that nobody knows is as ' +
    'good as revoked (RFC 7009).',
  tags,
  documented: { ...byApp, form: OwnTokenForm },
  response: { 200: Revoked, ...refusals },
}

const introspectSchema = {
  operationId: 'introspectToken',
  summary: 'What a token of the app is worth now',
  description: 'Of tokens of other apps it says no more than that they are not active (RFC 7662).',
  tags,
  documented: { ...byApp, form: OwnTokenForm },
  response: { 200: Introspection, ...refusals },
}

/** /token, /revoke and /introspect: forms in, JSON out, refusals as RFC 6749 §5.2 says. */
export function tokenRoutes(server: Server, context: AuthContext): void {
  server.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, rawBody)
    scope.setErrorHandler(answerOAuthError)
    cors(scope, browserRules(context.directory))
    scope.addHook('onSend', async (_request, reply) => {
      reply.headers(neverStored)
    })

    scope.post('/token', { schema: tokenSchema(context.profile) }, async (request, reply) => {
      const form = await readForm(request, context.profile.acceptsTokenQueryAndMultipart)
      const answer = await grantTokens(context, request, form)
      // Which status it is, the profile says; types know only one that is written.
      const { tokenStatus, tokenExtras } = context.profile
      return (reply as FastifyReply).code(tokenStatus).send({ ...answer, ...tokenExtras })
    })
    scope.post('/revoke', { schema: revokeSchema }, async (request, reply) => {
      const form = await readForm(request)
      const { app } = await authenticateClient(context, request, form)
      await revoke(context, app, form, requestSource(request))
      // RFC 7009 §2.2 asks for no body; some libraries insist on JSON.
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
          throw new OAuthProblem('invalid_request', `${url} takes POST.`, { status: 405, headers: { allow: 'POST' } })
        },
      })
  })
}

/** A browser app calls /token from its own page, without cookies. Which app calls is only in the form, so any page
 *  of an active app may read the answer: it must bring a code or token of its own to get more than a refusal. */
const browserRules = (directory: AppDirectory) => ({
  mayPreflight: (origin: string) => directory.hasOrigin(origin),
  mayRead: (_request: FastifyRequest, origin: string) => directory.hasOrigin(origin),
  credentials: false,
})

/** Order of checks: form, grant_type present, client, grant known, grant allowed, the rest (contract §4). */
async function grantTokens(context: AuthContext, request: FastifyRequest, form: Form): Promise<TokenResponse> {
  if (!form.grant_type) throw new OAuthProblem('invalid_request', 'grant_type is missing.')
  const { app, provedWith } = await grantingClient(context, request, form)
  if (form.grant_type !== 'authorization_code' && form.grant_type !== 'refresh_token')
    throw new OAuthProblem('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.')
  if (!mayUseGrant(app.Flow))
    throw new OAuthProblem('unauthorized_client', `This app signs in by the ${app.Flow} flow.`)
  const source = requestSource(request)
  if (form.grant_type === 'authorization_code') return exchangeCode(context, app, form, source)
  return refreshTokens(context, app, provedWith, form, source)
}

/** The vendor profile lets a PKCE app refresh without naming itself: the app is then the refresh token's. */
async function grantingClient(context: AuthContext, request: FastifyRequest, form: Form): Promise<ProvenClient> {
  const anonymous = request.headers.authorization === undefined && form.client_id === undefined
  const mayBeAnonymous = !context.profile.pkceRefreshNeedsClientId && form.grant_type === 'refresh_token'
  if (anonymous && mayBeAnonymous && form.refresh_token) {
    const token = await context.refreshes.read.add(sha256(form.refresh_token))
    const app = token && (await context.directory.find(token.appKey))
    if (app?.Flow === 'PKCE' && app.IsActive) return { app, provedWith: 'public' }
  }
  return authenticateClient(context, request, form)
}
