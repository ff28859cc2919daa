import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../../core/crypto/keys.ts'
import { rateLimitAddress } from '../../core/network/address.ts'
import { notFound, Problem, unavailable } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import type { Bucket, RateLimiter } from '../../http/limits/rate-limiter.ts'
import { isCounted, type RateLimitMode, requireWithinLimits } from '../../http/limits/rate-limits.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { type EventDependencies, listAllEvents } from '../api/list.ts'
import { type Renderings, sendRendering } from '../api/renderings.ts'
import type { Event } from '../api/schema.ts'
import { type Calendar, findCalendar, noteCalendarRead } from '../store/calendars.ts'
import { SubscriptionParams } from './schema.ts'

export const readCalendar = operation({
  method: 'GET',
  path: '/calendar/:File',
  operationId: 'readCalendar',
  summary: 'Read a private calendar',
  description:
    'Returns all events of the calendar as of today. Unknown and deleted addresses, and those of disabled users, get the same error.',
  tags: ['ca'],
  params: SubscriptionParams,
  errors: ['NoResultFound', 'RateLimitExceeded'],
  documented: { texts: ['text/calendar'], withoutToken: true, etag: true },
  config: { secretPath: true },
})

type SubscriptionDependencies = Readonly<{
  /** Stores the calendars; `events` may use a replica. */
  db: Db
  events: EventDependencies
  renderings: Renderings
  limiter: RateLimiter
  rateLimits: RateLimitMode
  limits?: CalendarLimits
}>

type CalendarLimits = Readonly<Record<'perCalendar' | 'perAddress', Omit<Bucket, 'key'>> & { readMilliseconds: number }>

/** Calendar apps poll every few minutes at most. Many users may share an IP address, such as that of a company. */
const standardLimits: CalendarLimits = {
  perCalendar: { limit: 10, windowSeconds: 60 },
  perAddress: { limit: 600, windowSeconds: 60 },
  readMilliseconds: 20_000,
}

/** The token format of `randomHex`; anything else needs no database lookup. */
const filePattern = /^([0-9a-f]{32})\.ics$/i

export function subscriptionRoutes(server: Server, deps: SubscriptionDependencies): void {
  addOperation(server, readCalendar, (request, reply) => handleReadCalendar(deps, request, reply))
}

async function handleReadCalendar(
  deps: SubscriptionDependencies,
  request: RequestOf<typeof readCalendar>,
  reply: FastifyReply,
) {
  const { db, events, renderings, limiter, rateLimits, limits = standardLimits } = deps
  const count = (bucket: Bucket) => {
    if (isCounted(request, rateLimits)) requireWithinLimits(limiter.take([bucket]))
  }
  count({ key: `CalendarAddress/${rateLimitAddress(request.ip)}`, ...limits.perAddress })
  const token = filePattern.exec(request.params.File)?.[1]?.toLowerCase()
  const calendar = token === undefined ? undefined : await findCalendar(db, sha256(token))
  if (!calendar) throw calendarNotFound()
  count({ key: `Calendar/${calendar.calendarId}`, ...limits.perCalendar })
  const found = await withTimeout(limits.readMilliseconds, eventsOf(events, calendar))
  await noteRead(deps, calendar, request)
  return sendRendering(request, reply, renderings.ics, found, calendar.name)
}

const calendarNotFound = (): Problem => notFound('The calendar')

/** A calendar whose filters name a key that its user no longer sees is not found either. */
async function eventsOf(
  deps: EventDependencies,
  { clientKey, filters }: Calendar & { clientKey: string },
): Promise<Event[]> {
  try {
    return await listAllEvents(deps, { ClientKey: clientKey }, filters)
  } catch (error) {
    throw error instanceof Problem && error.code === 'NoResultFound' ? calendarNotFound() : error
  }
}

const retryAfterSeconds = 60

/** Stops waiting after the timeout; the work itself continues until it ends or reaches its own limit. */
async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable(retryAfterSeconds)), milliseconds)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

const noteInterval = { minutes: 5 }

/** Records the read, so that users see which calendars are in use. A failure to do so does not fail the read. */
async function noteRead(deps: SubscriptionDependencies, calendar: Calendar, { log }: FastifyRequest): Promise<void> {
  const { calendarId, lastReadAt } = calendar
  const now = deps.events.clock.now()
  // abs: after time travel the last read may be in the future, and is replaced.
  if (lastReadAt && Temporal.Duration.compare(lastReadAt.since(now).abs(), noteInterval) < 0) return
  try {
    await noteCalendarRead(deps.db, calendarId, now)
  } catch (error) {
    log.warn({ err: error }, 'could not record the last read of a calendar')
  }
}
