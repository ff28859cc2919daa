import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, writerOf } from '../../access/caller.ts'
import { lockUserOf } from '../../access/store/sessions.ts'
import { type AuditKind, appendAudit } from '../../audit/append.ts'
import { type Clock, wireTime } from '../../core/clock.ts'
import { randomHex, sha256 } from '../../core/crypto/keys.ts'
import { invalid, invalidToken, notFound, Problem } from '../../core/problem.ts'
import type { Db, Trx } from '../../database/open.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { feed } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { requireScope, scopeOf } from '../api/list.ts'
import type { EventFilters } from '../api/schema.ts'
import { dayRanges } from '../rules/filters.ts'
import { addCalendar, type Calendar, listCalendars as findCalendars, removeCalendar } from '../store/calendars.ts'
import { findScope } from '../store/scope.ts'
import * as schema from './schema.ts'

const path = '/x/v1/calendars'

export const listCalendars = operation({
  method: 'GET',
  path,
  operationId: 'listCalendars',
  summary: 'List private calendars',
  description: "Returns the caller's private calendars, newest first, without their addresses.",
  responses: { 200: schema.CalendarsResponse },
})

export const createCalendar = operation({
  method: 'POST',
  path,
  operationId: 'makeCalendar',
  permission: 'manageCalendars',
  summary: 'Create a private calendar',
  description:
    'Returns an address for calendar apps, which cannot send a token. Anyone with the address can read the events that match the ' +
    'filters. The address is shown only once.',
  body: schema.NewCalendar,
  responses: { 201: schema.CreatedCalendar },
  errors: ['NoResultFound', 'LimitReached'],
  documented: { headers: ['Location'] },
})

export const deleteCalendar = operation({
  method: 'DELETE',
  path: `${path}/:CalendarId`,
  operationId: 'withdrawCalendar',
  permission: 'manageCalendars',
  summary: 'Delete a private calendar',
  description: 'Deletes a private calendar. Its address stops working immediately.',
  params: schema.CalendarParams,
  errors: ['NoResultFound'],
})

type CalendarDependencies = Readonly<{ db: Db; clock: Clock; publicUrl: string }>

/** Private addresses for calendar apps, which cannot send a token (§7.8). */
export function calendarRoutes(api: Server, deps: CalendarDependencies): void {
  addOperation(api, listCalendars, (request) => handleListCalendars(deps, request))
  addOperation(api, createCalendar, (request, reply) => handleCreateCalendar(deps, request, reply))
  addOperation(api, deleteCalendar, (request, reply) => handleDeleteCalendar(deps, request, reply))
}

async function handleListCalendars({ db }: CalendarDependencies, request: RequestOf<typeof listCalendars>) {
  const calendars = await findCalendars(db, callerOf(request).UserKey)
  return feed({ data: calendars.map(calendarView), maxRows: schema.maxCalendars })
}

async function handleCreateCalendar(
  { db, clock, publicUrl }: CalendarDependencies,
  request: RequestOf<typeof createCalendar>,
  reply: FastifyReply,
) {
  const caller = writerOf(request)
  const { Name: name, Filters: filters } = request.body
  checkRanges(filters)
  requireScope(await findScope(db, scopeOf(caller, filters)))
  const token = randomHex()
  const now = clock.now()
  const calendar = { calendarId: randomHex(), name, filters, createdAt: now, lastReadAt: null }
  await db.transaction().execute(async (trx) => {
    if (!(await lockUserOf(trx, caller))) throw invalidToken()
    const row = { ...calendar, tokenHash: sha256(token), userKey: caller.UserKey }
    if (!(await addCalendar(trx, row, schema.maxCalendars))) throw tooManyCalendars()
    await audit(trx, 'CalendarMade', request, calendar.calendarId, now)
  })
  const Address = `${publicUrl}/calendar/${token}.ics`
  return reply
    .code(201)
    .headers({ location: Address, 'cache-control': 'no-store' })
    .send({ ...calendarView(calendar), Address })
}

async function handleDeleteCalendar(
  { db, clock }: CalendarDependencies,
  request: RequestOf<typeof deleteCalendar>,
  reply: FastifyReply,
) {
  const { UserKey } = writerOf(request)
  const { CalendarId } = request.params
  await db.transaction().execute(async (trx) => {
    if (!(await removeCalendar(trx, UserKey, CalendarId))) throw notFound('The calendar')
    await audit(trx, 'CalendarWithdrawn', request, CalendarId, clock.now())
  })
  return reply.code(204).send()
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

function checkRanges(filters: EventFilters): void {
  try {
    dayRanges(filters)
  } catch (error) {
    if (!(error instanceof Problem) || !error.modelState) throw error
    const fields = Object.entries(error.modelState).map(([name, why]) => [`Filters.${name}`, why])
    throw invalid(Object.fromEntries(fields))
  }
}

const tooManyCalendars = (): Problem =>
  new Problem('LimitReached', `A user can have at most ${schema.maxCalendars} private calendars. Delete an unused one.`)

function audit(trx: Trx, kind: AuditKind, request: FastifyRequest, calendar: string, at: Temporal.Instant) {
  const { UserKey: user, appKey: app, sessionId: session } = callerOf(request)
  return appendAudit(trx, { at, kind, user, app, session, address: request.ip, detail: { calendar } })
}
