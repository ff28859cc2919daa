import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { EventState } from '../api/enums.ts'

/** Whose events are selected (§7.1): a client, one of its account groups or accounts, or the client with all sub-clients. */
export type Scope = Readonly<{
  /** The caller's client: the selected client must be this one or one of its sub-clients. */
  callerClientKey: string
  clientKey: string
  accountKey?: string | undefined
  accountGroupKey?: string | undefined
  includesSubClients: boolean
}>

/** Whether the caller may use the keys of a scope, and the selected client. Unknown keys count as forbidden. */
export type ScopeFound = Readonly<{
  has_client: boolean
  has_account: boolean
  has_group: boolean
  client_id: string | null
  client_name: string | null
  /** A client without an owner owns itself (§7.5). */
  owner_id: string | null
}>

/** A condition on the event `e` and, withInstrument, its instrument `i`; `facts` are expressions over both. */
export type EventChoice = Readonly<{
  where: RawBuilder<unknown>
  facts: Readonly<Record<string, RawBuilder<unknown>>>
  withInstrument?: boolean
  eventId?: string
}>

/** The row of ScopeFound, as the CTE `asked`. */
function askedScope({ callerClientKey, clientKey, accountKey, accountGroupKey }: Scope): RawBuilder<unknown> {
  return sql`above as (
      select client_key, owner_client_key from client where client_key = ${clientKey}
      union select c.client_key, c.owner_client_key from above join client c on c.client_key = above.owner_client_key
    ), asked as materialized (
      select exists (select from above where client_key = ${callerClientKey}) as has_client,
        ${belongs('account', 'account_key', accountKey, clientKey)} as has_account,
        ${belongs('account_group', 'account_group_key', accountGroupKey, clientKey)} as has_group,
        c.client_id, c.name as client_name, coalesce(o.client_id, c.client_id) as owner_id
      from (select) one left join client c on c.client_key = ${clientKey}
      left join client o on o.client_key = c.owner_client_key
    )`
}

export async function findScope(db: Db, scope: Scope): Promise<ScopeFound> {
  const { rows } = await sql<ScopeFound>`with recursive ${askedScope(scope)} select * from asked`.execute(db)
  return rows[0] as ScopeFound
}

/** The start of a statement: `asked` has one row (ScopeFound), `held` one per instrument with positions, and `applied`
 *  one per event and account, with the facts and the amount that counts. Laterals with `offset 0` force a lookup per
 *  row, so that the cost depends on the holdings and not on the number of events. */
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
  const factColumns = sql.join(
    facts.map(([name, value]) => sql`, ${value} as ${sql.ref(name)}`),
    sql``,
  )
  const factNames = sql.join(
    facts.map(([name]) => sql`, ${sql.ref(`e.${name}`)}`),
    sql``,
  )
  return sql`with recursive ${askedScope(scope)}, clients as (
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
      select e.event_id ${factNames}, h.account_key, h.account_id,
        case when e.counts_record_date then on_record.amount else h.amount end as amount
      from held cross join lateral (
        select e.event_id, e.record_on, coalesce(e.record_on < ${today}::date, false) as counts_record_date ${factColumns}
        from event e ${events.withInstrument ? instrumentOfEvent : sql``}
        where e.uic = held.uic and e.asset_type = held.asset_type ${oneEvent} and ${events.where} offset 0) e
      cross join lateral unnest(held.account_keys, held.account_ids, held.records, held.since, held.amounts)
        as h (account_key, account_id, records, since, amount)
      cross join lateral (select ${heldOnRecordDate} as amount) on_record
      where h.amount <> 0 or on_record.amount <> 0
    )`
}

/** The amount an account held at the end of a past record date. A position with a single record needs no lookup. */
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

/** The status of an event today; the SQL of eventStatus in rules/listing. */
export const statusOn = (today: string) => sql`coalesce(e.status, case
  when ${today}::date < e.starts_on then 'Upcoming' when ${today}::date > e.ends_on then 'Past' else 'Active' end)`

export const isAmong = (column: RawBuilder<unknown>, values: readonly string[]) =>
  sql`${column} = any(${values}::text[])`

export const inStates = (states: readonly EventState[]) => isAmong(sql`e.state`, states)
