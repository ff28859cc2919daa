import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../import/schema.ts'

export async function readRevision(db: Db): Promise<number> {
  return (await readDataState(db)).revision
}

/** The data's revision, and which data of that revision it is. */
export function readDataState(db: Db): Promise<{ revision: number; identity: string }> {
  return db.selectFrom('reference_data').select(['revision', 'identity']).executeTakeFirstOrThrow()
}

/** What an exchange is there for, instruments, is bounded by memory; exchanges are a few hundred in the whole world. */
const mostExchanges = 10_000

export async function listExchanges(db: Db): Promise<ExchangeRecord[]> {
  const rows = await db.selectFrom('exchange').select('document').orderBy('exchange_id').limit(mostExchanges).execute()
  return rows.map(({ document }) => document as ExchangeRecord)
}

const instrumentsAtOnce = 5_000
/** A root may have ten thousand contracts. */
const rootsAtOnce = 50

/** The instruments that changed after a revision, all of them after revision 0; in portions, so that few are in memory. */
export async function* eachInstrument(db: Db, afterRevision: number): AsyncGenerator<InstrumentRecord[]> {
  let last = 0
  while (true) {
    const rows = await db
      .selectFrom('instrument')
      .select(['uic', 'document'])
      .where('uic', '>', last)
      .$if(afterRevision > 0, (query) => query.where('revision', '>', afterRevision))
      .orderBy('uic')
      .limit(instrumentsAtOnce)
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
      .limit(rootsAtOnce)
      .execute()
    if (rows.length === 0) return
    yield rows.map(({ document }) => document as OptionRootRecord)
    last = rows.at(-1)?.option_root_id ?? last
  }
}

/** How much a catalogue of this revision would have to take in: records, and option contracts among them. */
export async function countChanges(db: Db, afterRevision: number): Promise<{ records: number; contracts: number }> {
  const { rows } = await sql<{ records: number; contracts: number }>`
    select (select count(*) from instrument where revision > ${afterRevision})
         + (select count(*) from option_root where revision > ${afterRevision})
         + (select count(*) from reference_deletion where revision > ${afterRevision}) as records,
      (select coalesce(sum(cardinality(uics)), 0) from option_root where revision > ${afterRevision})::bigint as contracts
  `.execute(db)
  return rows[0] ?? { records: 0, contracts: 0 }
}

/** What was removed after a revision and has not come back. */
export async function listRemoved(db: Db, afterRevision: number) {
  const rows = await db
    .selectFrom('reference_deletion')
    .select(['kind', 'key'])
    .where('revision', '>', afterRevision)
    .execute()
  const keysOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ key }) => Number(key))
  return { instruments: keysOf('instrument'), optionRoots: keysOf('optionRoot') }
}
