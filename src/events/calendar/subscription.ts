import type { FastifyRequest } from 'fastify'
import { sha256 } from '../../core/crypto/keys.ts'
import { rateLimitAddress } from '../../core/network/address.ts'
import { notFound, Problem, unavailable } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import type { Bucket, RateLimiter } from '../../http/limits/rate-limiter.ts'
import { isCounted, type RateLimitMode, requireWithinLimits } from '../../http/limits/rate-limits.ts'
import type { Server } from '../../http/typed-server.ts'
import { type EventDependencies, listAllEvents } from '../api/list.ts'
import { type Renderings, sendRendering } from '../api/renderings.ts'
import type { Event } from '../api/schema.ts'
import { type Calendar, findCalendar, noteCalendarRead } from '../store/calendars.ts'
import { SubscriptionParams } from './schema.ts'

type SubscriptionDependencies = Readonly<{
  /** Keeps the calendars; `events` may be read elsewhere. */
  db: Db
  events: EventDependencies
  renderings: Renderings
  limiter: RateLimiter
  rateLimits: RateLimitMode
  limits?: CalendarLimits
}>

type CalendarLimits = Readonly<Record<'perCalendar' | 'perAddress', Omit<Bucket, 'key'>> & { readMilliseconds: number }>

/** Programs ask every few minutes at most. An address may be that of a company, or of a service that asks for many. */
const standardLimits: CalendarLimits = {
  perCalendar: { limit: 10, windowSeconds: 60 },
  perAddress: { limit: 600, windowSeconds: 60 },
  readMilliseconds: 20_000,
}

/** What `randomHex` makes, in any case as all of a path; nothing else is worth a look into the database. */
const filePattern = /^([0-9a-f]{32})\.ics$/i

/** What a private calendar address answers (contract §11): the events of its user as they are today, all at once. Whoever
 *  has the address can read, so an unknown one, a withdrawn one and one that is dead are told alike. */
export function subscriptionRoutes(server: Server, parts: SubscriptionDependencies): void {
  const { db, renderings, limiter, rateLimits, limits = standardLimits } = parts
  const count = (request: FastifyRequest, bucket: Bucket) => {
    if (isCounted(request, rateLimits)) requireWithinLimits(limiter.take([bucket]))
  }

  server.get(
    '/calendar/:File',
    {
      schema: {
        operationId: 'readCalendar',
        summary: 'The calendar at a private address, for calendar programs',
        description:
          'All events that the address is for, at once and as of today. An address that was withdrawn, never was, or whose user is gone ' +
          'is answered alike.',
        tags: ['ca'],
        params: SubscriptionParams,
        documented: {
          texts: ['text/calendar'],
          withoutToken: true,
          etag: true,
          errors: ['NoResultFound', 'RateLimitExceeded'],
        },
      },
    },
    async (request, reply) => {
      count(request, { key: `CalendarAddress/${rateLimitAddress(request.ip)}`, ...limits.perAddress })
      const token = filePattern.exec(request.params.File)?.[1]?.toLowerCase()
      const calendar = token === undefined ? undefined : await findCalendar(db, sha256(token))
      if (!calendar) throw gone()
      count(request, { key: `Calendar/${calendar.calendarId}`, ...limits.perCalendar })
      const listed = await within(limits.readMilliseconds, eventsOf(parts.events, calendar))
      await noteRead(parts, calendar, request)
      return sendRendering(request, reply, renderings.ics, listed, calendar.name)
    },
  )
}

const gone = (): Problem => notFound('The calendar')

/** A calendar is dead as well while its filters have a key that its user does not see. */
async function eventsOf(
  events: EventDependencies,
  { clientKey, filters }: Calendar & { clientKey: string },
): Promise<Event[]> {
  try {
    return await listAllEvents(events, { ClientKey: clientKey }, filters)
  } catch (error) {
    throw error instanceof Problem && error.code === 'NoResultFound' ? gone() : error
  }
}

/** Whoever asks for a calendar asks again by itself, so a later answer is as good. */
const retryAfterSeconds = 60

/** What takes longer is no longer waited for. It goes on by itself until it is done or meets a bound of its own. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable(retryAfterSeconds)), milliseconds)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

const notedEvery = { minutes: 5 }

/** So that its user can tell which addresses are still read. A read is never refused because this could not be noted. */
async function noteRead(parts: SubscriptionDependencies, calendar: Calendar, { log }: FastifyRequest): Promise<void> {
  const { calendarId, lastReadAt } = calendar
  const now = parts.events.clock.now()
  // One from the future, which was travelled to, gives way.
  if (lastReadAt && Temporal.Duration.compare(lastReadAt.since(now).abs(), notedEvery) < 0) return
  try {
    await noteCalendarRead(parts.db, calendarId, now)
  } catch (error) {
    log.warn({ err: error }, 'the reading of a calendar could not be noted')
  }
}
