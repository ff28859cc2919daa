import { type RawBuilder, sql } from 'kysely'
import type { Moment } from '../../database/history/moments.ts'
import { prepared } from '../../database/prepared.ts'
import {
  clientColumns,
  isSelected,
  type Relation,
  type ScopeFound,
  type ScopeValues,
  scopeColumns,
  scopeTables,
} from './scope.ts'

/** Which elections are read: those of events on or after a day. Older events are never listed. */
export type Since = Readonly<{ since: string }>
export type OneEvent = Readonly<{ eventId: string; uic: number; assetType: string }>
export type Values = ScopeValues & Partial<Since> & Partial<OneEvent> & Readonly<{ today: string }>
export type Kind = 'all' | 'ofEvent'
export type Found = ScopeFound &
  Readonly<{ events_revision: number; reference_revision: number; last_election: number }>
export type AccountsFound = Found & Readonly<{ accounts: string | null }>
export type TotalsFound = Found & Readonly<{ periods: string | null; elections: string | null }>

const revisions = sql`(select revision from event_data) as events_revision,
  (select revision from reference_data) as reference_revision, (select last from election_count) as last_election`

/** Values, or the columns that have them. */
type SqlOf<All> = { readonly [Name in keyof All]?: All[Name] | RawBuilder<unknown> }
type Sql = RawBuilder<unknown>

/** Where holdings are read from: each a table, as `p`, `h`, `s` or `e`, and the condition on an account or event. */
type Source = Readonly<{
  positions(account: Sql): Sql
  elections(account: Sql): Sql
  standing(account: Sql): Sql
  instrumentOf(eventId: Sql): Sql
  /** Whether the event of the election `h` is recent enough. */
  isSince(since: SqlOf<Since>['since']): Sql
  /** Whether the account of the position `p` holds something of the instrument today, and the columns of positions until today
   *  that this needs. */
  holdsToday(today: string): Sql
  periodColumns(today: string): Sql
}>

/** The day of an event is looked up for each election: a join could be planned as a scan of all events. */
const present: Source = {
  positions: (account) => sql`position p where p.account_key = ${account}`,
  elections: (account) => sql`event_holding h where h.account_key = ${account}`,
  standing: (account) => sql`standing_instruction s where s.account_key = ${account}`,
  instrumentOf: (eventId) => sql`event e where e.event_id = ${eventId}`,
  isSince: (since) => sql`(select key_date from event e where e.event_id = h.event_id) >= ${since}::date`,
  holdsToday: (today) => sql`p.held_until > ${today}::date or exists (
    select from position later where later.account_key = p.account_key and later.uic = p.uic
      and later.asset_type = p.asset_type and later.held_from <= ${today}::date and later.held_until > ${today}::date
      and later.amount <> 0)`,
  periodColumns: () => sql`*`,
}

/** As it was at a moment (migration 031). */
const past = ({ seq, at }: Moment): Source => ({
  positions: (account) => sql`positions_at(${account}, ${seq}) p where true`,
  elections: (account) => sql`elections_at(${account}, ${seq}, ${at.toString()}) h where true`,
  standing: (account) => sql`standing_instructions_at(${account}, ${at.toString()}) s where true`,
  instrumentOf: (eventId) => sql`instrument_of_event_at(${eventId}, ${seq}) e where true`,
  isSince: () => sql`true`,
  holdsToday: () => sql`p.holds_today`,
  periodColumns: (today) =>
    sql`*, bool_or(p.held_until > ${today}::date) over (partition by p.uic, p.asset_type) as holds_today`,
})

/** Conditions on positions `p`, elections `h` and standing instructions `s`. */
const positionsOf: Record<Kind, (values: SqlOf<Values>) => Sql> = {
  all: () => sql`true`,
  ofEvent: ({ uic, assetType }) => sql`p.uic = ${uic} and p.asset_type = ${assetType}`,
}
const electionsOf: Record<Kind, (values: SqlOf<Values>, source: Source) => Sql> = {
  all: ({ since }, { isSince }) => isSince(since),
  ofEvent: ({ eventId }) => sql`h.event_id = ${eventId}`,
}
const standingOf: Record<Kind, (values: SqlOf<Values>) => Sql> = {
  all: ({ since }) => sql`(s.ended_at is null or s.ended_at >= ${since}::date)`,
  ofEvent: ({ uic, assetType }) => sql`s.uic = ${uic} and s.asset_type = ${assetType}`,
}

const accountKey = sql.ref('a.account_key')

/** The accounts by id, each with its positions, elections and standing instructions. */
const accountsColumn = (values: SqlOf<Values>, kind: Kind, isSelectedAccount: Sql, source: Source) => sql`(
      select json_agg(json_build_array(a.account_key, a.account_id, (
          select json_agg(json_build_array(p.uic, p.asset_type, p.held_from, p.held_until, p.amount))
          from ${source.positions(accountKey)} and ${positionsOf[kind](values)}
        ), (
          select json_agg(json_build_array(h.event_id, h.elected_amount, h.document))
          from ${source.elections(accountKey)} and ${electionsOf[kind](values, source)}
        ), (
          select json_agg(json_build_array(s.uic, s.asset_type, s.option_type,
            floor(extract(epoch from s.created_at) * 1000), floor(extract(epoch from s.ended_at) * 1000)))
          from ${source.standing(accountKey)} and ${standingOf[kind](values)}
        )) order by a.account_id collate "C")::text
      from account a where a.client_key = ${values.clientKey} and ${isSelectedAccount}) as accounts`

const accountsQuery = (relation: Relation, kind: Kind, values: Values, source: Source) => sql<AccountsFound>`
    select ${scopeColumns(values, relation)}, ${revisions},
      ${accountsColumn(values, kind, isSelected(values, relation), source)}
    from ${scopeTables(values)}`

const variants = <Statement>(declare: (relation: Relation, kind: Kind) => Statement) => ({
  whole: { all: declare('whole', 'all'), ofEvent: declare('whole', 'ofEvent') },
  own: { all: declare('own', 'all'), ofEvent: declare('own', 'ofEvent') },
  below: { all: declare('below', 'all'), ofEvent: declare('below', 'ofEvent') },
})

export const accounts = variants((relation, kind) =>
  prepared((_db, values: Values) => accountsQuery(relation, kind, values, present)),
)

export const pastAccounts = (relation: Relation, kind: Kind, values: Values, moment: Moment) =>
  accountsQuery(relation, kind, values, past(moment))

/** The same as `accounts.whole.all` for several clients, each looked up by its key: a join could be planned as a scan. The arrays
 *  are wrapped in subqueries to hide their length from the planner, which would otherwise plan each execution. */
export const wholeClients = prepared((_db, { clientKeys, since }: { clientKeys: string[]; since: string[] }) => {
  const values = { clientKey: sql.ref('k.client_key'), since: sql.ref('k.since') }
  return sql<AccountsFound>`
    select ${clientColumns}, ${revisions}, ${accountsColumn(values, 'all', sql`true`, present)}
    from unnest((select ${clientKeys}::text[]), (select ${since}::date[])) with ordinality k(client_key, since, at)
    left join lateral (select * from client where client_key = k.client_key offset 0) c on true
    left join lateral (select client_id from client where client_key = c.owner_client_key offset 0) o on true
    order by k.at`
})

/** The period of a position `p` (rules/holdings.ts), as columns. */
const period = ({ today }: Values, { holdsToday }: Source) => sql`p.held_from,
  case when p.held_until > ${today}::date then 'infinity' else p.held_until end as held_until,
  ${holdsToday(today)} as holds_today`

const account = sql.ref('accounts.account_key')

/** The positions of an account until today that meet a condition, as `p`. */
const periodsOf = ({ today }: Values, { positions, periodColumns }: Source, condition: Sql) => sql`(
        select ${periodColumns(today)} from ${positions(account)} and ${condition}
          and p.amount <> 0 and p.held_from <= ${today}::date offset 0) p`

/** Laterals with `offset 0` force a lookup per account, so that the cost depends on the accounts and not on the tables. */
const totalsQuery = (relation: Relation, kind: Kind, values: Values, source: Source) => sql<TotalsFound>`
    with recursive clients as (
      select client_key from client where client_key = ${values.clientKey}
      union select c.client_key from clients join client c on c.owner_client_key = clients.client_key
    ), accounts as materialized (
      select a.account_key from clients cross join lateral (
        select account_key, account_group_key from account where client_key = clients.client_key offset 0) a
      where ${isSelected(values, relation)}
    ), periods as (
      select p.uic, p.asset_type, ${period(values, source)}, count(*) as accounts, sum(p.amount) as amount,
        sum(abs(p.amount)) as size
      from accounts cross join lateral ${periodsOf(values, source, positionsOf[kind](values))}
      group by 1, 2, 3, 4, 5
    ), elections as (
      select h.event_id, ${period(values, source)}, sum(abs(h.elected_amount)) as elected
      from accounts cross join lateral (
        select event_id, elected_amount from ${source.elections(account)} and ${electionsOf[kind](values, source)} offset 0) h
      cross join lateral (select uic, asset_type from ${source.instrumentOf(sql.ref('h.event_id'))} offset 0) e
      cross join lateral ${periodsOf(values, source, sql`p.uic = e.uic and p.asset_type = e.asset_type`)}
      group by 1, 2, 3, 4
    )
    select ${scopeColumns(values, relation)}, ${revisions}, (
        select json_agg(json_build_array(uic, asset_type, held_from, held_until, holds_today, accounts, amount, size))::text
        from periods) as periods, (
        select json_agg(json_build_array(event_id, held_from, held_until, holds_today, elected))::text
        from elections) as elections
    from ${scopeTables(values)}`

export const totals = variants((relation, kind) =>
  prepared((_db, values: Values) => totalsQuery(relation, kind, values, present)),
)

export const pastTotals = (relation: Relation, kind: Kind, values: Values, moment: Moment) =>
  totalsQuery(relation, kind, values, past(moment))
