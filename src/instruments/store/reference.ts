import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { CalendarRecord, ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../import/schema.ts'

export async function readRevision(db: Db): Promise<number> {
  return (await readDataState(db)).revision
}

/** The revision and identity of the data. A restored database can repeat a revision, but not with the same identity. */
export function readDataState(db: Db): Promise<{ revision: number; identity: string }> {
  return db.selectFrom('reference_data').select(['revision', 'identity']).executeTakeFirstOrThrow()
}

/** Whether the data had this identity at this revision. */
export async function wasInState(db: Db, { revision, identity }: { revision: number; identity: string }) {
  const query = db.selectFrom('reference_history').select('revision').where('revision', '=', revision)
  return (await query.where('identity', '=', identity).executeTakeFirst()) !== undefined
}

/** There are a few hundred exchanges in the world. */
const maxExchanges = 10_000
const maxCalendars = 10_000

export async function listExchanges(db: Db): Promise<ExchangeRecord[]> {
  const rows = await db.selectFrom('exchange').select('document').orderBy('exchange_id').limit(maxExchanges).execute()
  return rows.map(({ document }) => document as ExchangeRecord)
}

export async function listCalendars(db: Db): Promise<CalendarRecord[]> {
  const rows = await db
    .selectFrom('trading_calendar')
    .select('document')
    .orderBy('calendar_id')
    .limit(maxCalendars)
    .execute()
  return rows.map(({ document }) => document as CalendarRecord)
}

/** The documents that changed after a revision (all after revision 0), in batches. */
async function* eachDocument<Document>(
  db: Db,
  { table, key, batch }: { table: string; key: string; batch: number },
  afterRevision: number,
): AsyncGenerator<Document[]> {
  const read = (after: number) => {
    const batchAfter = sql<{ key: number; document: Document }>`
      select ${sql.ref(key)} as key, document from ${sql.table(table)}
      where ${sql.ref(key)} > ${after} ${afterRevision > 0 ? sql`and revision > ${afterRevision}` : sql``}
      order by ${sql.ref(key)} limit ${batch}`.execute(db)
    // Reported when the batch is wanted, which it may never be.
    batchAfter.catch(() => {})
    return batchAfter
  }
  let next = read(0)
  while (true) {
    const { rows } = await next
    const last = rows.at(-1)
    if (!last) return
    // PostgreSQL reads the next batch while this one is used.
    next = read(last.key)
    yield rows.map(({ document }) => document)
  }
}

export const eachInstrument = (db: Db, afterRevision: number) =>
  eachDocument<InstrumentRecord>(db, { table: 'instrument', key: 'uic', batch: 5_000 }, afterRevision)

/** A root can have ten thousand contracts, so batches are small. */
export const eachOptionRoot = (db: Db, afterRevision: number) =>
  eachDocument<OptionRootRecord>(db, { table: 'option_root', key: 'option_root_id', batch: 50 }, afterRevision)

/** The number of records that changed after a revision, and of the option contracts in them. */
export async function countChanges(db: Db, afterRevision: number): Promise<{ records: number; contracts: number }> {
  const { rows } = await sql<{ records: number; contracts: number }>`
    select (select count(*) from instrument where revision > ${afterRevision})
         + (select count(*) from option_root where revision > ${afterRevision})
         + (select count(*) from reference_deletion where revision > ${afterRevision}) as records,
      (select coalesce(sum(cardinality(uics)), 0) from option_root where revision > ${afterRevision})::bigint as contracts
  `.execute(db)
  return rows[0] ?? { records: 0, contracts: 0 }
}

export async function listRemoved(db: Db, afterRevision: number) {
  const rows = await db
    .selectFrom('reference_deletion')
    .select(['kind', 'key'])
    .where('revision', '>', afterRevision)
    .execute()
  const keysOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ key }) => Number(key))
  return { instruments: keysOf('instrument'), optionRoots: keysOf('optionRoot') }
}
