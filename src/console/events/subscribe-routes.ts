import type { FastifyReply } from 'fastify'
import type { CalendarView } from '../../events/calendar/schema.ts'
import { isApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { choicesFor, type Feed } from './event-data.ts'
import { type Filters, parseFilters } from './list/filters.ts'
import { calendarFilters, type Subscriptions, subscribeBody, subscribePath } from './list/subscribe.ts'

const path = '/x/v1/calendars'

export async function showSubscriptions(
  ctx: PageContext,
  filters: Filters,
  more: Partial<Pick<Subscriptions, 'created' | 'name' | 'errors'>> = {},
  status = 200,
): Promise<FastifyReply> {
  const [choices, calendars] = await Promise.all([choicesFor(ctx, filters), ctx.api.get<Feed<CalendarView>>(path)])
  const { formToken, reader } = ctx
  const page = { filters, choices, calendars: calendars.Data, formToken, reader, name: undefined, errors: [], ...more }
  return ctx.render({
    title: 'Subscribe to corporate actions',
    section: 'events',
    status,
    body: subscribeBody(page),
  })
}

/** Not a redirect, because the URL is shown only once. */
export async function createCalendar(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const filters = parseFilters((name) => form.getAll(name))
  const name = form.get('Name') ?? ''
  try {
    const body = { Name: name, Filters: calendarFilters(filters) }
    const created = await ctx.api.send<{ Name: string; Address: string }>('POST', path, body)
    return await showSubscriptions(ctx, filters, { created })
  } catch (error) {
    if (!isApiError(error, 400, 404, 409)) throw error
    return showSubscriptions(ctx, filters, { name, errors: error.messages }, error.status)
  }
}

export async function revokeCalendar(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  await ctx.api.send('DELETE', `${path}/${encodeURIComponent(form.get('calendar') ?? '')}`)
  return ctx.redirect(subscribePath)
}
