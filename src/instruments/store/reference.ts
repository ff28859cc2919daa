import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../import/schema.ts'

export async function readRevision(db: Db): Promise<number> {
  return (await readDataState(db)).revision
}

/** The revision and identity of the data. A restored database can repeat a revision, but not with the same identity. */
export function readDataState(db: Db): Promise<{ revision: number; identity: string }> {
  return db.selectFrom('reference_data').select(['revision', 'identity']).executeTakeFirstOrThrow()
}

/** There are a few hundred exchanges in the world. */
const maxExchanges = 10_000

export async function listExchanges(db: Db): Promise<ExchangeRecord[]> {
  const rows = await db.selectFrom('exchange').select('document').orderBy('exchange_id').limit(maxExchanges).execute()
  return rows.map(({ document }) => document as ExchangeRecord)
}

const instrumentsPerBatch = 5_000
/** A root can have ten thousand contracts. */
const rootsPerBatch = 50

/** The instruments that changed after a revision (all after revision 0), in batches. */
export async function* eachInstrument(db: Db, afterRevision: number): AsyncGenerator<InstrumentRecord[]> {
  let last = 0
  while (true) {
    const rows = await db
      .selectFrom('instrument')
      .select(['uic', 'document'])
      .where('uic', '>', last)
      .$if(afterRevision > 0, (query) => query.where('revision', '>', afterRevision))
      .orderBy('uic')
      .limit(instrumentsPerBatch)
      .execute()
    if (rows.length === 0) return
    yield rows.map(({ document }) => document as InstrumentRecord)
    last = rows.at(-1)?.uic ?? last
  }
}

export async function* eachOptionRoot(db: Db, afterRevision: number): AsyncGenerator<OptionRootRecord[]> {
  let last = 0
  while (true) {
    const rows = await db
      .selectFrom('option_root')
      .select(['option_root_id', 'document'])
      .where('option_root_id', '>', last)
      .$if(afterRevision > 0, (query) => query.where('revision', '>', afterRevision))
      .orderBy('option_root_id')
      .limit(rootsPerBatch)
      .execute()
    if (rows.length === 0) return
    yield rows.map(({ document }) => document as OptionRootRecord)
    last = rows.at(-1)?.option_root_id ?? last
  }
}

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

/** What was removed after a revision and not added again. */
export async function listRemoved(db: Db, afterRevision: number) {
  const rows = await db
    .selectFrom('reference_deletion')
    .select(['kind', 'key'])
    .where('revision', '>', afterRevision)
    .execute()
  const keysOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ key }) => Number(key))
  return { instruments: keysOf('instrument'), optionRoots: keysOf('optionRoot') }
}
