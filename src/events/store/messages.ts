import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { recordText, type StoredEvent } from '../import/canonical.ts'
import type { Listing } from '../import/messages.ts'
import type { EventRecord } from '../import/schema.ts'

type InstrumentRow = {
  isin: string
  uic: number
  asset_types: Listing['AssetType'][]
  symbol: string
  description: string
}

async function findInstruments(db: Db, isins: readonly string[]): Promise<Map<string, InstrumentRow[]>> {
  const { rows } = await sql<InstrumentRow>`
    select isin, uic, asset_types, symbol, description from instrument t where isin = any(${isins})
      and not exists (select from staged_instrument s where s.uic = t.uic)
    union all select isin, uic, asset_types, symbol, description from staged_instrument
      where isin = any(${isins}) and not deletion
    order by uic`.execute(db)
  return Map.groupBy(rows, ({ isin }) => isin)
}

export async function findListings(db: Db, isins: readonly string[]): Promise<Map<string, Listing[]>> {
  const listings = [...(await findInstruments(db, isins))].map(([isin, some]): [string, Listing[]] => [
    isin,
    some.flatMap(({ uic, asset_types }) => asset_types.map((AssetType) => ({ Uic: uic, AssetType }))),
  ])
  return new Map(listings)
}

export type Security = Readonly<{ Uic: number; Description: string; Symbol: string }>

/** The instrument of each of these ISINs, unless several share the ISIN. */
export async function findSecurities(db: Db, isins: readonly string[]): Promise<Map<string, Security>> {
  const securities = [...(await findInstruments(db, isins))].flatMap(([isin, [one, ...others]]) =>
    one && others.length === 0
      ? [[isin, { Uic: one.uic, Description: one.description, Symbol: one.symbol }] as const]
      : [],
  )
  return new Map(securities)
}

/** An event without its holdings, and the ids of the options that were elected. */
export type KnownEvent = Readonly<{ record: EventRecord; elected: readonly string[] }>

type EventRow = StoredEvent & { event_id: string; elected: string[] | null }

export async function findEvents(db: Db, ids: readonly string[]): Promise<Map<string, KnownEvent>> {
  const { rows } = await sql<EventRow>`
    select event_id, document::text as document, aside::text as aside, updated_at as "updatedAt", null as holdings,
      (select array_agg(distinct o ->> 'OptionId') from event_holding h, json_array_elements(h.document -> 'Options') o
        where h.event_id = e.event_id) as elected
    from event e where event_id = any(${ids})`.execute(db)
  return new Map(
    rows.map(({ event_id, elected, ...event }) => [
      event_id,
      { record: JSON.parse(recordText(event)), elected: elected ?? [] },
    ]),
  )
}
