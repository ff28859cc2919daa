import { type RawBuilder, sql } from 'kysely'
import { announce } from '../../database/changes.ts'
import type { Trx } from '../../database/open.ts'
import { type Filled, hasAny } from '../../database/staging/stages.ts'
import { factNames, storedNames } from '../import/stages.ts'
import type { Warnings } from '../messages/warning.ts'

export type Merged = { kind: string; added: number; changed: number; unchanged: number; removed: number }

const affected = ({ numAffectedRows }: { numAffectedRows?: bigint }): number => Number(numAffectedRows ?? 0n)
const positionKey = sql`account_key, uic, asset_type, held_from`
/** After so many new rows the tables are analyzed at once. */
const analyzeAfter = 10_000

export async function mergePositions(trx: Trx): Promise<Merged> {
  await sql`update staged_position set held_from = '-infinity' where held_from is null`.execute(trx)
  const removed = affected(
    await sql`delete from position t using staged_position s where (t.account_key, t.uic, t.asset_type, t.held_from)
      = (s.account_key, s.uic, s.asset_type, s.held_from) and s.deletion`.execute(trx),
  )
  await chainPositions(trx)
  const { rows } = await sql<{ given: number; added: number; changed: number }>`
    select (select count(*) from staged_position where not deletion) as given,
      count(*) filter (where before is null) as added, count(*) filter (where before <> amount) as changed
    from chained_position`.execute(trx)
  const { given, added, changed } = rows[0] ?? { given: 0, added: 0, changed: 0 }
  await sql`update position t set amount = c.amount, held_until = c.held_until from chained_position c
    where (t.account_key, t.uic, t.asset_type, t.held_from) = (c.account_key, c.uic, c.asset_type, c.held_from)
      and (t.amount, t.held_until) <> (c.amount, c.held_until)`.execute(trx)
  await sql`insert into position (${positionKey}, held_until, amount)
    select ${positionKey}, held_until, amount from chained_position where before is null`.execute(trx)
  await sql`drop table chained_position`.execute(trx)
  if (added + removed > analyzeAfter) await sql`analyze position`.execute(trx)
  return { kind: 'position', added, changed, removed, unchanged: given - added - changed }
}

/** All records of the affected accounts and instruments; each holds until the next. `before` is the stored amount. */
async function chainPositions(trx: Trx): Promise<void> {
  await sql`create temp table chained_position on commit drop as
    with touched as materialized (select distinct account_key, uic, asset_type from staged_position),
      present as (select ${positionKey}, amount from position join touched using (account_key, uic, asset_type)),
      given as (select ${positionKey}, amount from staged_position where not deletion)
    select ${positionKey}, p.amount as before, coalesce(g.amount, p.amount) as amount,
      coalesce(lead(held_from) over (partition by account_key, uic, asset_type order by held_from), 'infinity') as held_until
    from present p full join given g using (${positionKey})`.execute(trx)
  await sql`analyze chained_position (${positionKey})`.execute(trx)
}

export async function unfoldHoldings(trx: Trx): Promise<void> {
  await sql`drop table if exists staged_holding`.execute(trx)
  await sql`create temp table staged_holding on commit drop as
    select event_id, line, value ->> 0 as account_key, ordinality::integer as ordinal, value -> 1 as document,
      exists (select from event_holding h where h.event_id = staged_event.event_id and h.account_key = value ->> 0
        and h.by_user and h.document::text = (value -> 1)::text) as by_user,
      coalesce((select sum((o ->> 'ElectedAmount')::numeric)
        from json_array_elements(value -> 1 -> 'Options') o), 0) as elected_amount
    from staged_event, json_array_elements(holdings) with ordinality
    where not deletion and holdings is not null`.execute(trx)
  await sql`analyze staged_holding (event_id, account_key)`.execute(trx)
}

const names = (columns: readonly string[], of: string) => sql.join(columns.map((name) => sql.ref(`${of}.${name}`)))

/** Whether an import replaces the elections `h` by those of its event `s`: without any it keeps those that users made. */
const isReplaced = sql`s.holdings is not null and not (h.by_user and json_array_length(s.holdings) = 0)`

/** Whether the elections `h` are those of the staged `n`. */
const isSameHolding = sql`h.event_id = n.event_id and h.account_key = n.account_key and h.ordinal = n.ordinal
  and h.by_user = n.by_user and h.document::text = n.document::text`

/** Events whose elections change. Ordinals may have gaps where an account was deleted. */
const changedElections = sql`select event_id from staged_holding s full join (
    select h.event_id, h.account_key, h.document,
      row_number() over (partition by h.event_id order by h.ordinal, h.account_key collate "C") as place
    from event_holding h join staged_event s using (event_id) where not s.deletion and ${isReplaced}
  ) t using (event_id, account_key)
  where s.ordinal is distinct from t.place or s.document::text is distinct from t.document::text`

/** The revision of the events that an import changes, if it changes any. Locks it until the end of the transaction. */
async function nextRevision(trx: Trx): Promise<number> {
  const { revision } = await trx.selectFrom('event_data').select('revision').forUpdate().executeTakeFirstOrThrow()
  return revision + 1
}

/** Announces that events have changed, and with which revision. All nodes then read what is new. */
async function raiseRevision(trx: Trx, revision: number): Promise<void> {
  await trx.updateTable('event_data').set({ revision }).execute()
  await announce(trx, [{ topic: 'events', key: String(revision) }])
}

/** Deletes the events that a condition on `event t` and other tables selects, and notes that they are gone. */
const deletedEvents = (from: RawBuilder<unknown>, revision: number) => sql`gone as (
    delete from event t ${from} returning t.event_id, t.uic
  ), noted as (
    insert into event_deletion (event_id, revision) select event_id, ${revision}::bigint from gone
    on conflict (event_id) do update set revision = excluded.revision)`

/** Removes all events. */
export async function removeEvents(trx: Trx): Promise<void> {
  const revision = await nextRevision(trx)
  await sql`with ${deletedEvents(sql``, revision)} select count(*) from gone`.execute(trx)
  await raiseRevision(trx, revision)
}

/** An unchanged event keeps the time of its last change unless the record has another; a changed one gets the time of
 *  the record, else now. */
export async function mergeEvents(trx: Trx, now: Temporal.Instant): Promise<Merged> {
  await sql`create temp table changed_event on commit drop as
    select s.event_id, t.event_id is null as is_new from staged_event s left join event t using (event_id)
    where not s.deletion and (t.event_id is null or s.document::text <> t.document::text
      or s.aside::text is distinct from t.aside::text or s.updated_at <> t.updated_at
      or (${names(factNames, 's')}) is distinct from (${names(factNames, 't')})
      or event_id in (${changedElections}))`.execute(trx)
  const { rows } = await sql<{ given: number; added: number; changed: number }>`
    select (select count(*) from staged_event where not deletion) as given,
      count(*) filter (where is_new) as added, count(*) filter (where not is_new) as changed
    from changed_event`.execute(trx)
  const { given, added, changed } = rows[0] ?? { given: 0, added: 0, changed: 0 }
  const revision = await nextRevision(trx)
  const target = sql.join(storedNames.map((name) => sql.ref(name)))
  const source = sql`select ${names(storedNames, 's')}, coalesce(s.updated_at, ${now.toString()}::timestamptz),
    ${revision}::bigint from staged_event s join changed_event c using (event_id) where not s.deletion`
  await sql`insert into event (${target}, updated_at, revision) ${source} on conflict (event_id) do update
    set (${target}, updated_at, revision) = row (${names([...storedNames, 'updated_at', 'revision'], 'excluded')})`.execute(
    trx,
  )
  await sql`delete from event_holding h using changed_event join staged_event s using (event_id)
    where h.event_id = s.event_id and ${isReplaced} and not exists (
      select from staged_holding n where ${isSameHolding})`.execute(trx)
  await sql`insert into event_holding (event_id, account_key, ordinal, elected_amount, document, by_user)
    select event_id, account_key, ordinal, elected_amount, document, by_user from staged_holding n
    join changed_event using (event_id)
    where not exists (select from event_holding h where ${isSameHolding})`.execute(trx)
  const { rows: gone } = await sql<{ removed: number }>`
    with ${deletedEvents(sql`using staged_event s where t.event_id = s.event_id and s.deletion`, revision)}
    select count(*) as removed from gone`.execute(trx)
  const removed = gone[0]?.removed ?? 0
  await sql`drop table changed_event`.execute(trx)
  if (added + changed + removed > 0) await raiseRevision(trx, revision)
  if (added > analyzeAfter) await sql`analyze event, event_holding`.execute(trx)
  return { kind: 'event', added, changed, removed, unchanged: given - added - changed }
}

export type Ended = { contracts: number; positions: number; events: number }
export const noneEnded: Ended = { contracts: 0, positions: 0, events: 0 }

/** Whether instruments or contracts may go, so that `gone_instrument` is needed. */
export const mayEndContracts = (filled: Filled): boolean => hasAny(filled, 'staged_instrument', 'staged_option_root')

/** Contracts expire every day without explicit deletions, so their positions and events are removed with them. Runs after
 *  findEventErrors, which creates `gone_instrument`, and after the merges. */
export async function removeEnded(trx: Trx): Promise<Ended> {
  const { rows: some } = await sql`select from gone_instrument where has_ended limit 1`.execute(trx)
  if (some.length === 0) return noneEnded
  const revision = await nextRevision(trx)
  const { rows } = await sql<Ended>`with ended as (
      select distinct uic, asset_type from gone_instrument where has_ended),
    held as (delete from position t using ended e where (t.uic, t.asset_type) = (e.uic, e.asset_type) returning t.uic),
    ${deletedEvents(sql`using ended e where (t.uic, t.asset_type) = (e.uic, e.asset_type)`, revision)}
    select (select count(*) from held) as positions, (select count(*) from gone) as events,
      (select count(*) from (select uic from held union select uic from gone) as named) as contracts`.execute(trx)
  const ended = rows[0] ?? noneEnded
  if (ended.events > 0) await raiseRevision(trx, revision)
  return ended
}

/** Events that leave Cancelled or Complete: allowed, but worth a note (§7.5). */
export async function findReopened(trx: Trx, max: number): Promise<{ listed: string[]; total: number }> {
  const { rows } = await sql<{ event_id: string; before: string; after: string; total: number }>`
    select event_id, t.state as before, s.state as after, count(*) over () as total
    from staged_event s join event t using (event_id)
    where not s.deletion and t.state in ('Cancelled', 'Complete') and s.state <> t.state
    order by event_id collate "C" limit ${max}`.execute(trx)
  const listed = rows.map(({ event_id, before, after }) => `Event ${event_id} changed from ${before} to ${after}.`)
  return { listed, total: rows[0]?.total ?? 0 }
}

export async function findWarnings(trx: Trx, max: number): Promise<Warnings[]> {
  const { rows } = await sql<Warnings>`
    select warning_kind as kind, count(*) as total,
      (array_agg(warning order by event_id collate "C"))[:${sql.lit(max)}] as listed
    from staged_event where warning is not null group by warning_kind order by warning_kind`.execute(trx)
  return rows
}
