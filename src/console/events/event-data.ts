import type { FastifyReply } from 'fastify'
import type { Event, LookupResponse } from '../../events/api/schema.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import { type Awaiting, dueEvents } from './labels.ts'
import { mostExported } from './list/event-list.ts'
import { type Account, choicesFrom } from './list/filter-choices.ts'
import { type Asked, askedFilters, type Choices, parametersOf, scopeOnly } from './list/filters.ts'

/** What the pages of events ask the API for, and how they take its refusals. */

export type Feed<Row> = Readonly<{ Data: Row[]; __count?: number; __next?: string }>
export const eventsPath = '/ca/v2/events'

export const filtersOf = (visit: Visit): Asked => askedFilters((name) => visit.askedAll(name))

/** A refusal that speaks of the filters belongs above their form; any other is the whole page's. */
export async function orRefused<Answer>(asked: Promise<Answer>): Promise<Answer | ApiRefusal> {
  return asked.catch((error: unknown) => {
    if (error instanceof ApiRefusal && (error.status === 400 || error.status === 404)) return error
    throw error
  })
}

/** The filters are offered also where they were refused, so that they can be put right. */
export async function choicesFor(visit: Visit, asked: Asked): Promise<Choices> {
  const [lookup, accounts] = await Promise.all([
    orRefused(visit.api.get<LookupResponse>(`${eventsPath}/lookupdata`, parametersOf(scopeOnly(asked)))),
    visit.api.get<Feed<Account>>('/port/v1/accounts/me', { $top: 200 }),
  ])
  return choicesFrom(lookup instanceof ApiRefusal ? [] : lookup.Data, accounts.Data)
}

/** All that awaits an answer, by deadline, which the API does not sort by. Where that is more than it tells at a time,
 *  what the coming month asks for. */
export async function awaitingFor(visit: Visit, asked: Asked): Promise<Awaiting | ApiRefusal> {
  const today = visit.now.toZonedDateTimeISO('UTC').toPlainDate()
  const read = async (until?: string): Promise<Awaiting | ApiRefusal> => {
    const found = await orRefused(
      visit.api.get<Feed<Event>>(eventsPath, {
        ...parametersOf(scopeOnly(asked)),
        ElectionStatuses: ['NotElected', 'PartialElected'],
        EventStates: ['Approved', 'Confirmed', 'Preliminary'],
        FromDeadlineDate: today.toString(),
        ToDeadlineDate: until,
        $top: mostExported,
      }),
    )
    if (found instanceof ApiRefusal) return found
    return { due: dueEvents(found.Data, visit.now), until, isWhole: found.__next === undefined }
  }
  const all = await read()
  if (all instanceof ApiRefusal || all.isWhole) return all
  const soon = await read(today.add({ days: 31 }).toString())
  return soon instanceof ApiRefusal || soon.due.length > 0 ? soon : all
}

/** Hands a file of the API on, to be kept. */
export function sendFile(visit: Visit, text: string, type: string, name: string): FastifyReply {
  return visit.reply
    .headers({
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(text)
}
