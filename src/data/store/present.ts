import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'

const tables: Readonly<Record<string, readonly [table: string, key: string, type: string]>> = {
  calendar: ['trading_calendar', 'calendar_id', 'text'],
  exchange: ['exchange', 'exchange_id', 'text'],
  instrument: ['instrument', 'uic', 'bigint'],
  optionRoot: ['option_root', 'option_root_id', 'bigint'],
}

/** The records of reference data with these ids, as JSON. */
export async function readDocuments(db: Db, kind: string, ids: readonly string[]): Promise<Map<string, string>> {
  const [table, key, type] = tables[kind] ?? []
  if (table === undefined || key === undefined || type === undefined) return new Map()
  const { rows } = await sql<{ id: string; document: string }>`
    select ${sql.ref(key)}::text as id, document::text as document from ${sql.table(table)}
    where ${sql.ref(key)} = any(${ids}::text[]::${sql.raw(type)}[])`.execute(db)
  return new Map(rows.map(({ id, document }) => [id, document]))
}

type PositionKey = Readonly<{ id: string; AccountKey?: string; Uic?: number; AssetType?: string; From?: string }>

/** The rows of positions, in the form in which the history keeps them. */
export async function readPositions(db: Db, keys: readonly PositionKey[]): Promise<{ id: string; row: string }[]> {
  const { rows } = await sql<{ id: string; row: string }>`
    select k.id, (to_jsonb(p) - 'held_until')::text as row
    from json_to_recordset(${JSON.stringify(keys)}::json)
      as k (id text, "AccountKey" text, "Uic" bigint, "AssetType" text, "From" date)
    join position p on (p.account_key, p.uic, p.asset_type, p.held_from)
      = (k."AccountKey", k."Uic", k."AssetType", coalesce(k."From", '-infinity'))`.execute(db)
  return rows
}

/** The right that the history names with a part, in the form in which it keeps it. */
export async function findRight(db: Db, clientKey: string, part: string): Promise<string | undefined> {
  const { rows } = await sql<{ row: string }>`
    select row::text as row from (
      select to_jsonb(r) - 'access_right_id' as row from access_right r where client_key = ${clientKey}) found
    where md5(row::text) = ${part}`.execute(db)
  return rows[0]?.row
}
