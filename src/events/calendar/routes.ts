import type { FastifyRequest } from 'fastify'
import { callerOf, writerOf } from '../../access/caller.ts'
import { type AuditKind, appendAudit } from '../../audit/append.ts'
import type { Caller } from '../../core/caller.ts'
import { type Clock, wireTime } from '../../core/clock.ts'
import { randomHex, sha256 } from '../../core/crypto/keys.ts'
import { invalid, notFound, Problem } from '../../core/problem.ts'
import type { Db, Trx } from '../../database/open.ts'
import { feed } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { scopeOf } from '../api/list.ts'
import type { EventFilters } from '../api/schema.ts'
import { dayRanges } from '../rules/filters.ts'
import { addCalendar, type Calendar, findMissingKey, listCalendars, removeCalendar } from '../store/calendars.ts'
import * as schema from './schema.ts'

export type CalendarDependencies = Readonly<{ db: Db; clock: Clock; publicUrl: string }>

const path = '/x/v1/calendars'
const tags = ['x']

/** The private addresses of a user for calendar programs, which cannot send a token (contract §11). */
export function calendarRoutes(api: Server, { db, clock, publicUrl }: CalendarDependencies): void {
  api.get(
    path,
    {
      schema: {
        operationId: 'listCalendars',
        summary: 'The private calendar addresses of the caller, newest first, without the addresses themselves',
        description: 'To see which are still read, and to withdraw the others.',
        tags,
        response: { 200: schema.CalendarsResponse },
      },
    },
    async (request) => {
      const calendars = await listCalendars(db, callerOf(request).UserKey)
      return feed({ data: calendars.map(calendarView), maxRows: schema.maxCalendars })
    },
  )

  api.post(
    path,
    {
      schema: {
        operationId: 'makeCalendar',
        summary: 'Makes a private calendar address of events, and tells it once',
        description:
          'For calendar programs, which cannot send a token: whoever has the address can read the events of the caller that pass the ' +
          'filters, always as of today.',
        documented: { headers: ['Location'], errors: ['NoResultFound', 'LimitReached'] },
        tags,
        body: schema.NewCalendar,
        response: { 201: schema.MadeCalendar },
      },
    },
    async (request, reply) => {
      const caller = writerOf(request)
      const { Name: name, Filters: filters } = request.body
      await requireListable(db, caller, filters)
      const token = randomHex()
      const now = clock.now()
      const calendar = { calendarId: randomHex(), name, filters, createdAt: now, lastReadAt: null }
      await db.transaction().execute(async (trx) => {
        const row = { ...calendar, tokenHash: sha256(token), userKey: caller.UserKey }
        if (!(await addCalendar(trx, row, schema.maxCalendars))) throw tooMany()
        await log(trx, 'CalendarMade', request, calendar.calendarId, now)
      })
      const Address = `${publicUrl}/calendar/${token}.ics`
      return reply
        .code(201)
        .headers({ location: Address, 'cache-control': 'no-store' })
        .send({ ...calendarView(calendar), Address })
    },
  )

  api.delete(
    `${path}/:CalendarId`,
    {
      schema: {
        operationId: 'withdrawCalendar',
        summary: 'Withdraws a private calendar address: from then on there is nothing at it',
        description: 'For an address that is no longer used, or got into the wrong hands.',
        documented: { errors: ['NoResultFound'] },
        tags,
        params: schema.CalendarParams,
      },
    },
    async (request, reply) => {
      const { UserKey } = writerOf(request)
      const { CalendarId } = request.params
      await db.transaction().execute(async (trx) => {
        if (!(await removeCalendar(trx, UserKey, CalendarId))) throw notFound('The calendar')
        await log(trx, 'CalendarWithdrawn', request, CalendarId, clock.now())
      })
      return reply.code(204).send()
    },
  )
}

function calendarView({ calendarId, name, filters, createdAt, lastReadAt }: Calendar): schema.CalendarView {
  return {
    CalendarId: calendarId,
    Name: name,
    Filters: filters,
    CreatedAt: wireTime(createdAt),
    ...(lastReadAt && { LastReadAt: wireTime(lastReadAt) }),
  }
}

/** Refuses what a list of events would refuse (7). */
async function requireListable(db: Db, caller: Caller, filters: EventFilters): Promise<void> {
  requireRanges(filters)
  const missing = await findMissingKey(db, scopeOf(caller, filters))
  if (missing) throw notFound(missing)
}

/** Names the fields as they stand in the body. */
function requireRanges(filters: EventFilters): void {
  try {
    dayRanges(filters)
  } catch (error) {
    if (!(error instanceof Problem) || !error.modelState) throw error
    const fields = Object.entries(error.modelState).map(([name, why]) => [`Filters.${name}`, why])
    throw invalid(Object.fromEntries(fields))
  }
}

const tooMany = (): Problem =>
  new Problem(
    'LimitReached',
    `There are at most ${schema.maxCalendars} calendar addresses for each user. Withdraw one that is no longer read.`,
  )

function log(trx: Trx, kind: AuditKind, request: FastifyRequest, calendar: string, at: Temporal.Instant) {
  const { UserKey: user, appKey: app, sessionId: session } = callerOf(request)
  return appendAudit(trx, { at, kind, user, app, session, address: request.ip, detail: { calendar } })
}
