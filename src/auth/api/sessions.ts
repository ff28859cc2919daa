import { type Static, Type } from 'typebox'
import { callerOf, writerOf } from '../../access/caller.ts'
import { endEverything, endSessions } from '../../access/store/sessions.ts'
import { appendAudit } from '../../audit/append.ts'
import { wireTime } from '../../core/clock.ts'
import { notFound } from '../../core/problem.ts'
import { sentQuery } from '../../http/input/query.ts'
import { FeedOf, feed, nextLink, pageQuery } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AuthContext } from '../context.ts'
import { listConsents, listSessions, withdrawConsent } from '../store/session-list.ts'

const maxTop = 1_000
const text = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const SessionView = Type.Object(
  {
    SessionId: text('Its id, to end it by.'),
    AppKey: text('The app.'),
    AppName: text('What the app is called.'),
    Address: text('Where it was begun from.'),
    UserAgent: text('The program that began it.'),
    CreatedAt: time('When it began.'),
    ExpiresAt: time('When it ends at the latest.'),
    IsCurrent: Type.Boolean({ description: 'Whether this is the session of the token that asks.' }),
  },
  {
    title: 'Session',
    examples: [
      {
        SessionId: 'bd7788724415c6f0a3ed7145827daf85',
        AppKey: '0123456789abcdef0123456789abcdef',
        AppName: 'Pocket Charts',
        Address: '127.0.0.1',
        UserAgent: 'node',
        CreatedAt: '2026-11-16T12:00:00.000000Z',
        ExpiresAt: '2026-12-16T12:00:00.000000Z',
        IsCurrent: true,
      },
    ],
  },
)
const ConsentView = Type.Object(
  {
    AppKey: text('The app.'),
    AppName: text('What the app is called.'),
    GivenAt: time('Since when it is allowed.'),
  },
  {
    title: 'Consent',
    examples: [
      { AppKey: '0123456789abcdef0123456789abcdef', AppName: 'Pocket Charts', GivenAt: '2026-11-16T12:00:00.000000Z' },
    ],
  },
)
const PageQuery = Type.Object(pageQuery({ defaultTop: 100, maxTop }))
const tags = ['x']

/** Where a user is signed in and which apps they allowed; beyond the specification (contract §1). */
export function sessionRoutes(api: Server, context: AuthContext, baseUrl: string): void {
  const page = <Row>(
    rows: Row[],
    query: Static<typeof PageQuery>,
    path: string,
    more: boolean,
    sent: Record<string, string[]>,
  ) =>
    feed({
      data: rows,
      maxRows: maxTop,
      ...(more && query.$top > 0 && { next: nextLink(`${baseUrl}${path}`, sent, { $skip: query.$skip + query.$top }) }),
    })

  api.get(
    '/x/v1/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'The sessions of the caller that have not ended, newest first',
        description: 'Where and by which app the user is signed in; one that is not known can be ended.',
        tags,
        querystring: PageQuery,
        response: { 200: FeedOf(SessionView) },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { rows, more } = await listSessions(context.db, caller.UserKey, context.clock.now(), request.query)
      const views = rows.map((row) => ({
        SessionId: row.sessionId,
        AppKey: row.appKey,
        AppName: row.appName,
        Address: row.address,
        UserAgent: row.userAgent,
        CreatedAt: wireTime(row.createdAt),
        ExpiresAt: wireTime(row.expiresAt),
        IsCurrent: row.sessionId === caller.sessionId,
      }))
      return page(views, request.query, '/x/v1/sessions', more, sentQuery(request))
    },
  )

  api.delete(
    '/x/v1/sessions',
    {
      schema: {
        operationId: 'signOutEverywhere',
        summary: 'Ends all sessions and sign-ins of the caller',
        description: 'Of all apps and browsers, that of the token too, on every node within a second.',
        tags,
      },
    },
    async (request, reply) => {
      const caller = writerOf(request)
      const now = context.clock.now()
      const who = { user: caller.UserKey, session: caller.sessionId, address: request.ip }
      await context.db.transaction().execute(async (trx) => {
        await endEverything(trx, caller.UserKey, 'signed out everywhere', now)
        await appendAudit(trx, { at: now.toString(), kind: 'SignOutEverywhere', ...who })
      })
      await context.feed.poll()
      return reply.code(204).send()
    },
  )

  api.delete(
    '/x/v1/sessions/:SessionId',
    {
      schema: {
        operationId: 'endSession',
        summary: 'Ends one session of the caller',
        description: 'Its tokens are refused on every node within a second; other sessions go on.',
        documented: { errors: ['NoResultFound'] },
        tags,
        params: Type.Object({
          SessionId: Type.String({ maxLength: 64, description: 'The session, from the list of them.' }),
        }),
      },
    },
    async (request, reply) => {
      const caller = writerOf(request)
      const now = context.clock.now()
      const { SessionId: sessionId } = request.params
      const who = { user: caller.UserKey, session: sessionId, address: request.ip }
      await context.db.transaction().execute(async (trx) => {
        const ended = await endSessions(trx, { sessionId, userKey: caller.UserKey }, 'ended by the user', now)
        if (ended.length === 0) throw notFound('The session')
        await appendAudit(trx, { at: now.toString(), kind: 'SessionRevoked', ...who })
      })
      await context.feed.poll()
      return reply.code(204).send()
    },
  )

  consentRoutes(api, context, page)
}

type Page = <Row>(
  rows: Row[],
  query: Static<typeof PageQuery>,
  path: string,
  more: boolean,
  sent: Record<string, string[]>,
) => { Data: Row[] }

function consentRoutes(api: Server, context: AuthContext, page: Page): void {
  api.get(
    '/x/v1/consents',
    {
      schema: {
        operationId: 'listConsents',
        summary: 'The apps that the caller has allowed',
        description: 'These sign the user in without asking again.',
        tags,
        querystring: PageQuery,
        response: { 200: FeedOf(ConsentView) },
      },
    },
    async (request) => {
      const { rows, more } = await listConsents(context.db, callerOf(request).UserKey, request.query)
      const views = rows.map((row) => ({ AppKey: row.appKey, AppName: row.appName, GivenAt: wireTime(row.givenAt) }))
      return page(views, request.query, '/x/v1/consents', more, sentQuery(request))
    },
  )

  api.delete(
    '/x/v1/consents/:AppKey',
    {
      schema: {
        operationId: 'withdrawConsent',
        summary: 'Withdraws what the caller allowed an app, and ends its sessions',
        description: 'The app must ask again before the user is signed in by it.',
        documented: { errors: ['NoResultFound'] },
        tags,
        params: Type.Object({ AppKey: Type.String({ maxLength: 64, description: 'The app, from the list of them.' }) }),
      },
    },
    async (request, reply) => {
      const caller = writerOf(request)
      const now = context.clock.now()
      const { AppKey: appKey } = request.params
      const who = { user: caller.UserKey, app: appKey, session: caller.sessionId, address: request.ip }
      await context.db.transaction().execute(async (trx) => {
        if (!(await withdrawConsent(trx, caller.UserKey, appKey, now))) throw notFound('The consent')
        await appendAudit(trx, { at: now.toString(), kind: 'ConsentWithdrawn', ...who })
      })
      await context.feed.poll()
      return reply.code(204).send()
    },
  )
}
