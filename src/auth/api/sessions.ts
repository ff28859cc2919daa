import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actorOf, callerOf, writerOf } from '../../access/caller.ts'
import { endEverything, endSessions } from '../../access/store/sessions.ts'
import { type AuditEntry, appendAudit } from '../../audit/append.ts'
import type { Caller } from '../../core/caller.ts'
import { wireTime } from '../../core/clock.ts'
import { notFound } from '../../core/problem.ts'
import type { Trx } from '../../database/open.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf, feed, nextPage, pageQuery } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AuthContext } from '../context.ts'
import { findConsents, findSessions, removeConsent } from '../store/sessions.ts'
import { ConsentView, SessionView } from './schema.ts'

const maxRows = 1_000
const query = Type.Object(pageQuery({ defaultTop: 100, maxTop: maxRows }))
const sessionsPath = '/x/v1/sessions'
const consentsPath = '/x/v1/consents'

export const listSessions = operation({
  method: 'GET',
  path: sessionsPath,
  operationId: 'listSessions',
  summary: 'List sessions',
  description: 'Returns the active sessions of the user, newest first: where and with which app the user is signed in.',
  query,
  responses: { 200: FeedOf(SessionView) },
})

export const signOutEverywhere = operation({
  method: 'DELETE',
  path: sessionsPath,
  operationId: 'signOutEverywhere',
  permission: 'manageSessions',
  summary: 'Sign out everywhere',
  description:
    'Ends all sessions and sign-ins of the user, including the session of the calling token, on every node within a second.',
})

export const endSession = operation({
  method: 'DELETE',
  path: `${sessionsPath}/:SessionId`,
  operationId: 'endSession',
  permission: 'manageSessions',
  summary: 'End a session',
  description: 'Every node rejects the tokens of the session within a second. Other sessions continue.',
  params: Type.Object({ SessionId: Type.String({ maxLength: 64, description: 'The id of the session.' }) }),
  errors: ['NoResultFound'],
})

export const listConsents = operation({
  method: 'GET',
  path: consentsPath,
  operationId: 'listConsents',
  summary: 'List consents',
  description: 'Returns the apps that the user has allowed. They sign the user in without asking again.',
  query,
  responses: { 200: FeedOf(ConsentView) },
})

export const withdrawConsent = operation({
  method: 'DELETE',
  path: `${consentsPath}/:AppKey`,
  operationId: 'withdrawConsent',
  permission: 'manageSessions',
  summary: 'Withdraw a consent',
  description: 'Ends the sessions of the app. It must ask the user again before the next sign-in.',
  params: Type.Object({ AppKey: Type.String({ maxLength: 64, description: 'The key of the app.' }) }),
  errors: ['NoResultFound'],
})

/** Where a user is signed in, and which apps the user has allowed (§11.1). */
export function sessionRoutes(api: Server, context: AuthContext, baseUrl: string): void {
  addOperation(api, listSessions, (request) => handleListSessions(context, baseUrl, request))
  addOperation(api, signOutEverywhere, (request, reply) => handleSignOutEverywhere(context, request, reply))
  addOperation(api, endSession, (request, reply) => handleEndSession(context, request, reply))
  addOperation(api, listConsents, (request) => handleListConsents(context, baseUrl, request))
  addOperation(api, withdrawConsent, (request, reply) => handleWithdrawConsent(context, request, reply))
}

async function handleListSessions(context: AuthContext, baseUrl: string, request: RequestOf<typeof listSessions>) {
  const caller = callerOf(request)
  const { rows, more } = await findSessions(context.db, caller.UserKey, context.clock.now(), request.query)
  const data = rows.map((row) => ({
    SessionId: row.sessionId,
    AppKey: row.appKey,
    AppName: row.appName,
    Address: row.address,
    UserAgent: row.userAgent,
    CreatedAt: wireTime(row.createdAt),
    ExpiresAt: wireTime(row.expiresAt),
    IsCurrent: row.sessionId === caller.sessionId,
  }))
  return feed({ data, maxRows, next: nextPage(request, `${baseUrl}${sessionsPath}`, more) })
}

async function handleListConsents(context: AuthContext, baseUrl: string, request: RequestOf<typeof listConsents>) {
  const { rows, more } = await findConsents(context.db, callerOf(request).UserKey, request.query)
  const data = rows.map((row) => ({ AppKey: row.appKey, AppName: row.appName, GivenAt: wireTime(row.givenAt) }))
  return feed({ data, maxRows, next: nextPage(request, `${baseUrl}${consentsPath}`, more) })
}

/** Ends something in one transaction with its audit entry. This node knows before it responds; others are notified. */
async function end(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: Pick<AuditEntry, 'kind' | 'app' | 'session'>,
  work: (trx: Trx, caller: Caller, now: Temporal.Instant) => Promise<unknown>,
) {
  const caller = writerOf(request)
  const now = context.clock.now()
  await context.db.transaction().execute(async (trx) => {
    await work(trx, caller, now)
    await appendAudit(trx, { at: now, ...actorOf(request), ...entry })
  })
  await context.feed.poll()
  return reply.code(204).send()
}

function handleSignOutEverywhere(context: AuthContext, request: FastifyRequest, reply: FastifyReply) {
  return end(context, request, reply, { kind: 'SignOutEverywhere' }, (trx, { UserKey }, now) =>
    endEverything(trx, UserKey, 'signed out everywhere', now),
  )
}

function handleEndSession(context: AuthContext, request: RequestOf<typeof endSession>, reply: FastifyReply) {
  const { SessionId: sessionId } = request.params
  const entry = { kind: 'SessionRevoked', session: sessionId } as const
  return end(context, request, reply, entry, async (trx, { UserKey: userKey }, now) => {
    const ended = await endSessions(trx, { sessionId, userKey }, 'ended by the user', now)
    if (ended.length === 0) throw notFound('The session')
  })
}

function handleWithdrawConsent(context: AuthContext, request: RequestOf<typeof withdrawConsent>, reply: FastifyReply) {
  const { AppKey } = request.params
  return end(context, request, reply, { kind: 'ConsentWithdrawn', app: AppKey }, async (trx, { UserKey }, now) => {
    if (!(await removeConsent(trx, UserKey, AppKey, now))) throw notFound('The consent')
  })
}
