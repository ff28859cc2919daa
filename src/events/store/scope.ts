import { type RawBuilder, sql } from 'kysely'
import type { EventState } from '../api/enums.ts'

/** Whose events are in question (contract §7): a client, narrowed to a group or an account of it, or with all below it. */
export type Scope = Readonly<{
  /** The client of whoever asks: the client in question is this one or below it. */
  callerClientKey: string
  clientKey: string
  accountKey?: string | undefined
  accountGroupKey?: string | undefined
  includesSubClients: boolean
}>

/** Whether the keys of a scope are there for whoever asks; they are the same for what is not there and what is not theirs.
 *  With it the client in question, for the holdings that are told one by one. */
export type ScopeFound = Readonly<{
  has_client: boolean
  has_account: boolean
  has_group: boolean
  client_id: string | null
  client_name: string | null
  owner_id: string | null
}>

/** Which events of what is held: a condition on `e`, and on its instrument `i` where that is asked for; and the facts of
 *  an event, each an expression of the same, that the rest of the statement goes on with. */
export type EventChoice = Readonly<{
  where: RawBuilder<unknown>
  facts: Readonly<Record<string, RawBuilder<unknown>>>
  withInstrument?: boolean
  eventId?: string
}>

/**
 * CTEs from the scope to the accounts in question, and from there to the events of what they hold:
 * `asked` (one row: ScopeFound), `accounts`, `held` (one row for each instrument that they have positions of), and
 * `applied`: one row for each event and account that it applies to, with the facts of the event and the amount that counts.
 * They begin a statement that goes on with more of its own.
 *
 * Laterals with `offset 0` are looked up row by row, whatever the planner thinks of sizes: the cost follows what the
 * accounts hold, and not how many events there are.
 */
export function appliedTo(scope: Scope, today: string, events: EventChoice): RawBuilder<unknown> {
  const { clientKey, accountKey, accountGroupKey } = scope
  const below = scope.includesSubClients
    ? sql`union select c.client_key from clients join client c on c.owner_client_key = clients.client_key`
    : sql``
  const oneAccount = accountKey === undefined ? sql`` : sql`and a.account_key = ${accountKey}`
  const oneGroup = accountGroupKey === undefined ? sql`` : sql`and a.account_group_key = ${accountGroupKey}`
  const { eventId } = events
  const oneInstrument =
    eventId === undefined
      ? sql``
      : sql`and (p.uic, p.asset_type) = (select uic, asset_type from event where event_id = ${eventId})`
  const oneEvent = eventId === undefined ? sql`` : sql`and e.event_id = ${eventId}`
  const facts = Object.entries(events.facts)
  const tell = sql.join(
    facts.map(([name, value]) => sql`, ${value} as ${sql.ref(name)}`),
    sql``,
  )
  const told = sql.join(
    facts.map(([name]) => sql`, ${sql.ref(`e.${name}`)}`),
    sql``,
  )
  return sql`with recursive above as (
      select client_key, owner_client_key from client where client_key = ${clientKey}
      union select c.client_key, c.owner_client_key from above join client c on c.client_key = above.owner_client_key
    ), asked as materialized (
      select exists (select from above where client_key = ${scope.callerClientKey}) as has_client,
        ${belongs('account', 'account_key', accountKey, clientKey)} as has_account,
        ${belongs('account_group', 'account_group_key', accountGroupKey, clientKey)} as has_group,
        c.client_id, c.name as client_name, o.client_id as owner_id
      from (select) one left join client c on c.client_key = ${clientKey}
      left join client o on o.client_key = c.owner_client_key
    ), clients as (
      select client_key from client
      where client_key = ${clientKey} and (select has_client and has_account and has_group from asked)
      ${below}
    ), accounts as materialized (
      select a.account_key, a.account_id from clients cross join lateral (
        select account_key, account_id, account_group_key from account where client_key = clients.client_key offset 0) a
      where true ${oneAccount} ${oneGroup}
    ), held as materialized (
      select p.uic, p.asset_type, array_agg(account_key) as account_keys, array_agg(account_id) as account_ids,
        array_agg(p.records) as records, array_agg(p.since) as since, array_agg(p.amount) as amounts
      from accounts cross join lateral (
        select uic, asset_type, count(*) as records, min(held_from) as since, coalesce(sum(amount) filter (
          where held_from <= ${today}::date and held_until > ${today}::date), 0) as amount
        from position p where p.account_key = accounts.account_key ${oneInstrument}
        group by uic, asset_type offset 0) p
      group by p.uic, p.asset_type
    ), applied as materialized (
      select e.event_id ${told}, h.account_key, h.account_id,
        case when e.counts_record_date then on_record.amount else h.amount end as amount
      from held cross join lateral (
        select e.event_id, e.record_on, coalesce(e.record_on < ${today}::date, false) as counts_record_date ${tell}
        from event e ${events.withInstrument ? instrumentOfEvent : sql``}
        where e.uic = held.uic and e.asset_type = held.asset_type ${oneEvent} and ${events.where} offset 0) e
      cross join lateral unnest(held.account_keys, held.account_ids, held.records, held.since, held.amounts)
        as h (account_key, account_id, records, since, amount)
      cross join lateral (select ${heldOnRecordDate} as amount) on_record
      where h.amount <> 0 or on_record.amount <> 0
    )`
}

/** What an account held at the end of a record date that counts. Where its position has one record only, that tells it. */
const heldOnRecordDate = sql`case when not e.counts_record_date then 0
  when h.records = 1 then case when h.since <= e.record_on then h.amount else 0 end
  else coalesce((select p.amount from position p where p.account_key = h.account_key and p.uic = held.uic
    and p.asset_type = held.asset_type and p.held_from <= e.record_on order by p.held_from desc limit 1), 0) end`

export const instrumentOfEvent = sql`left join lateral (
  select description, isin, symbol from instrument where uic = e.uic offset 0) i on true`

function belongs(table: string, column: string, key: string | undefined, clientKey: string): RawBuilder<unknown> {
  if (key === undefined) return sql`true`
  return sql`exists (select from ${sql.table(table)} where ${sql.ref(column)} = ${key} and client_key = ${clientKey})`
}

/** The status of an event today: what the data says, else what its dates say (rules/listing, eventStatus). */
export const statusOn = (today: string) => sql`coalesce(e.status, case
  when ${today}::date < e.starts_on then 'Upcoming' when ${today}::date > e.ends_on then 'Past' else 'Active' end)`

export const isAmong = (column: RawBuilder<unknown>, values: readonly string[]) =>
  sql`${column} = any(${values}::text[])`

export const inStates = (states: readonly EventState[]) => isAmong(sql`e.state`, states)
