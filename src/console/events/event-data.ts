import type { FastifyReply } from 'fastify'
import type { Event, LookupResponse } from '../../events/api/schema.ts'
import { type Decisions, dueEvents } from '../../events/rules/status/status.ts'
import { assetTypeName } from '../instruments/pages/names.ts'
import { catchApiError, withQuery } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { Choice } from '../shared/fields.ts'
import { type Choices, type Filters, parametersOf, parseFilters, scopeOnly } from './list/filters.ts'

export type Feed<Row> = Readonly<{ Data: Row[]; __count?: number; __next?: string }>
type Account = Readonly<{ AccountId: string; AccountKey: string; AccountGroupKey?: string }>
export const eventsPath = '/ca/v2/events'
/** An event page shows any state, so that old links keep working. */
export const allStates = ['Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn']
export const maxExported = 1_000

export const filtersOf = (ctx: PageContext): Filters => parseFilters((name) => ctx.queryAll(name))

type Outcome<Body> = Readonly<{ body?: Body | undefined; status: number; errors: readonly string[] }>

/** The response, or the API's errors about the filters, which are shown above their form. */
export const orErrors = <Body>(response: Promise<Body>): Promise<Outcome<Body>> =>
  response
    .then((body): Outcome<Body> => ({ body, status: 200, errors: [] }))
    .catch((error: unknown) => {
      const { status, messages } = catchApiError(400, 404)(error)
      return { status, errors: messages }
    })

/** The choices of the filter form: values that occur (operation 9), the accounts, and fixed sets. The form is shown
 *  even if the filters were rejected, so that they can be corrected. */
export async function choicesFor(ctx: PageContext, filters: Filters): Promise<Choices> {
  const [lookup, accounts] = await Promise.all([
    orErrors(
      ctx.api.getShared<LookupResponse>(withQuery(`${eventsPath}/lookupdata`, parametersOf(scopeOnly(filters)))),
    ),
    ctx.api.getShared<Feed<Account>>('/port/v1/accounts/me?$top=200'),
  ])
  const occurring = (group: string, nameOf?: (code: string) => string): Choice[] => {
    const values = lookup.body?.Data.find(({ FieldGroup }) => FieldGroup === group)?.Values ?? []
    const choices = values.map(({ Code, Name }) => [Code, nameOf?.(Code) ?? Name] as const)
    return choices.toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
  }
  return {
    ...fixedChoices,
    EventTypes: occurring('EventTypes'),
    AssetTypes: occurring('AssetTypes', assetTypeName),
    AccountKey: accounts.Data.map(({ AccountKey, AccountId }) => [AccountKey, AccountId]),
    AccountGroupKey: groupsOf(accounts.Data),
  }
}

/** Groups have no name in the API, so they are named by their accounts. */
function groupsOf(accounts: readonly Account[]): Choice[] {
  const groups = Map.groupBy(accounts, ({ AccountGroupKey }) => AccountGroupKey)
  return [...groups].flatMap(([key, members]) => {
    const ids = members.map(({ AccountId }) => AccountId)
    const more = ids.length > 3 ? ` and ${ids.length - 3} more` : ''
    return key === undefined ? [] : [[key, `${ids.slice(0, 3).join(', ')}${more}`] as const]
  })
}

const same = (...values: string[]): Choice[] => values.map((value) => [value, value])

const fixedChoices: Choices = {
  CorporateActionTypes: same('Mandatory', 'Voluntary'),
  ElectionStatuses: [
    ['NotElected,PartialElected', 'Not or partially elected'],
    ['NotElected', 'Not elected'],
    ['PartialElected', 'Partially elected'],
    ['Elected', 'Elected'],
  ],
  EventStatus: same('Upcoming', 'Active', 'Past'),
  EventStates: same('Approved', 'Confirmed', 'Preliminary', 'Withdrawn', 'Cancelled', 'Complete'),
  SortColumn: [
    ['Date', 'Date'],
    ['AnnouncedDate', 'Announcement date'],
    ['UpdatedDateTime', 'Last update'],
    ['EventType', 'Event type'],
    ['InstrumentDescription', 'Instrument'],
    ['CorporateActionType', 'Participation'],
    ['EventId', 'Event ID'],
    ['AffectedAccounts', 'Affected accounts'],
    ['EligibleHoldings', 'Eligible holdings'],
  ],
  SortType: [
    ['Desc', 'Descending'],
    ['Asc', 'Ascending'],
  ],
}

/** Events with a pending decision cannot be filtered by FromDeadlineDate alone: it reads deadlines, but an option without
 *  one can be elected until its period ends, also after the event is Past by its ex date. */
async function readUndecided(ctx: PageContext, filters: Filters, more: Readonly<Record<string, string | boolean>>) {
  const query = {
    ...parametersOf(scopeOnly(filters)),
    ElectionStatuses: ['NotElected', 'PartialElected'],
    EventStates: ['Approved', 'Confirmed', 'Preliminary'],
    ...more,
    $top: maxExported,
  }
  const { body, ...outcome } = await orErrors(ctx.api.getShared<Feed<Event>>(withQuery(eventsPath, query)))
  return { ...outcome, events: body?.Data, isComplete: body?.__next === undefined }
}

/** All pending decisions by deadline. If there are too many events for one call: all with a deadline, or those with one in
 *  the next 31 days. */
export async function readDecisions(ctx: PageContext, filters: Filters): Promise<Outcome<Decisions>> {
  const FromDeadlineDate = ctx.today.toString()
  const until = ctx.today.add({ days: 31 }).toString()
  const { events: all, isComplete, ...outcome } = await readUndecided(ctx, filters, { IncludeLapsedEvents: true })
  if (!all) return outcome
  if (isComplete) return { ...outcome, body: { due: dueEvents(all, ctx.now), isComplete } }
  const dated = await readUndecided(ctx, filters, { FromDeadlineDate })
  if (dated.isComplete)
    return { ...outcome, body: { due: dueEvents(union(dated.events, all), ctx.now), isComplete: true } }
  const soon = await readUndecided(ctx, filters, { FromDeadlineDate, ToDeadlineDate: until })
  const due = dueEvents(union(soon.events, all), ctx.now)
  const near = due.filter(({ at }) => at.slice(0, 10) <= until)
  if (near.length === 0) return { ...outcome, body: { due, isComplete } }
  return { ...outcome, body: { due: near, until, isComplete: soon.isComplete } }
}

const union = (...lists: readonly (readonly Event[] | undefined)[]): Event[] => [
  ...new Map(lists.flatMap((events) => events ?? []).map((event) => [event.EventId, event])).values(),
]

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
