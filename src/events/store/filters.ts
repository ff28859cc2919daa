import { type RawBuilder, sql } from 'kysely'
import type { EventFilters } from '../api/schema.ts'
import type { DayRange, DayRanges } from '../rules/filters.ts'
import type { EventSelection } from '../rules/listing.ts'
import { inStates, isAmong, statusOn } from './scope.ts'

export type EventCriteria = Readonly<{
  selection: EventSelection
  filters: EventFilters
  days: DayRanges
  keywords: readonly string[]
}>

/** The conditions on an event and its names, which are checked before holdings are read. */
export function eventFilter(criteria: EventCriteria, today: string): RawBuilder<unknown> {
  const { selection, filters, days, keywords } = criteria
  const status = statusOn(today)
  const isLapsed = sql`(${status} = 'Past' and ${inStates(selection.lapsedStates)})`
  const conditions = [
    sql`e.key_date between ${selection.from}::date and ${selection.to}::date`,
    sql`case when ${isLapsed} then ${selection.includesLapsed}::boolean else ${inStates(selection.states)} end`,
    ...within(sql`e.ex_on`, days.Ex),
    ...within(sql`e.record_on`, days.Record),
    ...anyWithin(sql`e.deadlines`, days.Deadline),
    ...anyWithin(sql`e.payments`, days.Pay),
    ...among(sql`e.asset_type`, filters.AssetTypes),
    ...among(sql`e.corporate_action_type`, filters.CorporateActionTypes),
    ...among(sql`e.event_type`, filters.EventTypes),
    ...among(sql`e.state`, filters.EventStates),
    ...(filters.EventStatus === undefined ? [] : [sql`${status} = ${filters.EventStatus}`]),
    ...namesWith(keywords),
  ]
  return sql.join(conditions, sql` and `)
}

const among = (column: RawBuilder<unknown>, values: readonly string[] | undefined) =>
  values === undefined ? [] : [isAmong(column, values)]

function within(column: RawBuilder<unknown>, { from, to }: DayRange): RawBuilder<unknown>[] {
  const lower = from === undefined ? [] : [sql`${column} >= ${from}::date`]
  const upper = to === undefined ? [] : [sql`${column} <= ${to}::date`]
  return [...lower, ...upper]
}

function anyWithin(column: RawBuilder<unknown>, range: DayRange): RawBuilder<unknown>[] {
  const conditions = within(sql`day`, range)
  return conditions.length === 0
    ? []
    : [sql`exists (select from unnest(${column}) as day where ${sql.join(conditions, sql` and `)})`]
}

/** The condition on the elections of all accounts, which is checked together with the holdings. */
export function electionFilter(statuses: EventFilters['ElectionStatuses']): RawBuilder<unknown> {
  if (statuses === undefined) return sql`true`
  const status = sql`case when not is_electable then null when elected = 0 then 'NotElected'
    when elected < size then 'PartialElected' else 'Elected' end`
  return isAmong(status, statuses)
}

function namesWith(keywords: readonly string[]): RawBuilder<unknown>[] {
  if (keywords.length === 0) return []
  const names = folded(sql`concat_ws(e'\n', ${nameOf('description')}, ${nameOf('isin')}, ${nameOf('symbol')})`)
  return [sql`not exists (select from unnest(${keywords}::text[]) as word where strpos(${names}, word) = 0)`]
}

/** Case-insensitive, independent of the locale of the database. */
export const folded = (text: RawBuilder<unknown>) => sql`lower((${text}) collate letters)`

/** The name in the event's record, else that of the instrument. */
export const nameOf = (name: 'description' | 'isin' | 'symbol') =>
  sql`coalesce(${sql.ref(`e.${name}`)}, ${sql.ref(`i.${name}`)})`
