import { type RawBuilder, sql } from 'kysely'
import type { ElectionStatus, EventState, EventStatus } from '../api/enums.ts'
import type { DayRange, DayRanges } from '../rules/filters.ts'
import type { Listing } from '../rules/listing.ts'
import { inStates, isAmong, statusOn } from './scope.ts'

export type EventCriteria = Readonly<{
  listing: Listing
  days: DayRanges
  keywords: readonly string[]
  assetTypes?: readonly string[] | undefined
  corporateActionTypes?: readonly string[] | undefined
  electionStatuses?: readonly ElectionStatus[] | undefined
  eventStates?: readonly EventState[] | undefined
  eventStatus?: EventStatus | undefined
  eventTypes?: readonly string[] | undefined
}>

/** What decides on an event and its names alone, before anybody's holdings are looked at. */
export function eventFilter(criteria: EventCriteria, today: string): RawBuilder<unknown> {
  const { listing, days } = criteria
  const status = statusOn(today)
  const isLapsed = sql`(${status} = 'Past' and ${inStates(listing.lapsedStates)})`
  const parts = [
    sql`e.key_date between ${listing.from}::date and ${listing.to}::date`,
    sql`case when ${isLapsed} then ${listing.includesLapsed}::boolean else ${inStates(listing.states)} end`,
    ...within(sql`e.ex_on`, days.Ex),
    ...within(sql`e.record_on`, days.Record),
    ...anyWithin(sql`e.deadlines`, days.Deadline),
    ...anyWithin(sql`e.payments`, days.Pay),
    ...among(sql`e.asset_type`, criteria.assetTypes),
    ...among(sql`e.corporate_action_type`, criteria.corporateActionTypes),
    ...among(sql`e.event_type`, criteria.eventTypes),
    ...among(sql`e.state`, criteria.eventStates),
    ...(criteria.eventStatus === undefined ? [] : [sql`${status} = ${criteria.eventStatus}`]),
    ...namesWith(criteria.keywords),
  ]
  return sql.join(parts, sql` and `)
}

const among = (column: RawBuilder<unknown>, values: readonly string[] | undefined) =>
  values === undefined ? [] : [isAmong(column, values)]

function within(column: RawBuilder<unknown>, { from, to }: DayRange): RawBuilder<unknown>[] {
  const lower = from === undefined ? [] : [sql`${column} >= ${from}::date`]
  const upper = to === undefined ? [] : [sql`${column} <= ${to}::date`]
  return [...lower, ...upper]
}

/** One and the same day is in the range. */
function anyWithin(column: RawBuilder<unknown>, range: DayRange): RawBuilder<unknown>[] {
  const parts = within(sql`day`, range)
  return parts.length === 0
    ? []
    : [sql`exists (select from unnest(${column}) as day where ${sql.join(parts, sql` and `)})`]
}

/** Decided with the holdings: how far the elections of all accounts have come. */
export function electionFilter({ electionStatuses }: EventCriteria): RawBuilder<unknown> {
  if (electionStatuses === undefined) return sql`true`
  const status = sql`case when not is_electable then null when elected = 0 then 'NotElected'
    when elected < size then 'PartialElected' else 'Elected' end`
  return isAmong(status, electionStatuses)
}

/** Every word is a part of one of the names. */
function namesWith(keywords: readonly string[]): RawBuilder<unknown>[] {
  if (keywords.length === 0) return []
  const names = folded(sql`concat_ws(e'\n', ${nameOf('description')}, ${nameOf('isin')}, ${nameOf('symbol')})`)
  return [sql`not exists (select from unnest(${keywords}::text[]) as word where strpos(${names}, word) = 0)`]
}

/** Without case, whatever the locale of the database. */
export const folded = (text: RawBuilder<unknown>) => sql`lower((${text}) collate letters)`

/** A name that the event's record gives itself, else the instrument's. */
export const nameOf = (name: 'description' | 'isin' | 'symbol') =>
  sql`coalesce(${sql.ref(`e.${name}`)}, ${sql.ref(`i.${name}`)})`
