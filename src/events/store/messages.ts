import { type RawBuilder, sql } from 'kysely'
import { isinIn } from '../../core/records/identifiers.ts'
import type { Db } from '../../database/open.ts'
import { recordText, type StoredEvent } from '../import/canonical.ts'
import type { Listing } from '../import/messages.ts'
import type { EventRecord } from '../import/schema.ts'

type Instrument = {
  isin: string | null
  uic: number
  asset_types: Listing['AssetType'][]
  symbol: string
  description: string
  identifiers: string[] | null
}

/** The instruments that a condition selects, as they are after the run. */
async function findInstruments(db: Db, condition: RawBuilder<unknown>): Promise<Instrument[]> {
  const columns = sql`isin, uic, asset_types, symbol, description, identifiers`
  const { rows } = await sql<Instrument>`
    select ${columns} from instrument t where ${condition}
      and not exists (select from staged_instrument s where s.uic = t.uic)
    union all select ${columns} from staged_instrument where ${condition} and not deletion
    order by uic`.execute(db)
  return rows
}

const findByIsin = async (db: Db, isins: readonly string[]): Promise<Map<string, Instrument[]>> =>
  Map.groupBy(await findInstruments(db, sql`isin = any(${isins})`), ({ isin }) => isin ?? '')

async function findByIdentifier(db: Db, identifiers: readonly string[]): Promise<Map<string, Instrument[]>> {
  if (identifiers.length === 0) return new Map()
  const found = await findInstruments(db, sql`identifiers && ${identifiers}::text[]`)
  const pairs = found.flatMap((one) => (one.identifiers ?? []).map((identifier) => ({ identifier, one })))
  return new Map(
    [...Map.groupBy(pairs, ({ identifier }) => identifier)].map(([key, some]) => [key, some.map(({ one }) => one)]),
  )
}

/** For each list of identifiers, the securities that have one of them, each with its listings. Instruments with the same ISIN are
 *  listings of one security. */
export async function findListings(db: Db, lists: readonly (readonly string[])[]): Promise<Listing[][][]> {
  const all = [...new Set(lists.flat())]
  const named = await findByIdentifier(
    db,
    all.filter((identifier) => isinIn(identifier) === undefined),
  )
  const isins = [...all.map(isinIn), ...[...named.values()].flat().map(({ isin }) => isin)].filter(
    (isin) => isin != null,
  )
  const byIsin = await findByIsin(db, [...new Set(isins)])
  return lists.map((identifiers) => {
    const securities = new Map<string, Instrument[]>()
    for (const identifier of identifiers) {
      const isin = isinIn(identifier)
      for (const one of isin === undefined ? (named.get(identifier) ?? []) : (byIsin.get(isin) ?? []))
        securities.set(one.isin ?? String(one.uic), byIsin.get(one.isin ?? '') ?? [one])
    }
    return [...securities.values()].map((instruments) => instruments.flatMap(listingsOf))
  })
}

const listingsOf = ({ uic, asset_types }: Instrument): Listing[] =>
  asset_types.map((AssetType) => ({ Uic: uic, AssetType }))

export type Security = Readonly<{ Uic: number; Description: string; Symbol: string }>

/** The instrument of each of these ISINs, unless several share the ISIN. */
export async function findSecurities(db: Db, isins: readonly string[]): Promise<Map<string, Security>> {
  const securities = [...(await findByIsin(db, isins))].flatMap(([isin, [one, ...others]]) =>
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
