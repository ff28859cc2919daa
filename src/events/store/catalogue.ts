import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import { readByCursor } from '../../database/staging/copy.ts'
import type { EventFacts } from '../rules/facts.ts'

/** A revision and the identity of the data at it. A restored database can repeat a revision, but not with the same identity. */
type DataState = Readonly<{ revision: number; identity: string }>
/** The events, and the reference data that has the names of their instruments. */
export type EventsState = Readonly<{ events: DataState; reference: DataState }>

export type EventFactsRow = Omit<EventFacts, 'deadlines' | 'payments' | 'closing'> &
  Readonly<{ deadlines: string; payments: string; options: string | null }>
/** An option of an electable event, as JSON. */
export type OptionRow = readonly [
  optionId: string,
  optionType: string | null,
  isDefault: boolean | null,
  status: string | null,
  deadline: string | null,
]

/** What has changed since a state. */
export type EventChanges = Readonly<{ changed: EventFactsRow[]; removed: string[] }>

export async function readState(trx: Db): Promise<EventsState> {
  const of = (table: 'event_data' | 'reference_data') =>
    trx.selectFrom(table).select(['revision', 'identity']).executeTakeFirstOrThrow()
  return { events: await of('event_data'), reference: await of('reference_data') }
}

/** Whether the database was in this state, now or before: then it knows what was changed and removed since. After a restore,
 *  or a failover that lost it, it was not. */
export async function wasInState(trx: Db, { events, reference }: EventsState): Promise<boolean> {
  const was = async (table: 'event_history' | 'reference_history', { revision, identity }: DataState) => {
    const query = trx.selectFrom(table).select('revision').where('revision', '=', revision)
    return (await query.where('identity', '=', identity).executeTakeFirst()) !== undefined
  }
  return (await was('event_history', events)) && (await was('reference_history', reference))
}

export const isSameState = (a: EventsState, b: EventsState): boolean =>
  a.events.identity === b.events.identity && a.reference.identity === b.reference.identity

/** Reads one consistent state of the database. */
export function readConsistently<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

/** The options in a document, as OptionRow each. */
export const optionsIn = (document: RawBuilder<unknown>) => sql`(
    select json_agg(json_build_array(o ->> 'OptionId', o -> 'OptionType' ->> 'Code', o -> 'IsDefault', o ->> 'OptionStatus',
      coalesce(o -> 'Deadline' ->> 'Date', o -> 'ElectionPeriod' -> 'End' ->> 'Date')))
    from json_array_elements(${document} -> 'Options') o)::text`

export const factColumns = sql`e.event_id as "eventId", e.uic, e.asset_type as "assetType",
  e.corporate_action_type as "corporateActionType", e.event_type as "eventType", e.event_type_name as "eventTypeName",
  e.state, e.status, e.is_electable as "isElectable", e.announced_on as "announcedOn", e.ex_on as "exOn",
  e.record_on as "recordOn", e.key_date as "keyDate", e.starts_on as "startsOn", e.ends_on as "endsOn",
  array_to_string(e.deadlines, ',') as deadlines, array_to_string(e.payments, ',') as payments,
  case when e.is_electable then ${optionsIn(sql`e.document`)} end as options,
  coalesce(e.description, i.description) as description, coalesce(e.isin, i.isin) as isin,
  coalesce(e.symbol, i.symbol) as symbol, (extract(epoch from e.updated_at) * 1000000)::bigint as "updatedAt", e.revision`

export const withInstrument = sql`event e left join lateral (
  select description, isin, symbol from instrument where uic = e.uic offset 0) i on true`

const batch = 1_000

export function eachEvent(trx: Trx): AsyncGenerator<EventFactsRow[]> {
  return readByCursor(trx, sql<EventFactsRow>`select ${factColumns} from ${withInstrument}`, batch)
}

/** The changes since a state, also those of instruments' names; undefined if there are more than `max`. */
export async function readChanges(trx: Trx, since: EventsState, max: number): Promise<EventChanges | undefined> {
  const [events, reference] = [since.events.revision, since.reference.revision]
  const { rows: ids } = await sql<{ event_id: string }>`
    select event_id from event where revision > ${events}
    union select e.event_id from instrument i join event e using (uic) where i.revision > ${reference}
    union select e.event_id from reference_deletion d join event e on e.uic = d.key::bigint
      where d.kind = 'instrument' and d.revision > ${reference}
    limit ${max + 1}`.execute(trx)
  if (ids.length > max) return undefined
  const { rows: changed } = await sql<EventFactsRow>`select ${factColumns} from ${withInstrument}
    where e.event_id = any(${ids.map(({ event_id }) => event_id)}::text[])`.execute(trx)
  const removed = await trx.selectFrom('event_deletion').select('event_id').where('revision', '>', events).execute()
  return { changed, removed: removed.map(({ event_id }) => event_id) }
}

export type DocumentRow = Readonly<{ event_id: string; revision: number; document: string }>

/** The documents of events by id, each with the revision of its event. */
export const readDocuments = prepared(
  (_db, { eventIds }: { eventIds: readonly string[] }) => sql<DocumentRow>`
    select event_id, revision, document::text as document from event where event_id = any(${eventIds}::text[])`,
)
