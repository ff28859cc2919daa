import type { FastifyReply } from 'fastify'
import type { Event, LookupResponse } from '../../events/api/schema.ts'
import { ApiError, catchApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { type Decisions, dueEvents } from './deadlines.ts'
import { maxExported } from './list/event-list.ts'
import { type Account, choicesFrom } from './list/filter-choices.ts'
import { type Choices, type Filters, parametersOf, parseFilters, scopeOnly } from './list/filters.ts'

export type Feed<Row> = Readonly<{ Data: Row[]; __count?: number; __next?: string }>
export const eventsPath = '/ca/v2/events'

export const filtersOf = (ctx: PageContext): Filters => parseFilters((name) => ctx.queryAll(name))

/** Returns API errors about the filters, which are shown above their form. */
export const orApiError = <Body>(response: Promise<Body>): Promise<Body | ApiError> =>
  response.catch(catchApiError(400, 404))

/** The choices of the filter form. It is shown even if the filters were rejected, so that they can be corrected. */
export async function choicesFor(ctx: PageContext, filters: Filters): Promise<Choices> {
  const [lookup, accounts] = await Promise.all([
    orApiError(ctx.api.get<LookupResponse>(`${eventsPath}/lookupdata`, parametersOf(scopeOnly(filters)))),
    ctx.api.get<Feed<Account>>('/port/v1/accounts/me', { $top: 200 }),
  ])
  return choicesFrom(lookup instanceof ApiError ? [] : lookup.Data, accounts.Data)
}

/** All pending decisions by deadline, or those of the next 31 days if there are too many for one call. */
export async function readDecisions(ctx: PageContext, filters: Filters): Promise<Decisions | ApiError> {
  const read = async (until?: string): Promise<Decisions | ApiError> => {
    const found = await orApiError(
      ctx.api.get<Feed<Event>>(eventsPath, {
        ...parametersOf(scopeOnly(filters)),
        ElectionStatuses: ['NotElected', 'PartialElected'],
        EventStates: ['Approved', 'Confirmed', 'Preliminary'],
        FromDeadlineDate: ctx.today.toString(),
        ToDeadlineDate: until,
        $top: maxExported,
      }),
    )
    if (found instanceof ApiError) return found
    return { due: dueEvents(found.Data, ctx.now), until, isComplete: found.__next === undefined }
  }
  const all = await read()
  if (all instanceof ApiError || all.isComplete) return all
  const soon = await read(ctx.today.add({ days: 31 }).toString())
  return soon instanceof ApiError || soon.due.length > 0 ? soon : all
}

export function sendFile(ctx: PageContext, text: string, type: string, name: string): FastifyReply {
  return ctx.reply
    .headers({
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(text)
}
