import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import type { Listing } from '../rules/position-choice.ts'

/** Bounds what is read about one symbol. */
const maxInstruments = 50

/** The listings with this symbol. An asset type may have a symbol of its own. */
export async function findBySymbol(db: Db, symbol: string): Promise<Listing[]> {
  const { rows } = await sql<{ document: string }>`select document::text as document from instrument
    where symbol = ${symbol} or strpos(document::text, ${`"Symbol":${JSON.stringify(symbol)}`}) > 0
    order by uic limit ${maxInstruments}`.execute(db)
  return rows.flatMap(listingsOf).filter((listing) => listing.Symbol === symbol)
}

/** The first listings whose symbol begins like this, in any case. */
export async function findBySymbolStart(db: Db, start: string): Promise<Listing[]> {
  const { rows } = await sql<{ document: string }>`select document::text as document from instrument
    where starts_with(lower(symbol), ${start.toLowerCase()}) order by symbol, uic limit ${maxInstruments}`.execute(db)
  return rows.flatMap(listingsOf)
}

/** An entry of As overrides the fields of the record. */
function listingsOf({ document }: { document: string }): Listing[] {
  const record = JSON.parse(document) as InstrumentRecord
  return record.As.map((entry) => ({ ...record, ...entry }) as unknown as Listing)
}

/** Stages the deletion of the later records of each staged position: it then has no start date. */
export async function stageLaterPositions(trx: Trx): Promise<void> {
  await sql`insert into staged_position (line, deletion, account_key, uic, asset_type, held_from)
    select 0, true, account_key, uic, asset_type, t.held_from
    from staged_position s join position t using (account_key, uic, asset_type)
    where t.held_from > '-infinity'`.execute(trx)
}
