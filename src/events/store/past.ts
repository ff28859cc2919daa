import { sql } from 'kysely'
import { type InstrumentWithNames, instrumentNames } from '../../core/records/instrument-names.ts'
import type { Db, Trx } from '../../database/open.ts'
import { readByCursor } from '../../database/staging/copy.ts'
import { type StoredFacts, storedFacts } from '../import/stages.ts'
import { type EventFactsRow, optionsIn } from './catalogue.ts'

/** Small, because facts are derived in the thread that serves. */
const batch = 200

type Names = ReturnType<typeof instrumentNames>
/** What is known of the names. */
type OwnNames = { readonly [Name in keyof Names]: Names[Name] | null }
type PastRow = OwnNames &
  Readonly<{
    event_id: string
    document: string | null
    aside: Parameters<typeof storedFacts>[1]
    updated_at: number | null
    options: string | null
  }>

/** An event as it was; null if there was none. */
export type PastEvent = Readonly<{ eventId: string; row: EventFactsRow | null }>

/** The events that were changed after the version `seq`, as they were: the first version after it. */
export async function* eachPastEvent(trx: Trx, seq: number, namesAt: PastNames): AsyncGenerator<PastEvent[]> {
  const query = sql<PastRow>`
    with later as (
      select distinct on (id) id, previous from record_version where kind = 'event' and part = '' and seq > ${seq}
      order by id, seq)
    select l.id as event_id, (l.previous -> 'document')::text as document, l.previous -> 'aside' as aside,
      (extract(epoch from (l.previous ->> 'updated_at')::timestamptz) * 1000000)::bigint as updated_at,
      ${optionsIn(sql`(l.previous -> 'document')`)} as options, i.symbol, i.description, i.isin
    from later l left join lateral (
      select symbol, description, isin from instrument
      where uic = (l.previous -> 'document' ->> 'Uic')::bigint offset 0) i on true`
  for await (const rows of readByCursor(trx, query, batch)) yield rows.map((row) => pastEvent(row, namesAt))
}

function pastEvent({ event_id: eventId, document, aside, ...found }: PastRow, namesAt: PastNames): PastEvent {
  if (document === null) return { eventId, row: null }
  const facts = storedFacts(JSON.parse(document), aside)
  const names = namesAt.get(facts.uic as number)
  return { eventId, row: factsRow(eventId, facts, { ...found, names: names === undefined ? found : names }) }
}

type Found = Readonly<{ updated_at: number | null; options: string | null; names: OwnNames | null }>

/** The same as `factColumns` gives of a present event. */
function factsRow(eventId: string, facts: StoredFacts, { updated_at, options, names }: Found): EventFactsRow {
  return {
    ...{ eventId, uic: facts.uic, assetType: facts.asset_type, corporateActionType: facts.corporate_action_type },
    ...{ eventType: facts.event_type, eventTypeName: facts.event_type_name, state: facts.state, status: facts.status },
    ...{ isElectable: facts.is_electable, announcedOn: facts.announced_on, exOn: facts.ex_on },
    ...{ recordOn: facts.record_on, keyDate: facts.key_date, startsOn: facts.starts_on, endsOn: facts.ends_on },
    deadlines: (facts.deadlines as string[]).join(),
    payments: (facts.payments as string[]).join(),
    options: facts.is_electable ? options : null,
    description: facts.description ?? names?.description ?? null,
    isin: facts.isin ?? names?.isin ?? null,
    symbol: facts.symbol ?? names?.symbol ?? null,
    updatedAt: updated_at,
    // Of no present event: its document is read by its version.
    revision: -1,
  } as EventFactsRow
}

/** The names of instruments that have other ones now, by Uic; null if there was no such instrument. */
export type PastNames = ReadonlyMap<number, Names | null>

/** Of those instruments that events are of, now or before. */
export async function readPastNames(trx: Trx, seq: number): Promise<PastNames> {
  type Row = Readonly<{ uic: number; previous: InstrumentWithNames | null; isKnown: boolean }> & Names
  const query = sql<Row>`
    with named as (
      select distinct (previous -> 'document' ->> 'Uic')::bigint as uic from record_version
      where kind = 'event' and part = '' and seq > ${seq} and previous is not null
      union select uic from event),
    later as (
      select distinct on (v.id) v.id::bigint as uic, v.previous from record_version v
      where v.kind = 'instrument' and v.seq > ${seq} and v.id in (select uic::text from named) order by v.id, v.seq)
    select l.uic, l.previous, i.uic is not null as "isKnown", i.symbol, i.description, i.isin
    from later l left join instrument i on i.uic = l.uic`
  const names = new Map<number, Names | null>()
  for await (const rows of readByCursor(trx, query, batch))
    for (const { uic, previous, isKnown, symbol, description, isin } of rows) {
      const before = previous && instrumentNames(previous)
      if (!isSame(before, isKnown ? { symbol, description, isin } : null)) names.set(uic, before)
    }
  return names
}

const isSame = (one: Names | null, other: Names | null): boolean =>
  one?.symbol === other?.symbol && one?.description === other?.description && one?.isin === other?.isin

/** An event whose instrument had other names, with its own ones. */
export type NamedEvent = OwnNames & Readonly<{ eventId: string; uic: number }>

export async function* eachNamedEvent(trx: Trx, names: PastNames): AsyncGenerator<NamedEvent[]> {
  if (names.size === 0) return
  yield* readByCursor(
    trx,
    sql<NamedEvent>`select event_id as "eventId", uic, symbol, description, isin from event
      where uic = any(${[...names.keys()]}::bigint[])`,
    batch,
  )
}

/** The documents of events by id, as they were. */
export async function readPastDocuments(
  db: Db,
  seq: number,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; document: string | null }>`
    select k.id, case when v.seq is null then e.document::text else (v.previous -> 'document')::text end as document
    from unnest(${eventIds}::text[]) k(id)
    left join lateral (
      select seq, previous from record_version
      where kind = 'event' and id = k.id and part = '' and seq > ${seq} order by seq limit 1) v on true
    left join event e on e.event_id = k.id`.execute(db)
  return new Map(rows.flatMap(({ id, document }) => (document === null ? [] : [[id, document] as const])))
}
