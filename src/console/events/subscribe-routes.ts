import type { FastifyReply } from 'fastify'
import type { CalendarView } from '../../events/calendar/schema.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import { choicesFor, type Feed } from './event-data.ts'
import { type Asked, askedFilters } from './list/filters.ts'
import { filtersBody, type Subscriptions, subscribeBody, subscribePath } from './list/subscribe.ts'

const path = '/x/v1/calendars'

export async function showSubscriptions(
  visit: Visit,
  asked: Asked,
  more: Partial<Pick<Subscriptions, 'made' | 'name' | 'refused'>> = {},
  status = 200,
): Promise<FastifyReply> {
  const [choices, calendars] = await Promise.all([choicesFor(visit, asked), visit.api.get<Feed<CalendarView>>(path)])
  const { formToken } = visit
  const reader = { now: visit.now, zone: visit.zone }
  const shown = { asked, choices, calendars: calendars.Data, formToken, reader, name: undefined, refused: [], ...more }
  return visit.show(
    { title: 'Subscribe to corporate actions', place: 'events', body: subscribeBody(shown) },
    { status },
  )
}

/** The address is in this answer only: going to another page would lose it. */
export async function makeCalendar(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const asked = askedFilters((name) => form.getAll(name))
  const name = form.get('Name') ?? ''
  try {
    const made = await visit.api.send<{ Name: string; Address: string }>('POST', path, {
      Name: name,
      Filters: filtersBody(asked),
    })
    return await showSubscriptions(visit, asked, { made })
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ![400, 404, 409].includes(error.status)) throw error
    return showSubscriptions(visit, asked, { name, refused: error.sentences }, error.status)
  }
}

export async function withdrawCalendar(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  await visit.api.send('DELETE', `${path}/${encodeURIComponent(form.get('calendar') ?? '')}`)
  return visit.goTo(subscribePath)
}
