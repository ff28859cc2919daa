import type { FastifyRequest } from 'fastify'
import type { AppDirectory } from '../apps/directory.ts'
import { sha256 } from '../core/keys.ts'
import { cors } from '../http/cors.ts'
import type { Server } from '../http/typed-server.ts'
import { authenticateClient, type ProvenClient } from './client.ts'
import type { AuthContext, Origin } from './context.ts'
import { answerOAuthError, neverStored } from './errors.ts'
import { exchangeCode } from './exchange.ts'
import { rawBody, readForm } from './form.ts'
import { introspect, revoke } from './inspect.ts'
import type { TokenAnswer } from './issue.ts'
import { OAuthProblem } from './problem.ts'
import { refreshTokens } from './refresh.ts'
import { type Form, mayUseGrant } from './rules/client-authentication.ts'
import { TokenForm, TokenResponse } from './schema.ts'

export const originOfRequest = (request: FastifyRequest): Origin => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
})

const tokenSchema = {
  operationId: 'grantTokens',
  summary: 'Exchange an authorization code or a refresh token',
  tags: ['sign-in'],
  documented: { form: TokenForm },
  response: { 200: TokenResponse, 201: TokenResponse },
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

    scope.post('/token', { schema: tokenSchema }, async (request, reply) => {
      const form = await readForm(request, context.profile)
      const answer = await grantTokens(context, request, form)
      return reply.code(context.profile.tokenStatus).send({ ...answer, ...context.profile.tokenExtras })
    })
    scope.post('/revoke', { schema: { hide: true } }, async (request, reply) => {
      const form = await readForm(request, context.profile)
      const { app } = await authenticateClient(context, request, form)
      await revoke(context, app, form, originOfRequest(request))
      // RFC 7009 §2.2 asks for no body; some libraries insist on JSON.
      return reply.send({})
    })
    scope.post('/introspect', { schema: { hide: true } }, async (request, reply) => {
      const form = await readForm(request, context.profile)
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
async function grantTokens(context: AuthContext, request: FastifyRequest, form: Form): Promise<TokenAnswer> {
  if (!form.grant_type) throw new OAuthProblem('invalid_request', 'grant_type is missing.')
  const { app, provedWith } = await grantingClient(context, request, form)
  if (form.grant_type !== 'authorization_code' && form.grant_type !== 'refresh_token')
    throw new OAuthProblem('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.')
  if (!mayUseGrant(app.Flow))
    throw new OAuthProblem('unauthorized_client', `This app signs in by the ${app.Flow} flow.`)
  const origin = originOfRequest(request)
  if (form.grant_type === 'authorization_code') return exchangeCode(context, app, form, origin)
  return refreshTokens(context, app, provedWith, form, origin)
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
