import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { readByCursor } from '../../database/staging/copy.ts'

type Row = { document: string }

/** Documents ordered by key, independent of the locale. */
async function* read(db: Db, table: string, order: string, chunk: number): AsyncGenerator<string[]> {
  const query = sql<Row>`select document::text as document from ${sql.table(table)} order by ${sql.raw(order)}`
  for await (const rows of readByCursor(db, query, chunk)) yield rows.map(({ document }) => document)
}

/** A root can have thousands of contracts, so few are in memory at once. */
export const referenceExports = [
  { kind: 'calendar', read: (db: Db) => read(db, 'trading_calendar', 'calendar_id collate "C"', 100) },
  { kind: 'exchange', read: (db: Db) => read(db, 'exchange', 'exchange_id collate "C"', 100) },
  { kind: 'instrument', read: (db: Db) => read(db, 'instrument', 'uic', 2_000) },
  { kind: 'optionRoot', read: (db: Db) => read(db, 'option_root', 'option_root_id', 20) },
] as const
