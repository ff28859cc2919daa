import type { FastifyReply, FastifyRequest } from 'fastify'
import { writerOf } from '../../access/caller.ts'
import { wireTime } from '../../core/clock.ts'
import { operation } from '../../http/operation.ts'
import type { SimDependencies } from './dependencies.ts'
import { DayTokenView } from './schema.ts'

export const makeDayToken = operation({
  method: 'POST',
  path: '/x/v1/daytoken',
  operationId: 'makeDayToken',
  permission: 'makeDayTokens',
  summary: 'Create a 24-hour token',
  description:
    "Returns an access token of the caller's session that is valid for 24 hours, but not longer than the session, to try the " +
    'API without signing in again. Whatever ends the session ends the token: signing out, withdrawing the consent, ' +
    'deactivating the app. If the caller sends a 24-hour token, the new one ends with it: for another 24 hours, sign in or ' +
    'refresh.',
  responses: { 201: DayTokenView },
})

export async function handleMakeDayToken(deps: SimDependencies, request: FastifyRequest, reply: FastifyReply) {
  const { token, expiresIn, expiresAt, appKey } = await deps.issueDayToken(writerOf(request), request)
  reply.code(201).header('cache-control', 'no-store')
  return {
    AccessToken: token,
    TokenType: 'Bearer',
    ExpiresIn: expiresIn,
    ExpiresAt: wireTime(expiresAt),
    AppKey: appKey,
  }
}
