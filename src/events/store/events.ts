import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { type Cursor, isTextColumn, type Order } from '../api/cursor.ts'
import type { EventState, SortColumn } from '../api/enums.ts'
import type { Elections } from '../import/canonical.ts'
import { type EventCriteria, electionFilter, eventFilter, folded, nameOf } from './filters.ts'
import { appliedTo, inStates, instrumentOfEvent, type Scope, type ScopeFound } from './scope.ts'

export type EventPage = Readonly<{
  top: number
  skip: number
  order: Order
  after: Cursor | undefined
  /** Limits the holdings per event to the first accounts by id; default: all. */
  maxAccounts?: number
}>

export type EventRow = Readonly<{
  event_id: string
  event_type: string
  document: string
  status: string | null
  starts_on: string | null
  ends_on: string | null
  is_electable: boolean
  description: string | null
  isin: string | null
  symbol: string | null
  updated_at: Temporal.Instant
  affected: number
  eligible: string
  /** Sums of the absolute amounts held and elected per account: short positions are negative. */
  size: string
  elected: string
  /** JSON of HoldingRow[]; null with sub-clients, where only the totals are returned. */
  holdings: string | null
  sort_value: string
}>

export type HoldingRow = readonly [
  accountKey: string,
  accountId: string,
  amount: number,
  elected: number,
  elections: Elections | null,
]

export type EventsFound = Readonly<{ found: ScopeFound; total: number; hasMore: boolean; rows: EventRow[] }>

/** A page with holdings ends early after so many accounts: an event may have thousands. */
const maxHoldings = 20_000

/** A page of the events of a scope, the total and whether there are more, in one statement. */
export async function listEvents(
  db: Db,
  scope: Scope,
  today: string,
  criteria: EventCriteria,
  page: EventPage,
): Promise<EventsFound> {
  const { maxAccounts } = page
  const { column } = page.order
  const { ElectionStatuses } = criteria.filters
  const order = orderOf(page.order, page.after)
  const pageScope = { ...scope, maxAccounts }
  const needsElected = ElectionStatuses !== undefined || maxAccounts !== undefined
  const withinLimit =
    scope.includesSubClients || maxAccounts !== undefined ? sql`true` : sql`page.named < ${maxHoldings}`
  const statement = sql<FoundRow>`
    ${appliedTo(scope, today, {
      where: eventFilter(criteria, today),
      facts: factsFor(sortFacts[column]),
      withInstrument: criteria.keywords.length > 0 || column === 'InstrumentDescription',
    })},
    matching as materialized (
      select * from (${totals(scope, order.value, needsElected)}) t
      where ${electionFilter(ElectionStatuses)}
    ), numbered as (
      select *, row_number() over (order by sort_value ${order.direction}, event_id collate "C") as n,
        count(*) over () as remaining
      from matching where ${order.after}
    ), page as (
      select *, sum(affected) over (order by n) - affected as named
      from (select * from numbered where n > ${page.skip} order by n limit ${page.top}) as cut
    )
    select asked.*, (select count(*) from matching) as total, page.n, page.remaining, page.sort_value::text,
      page.affected, page.eligible, page.size, ${eventColumns(pageScope)}
    from asked left join page on ${withinLimit} ${eventsOfPage(pageScope)}
    order by page.n`
  const { rows } = await statement.execute(db)
  return found(rows)
}

/** One event of any date in one of these states, if it applies to the scope. */
export async function findEvent(
  db: Db,
  scope: Scope,
  today: string,
  eventId: string,
  states: readonly EventState[],
): Promise<EventsFound> {
  const statement = sql<FoundRow>`
    ${appliedTo(scope, today, { where: inStates(states), eventId, facts: factsFor(undefined) })},
    page as (${totals(scope, sortFact, false)})
    select asked.*, 0 as total, case when page.event_id is not null then 1 end as n, 1 as remaining, '' as sort_value,
      page.affected, page.eligible, page.size, ${eventColumns(scope)}
    from asked left join page on true ${eventsOfPage(scope)}`
  const { rows } = await statement.execute(db)
  return found(rows)
}

export async function listFilterValues(
  db: Db,
  scope: Scope,
  today: string,
  criteria: EventCriteria,
): Promise<{ found: ScopeFound; eventTypes: string[]; assetTypes: string[] }> {
  const facts = { event_type: sql`e.event_type`, asset_type: sql`e.asset_type` }
  const statement = sql<ScopeFound & { event_types: string[] | null; asset_types: string[] | null }>`
    ${appliedTo(scope, today, { where: eventFilter(criteria, today), facts })}
    select asked.*, (select array_agg(distinct event_type) from applied) as event_types,
      (select array_agg(distinct asset_type) from applied) as asset_types
    from asked`
  const { rows } = await statement.execute(db)
  const [{ event_types, asset_types, ...flags }] = rows as [(typeof rows)[number]]
  return { found: flags, eventTypes: event_types ?? [], assetTypes: asset_types ?? [] }
}

type FoundRow = ScopeFound & { total: number; n: number | null; remaining: number } & EventRow

function found(rows: FoundRow[]): EventsFound {
  const [first] = rows as [(typeof rows)[number]]
  const events = rows.filter(({ n }) => n !== null)
  const last = events.at(-1)
  return {
    found: first,
    total: first.total,
    hasMore: last !== undefined && last.n !== null && last.n < last.remaining,
    rows: events,
  }
}

/** One row per event, with the totals of its holdings. Elections are read only if they are filtered or summed. */
function totals(scope: Scope, value: RawBuilder<unknown>, needsElected: boolean): RawBuilder<unknown> {
  const readsElected = needsElected || scope.includesSubClients
  const elected = readsElected ? sql`, sum(abs(coalesce(h.elected_amount, 0))) as elected` : sql``
  const accounts = scope.includesSubClients
    ? sql``
    : sql`, array_agg(a.account_key) as account_keys, array_agg(a.account_id) as account_ids,
        array_agg(a.amount) as amounts`
  return sql`select event_id, is_electable, ${value} as sort_value, count(*) as affected, sum(a.amount) as eligible,
      sum(abs(a.amount)) as size ${elected} ${accounts}
    from applied a ${readsElected ? electionsOf(sql`a.event_id`, sql`a.account_key`) : sql``}
    group by event_id, is_electable, sort_fact`
}

const electionsOf = (eventId: RawBuilder<unknown>, accountKey: RawBuilder<unknown>) =>
  sql`left join lateral (select elected_amount, document from event_holding
    where event_id = ${eventId} and account_key = ${accountKey} offset 0) h on true`

/** Days and instants as numbers, so that a cursor holds a number or a text. */
const daysOf = (column: RawBuilder<unknown>) => sql`coalesce(${column} - date '2000-01-01', -10000000)`
const sortFacts: Readonly<Partial<Record<SortColumn, RawBuilder<unknown>>>> = {
  AnnouncedDate: daysOf(sql`e.announced_on`),
  CorporateActionType: sql`e.corporate_action_type collate "C"`,
  Date: daysOf(sql`e.key_date`),
  EventId: sql`e.event_id collate "C"`,
  EventType: sql`e.event_type_name collate "C"`,
  InstrumentDescription: sql`left(${folded(sql`coalesce(${nameOf('description')}, '')`)}, 200) collate "C"`,
  UpdatedDateTime: sql`(extract(epoch from e.updated_at) * 1000000)::bigint`,
}
const sortTotals: Readonly<Partial<Record<SortColumn, RawBuilder<unknown>>>> = {
  AffectedAccounts: sql`count(*)`,
  EligibleHoldings: sql`sum(a.amount)`,
}
const sortFact = sql`sort_fact`

const factsFor = (fact: RawBuilder<unknown> | undefined) => ({
  is_electable: sql`e.is_electable`,
  sort_fact: fact ?? sql`null`,
})

/** By the column, then by EventId, so that the order is stable (§7.2). */
function orderOf({ column, type }: Order, after: Cursor | undefined) {
  const cast = isTextColumn(column) ? sql`text collate "C"` : sql`numeric`
  const beyond = type === 'Asc' ? sql`>` : sql`<`
  const value = after && sql`${after.value}::${cast}`
  return {
    value: sortTotals[column] ?? sortFact,
    direction: type === 'Asc' ? sql`asc` : sql`desc`,
    after: after
      ? sql`(sort_value ${beyond} ${value} or (sort_value = ${value} and event_id collate "C" > ${after.eventId}))`
      : sql`true`,
  }
}

type PageScope = Scope & Readonly<{ maxAccounts?: number | undefined }>

/** The events of the page with their holdings, looked up row by row. */
function eventsOfPage(scope: PageScope): RawBuilder<unknown> {
  const holdings = scope.includesSubClients ? sql`` : holdingsOfEvent(scope)
  return sql`left join lateral (select * from event where event_id = page.event_id offset 0) e on true
    ${instrumentOfEvent} ${holdings}`
}

function eventColumns({ includesSubClients, maxAccounts }: PageScope): RawBuilder<unknown> {
  const elected = includesSubClients || maxAccounts !== undefined ? sql`page.elected` : sql`holdings.elected`
  return sql`e.event_id, e.event_type, e.document::text, e.status, e.starts_on, e.ends_on, e.is_electable, e.updated_at,
    ${nameOf('description')} as description, ${nameOf('isin')} as isin, ${nameOf('symbol')} as symbol,
    ${elected}, ${includesSubClients ? sql`null` : sql`holdings.holdings`} as holdings`
}

/** The accounts that an event applies to, with their holdings and elections. */
function holdingsOfEvent({ maxAccounts }: PageScope): RawBuilder<unknown> {
  const first = maxAccounts === undefined ? sql`` : sql`order by account_id collate "C" limit ${maxAccounts}`
  return sql`left join lateral (
    select sum(abs(coalesce(h.elected_amount, 0))) as elected, json_agg(json_build_array(
        held.account_key, held.account_id, held.amount, coalesce(h.elected_amount, 0), h.document)
        order by held.account_id collate "C")::text as holdings
    from (select * from unnest(page.account_keys, page.account_ids, page.amounts) as one (account_key, account_id, amount)
      ${first}) held
    ${electionsOf(sql`page.event_id`, sql`held.account_key`)}) holdings on true`
}
