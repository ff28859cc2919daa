import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../database/open.ts'
import { readByCursor } from '../../database/staging/copy.ts'
import type { CalendarRecord, ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../import/schema.ts'

/** A record as it was; null if there was none. */
export type PastRecord<Document> = Readonly<{ key: string; document: Document | null }>

type Table = Readonly<{ kind: string; table: string; key: string }>

/** The records of a table that were changed after the version `seq`, and those that a condition on the present rows `p` selects, as
 *  they were at `seq`: the first version after it, or else the present row. The kind is a literal: any plan can then use the index
 *  that only some kinds have. */
const recordsAt = <Document>({ kind, table, key }: Table, seq: number, isWanted: RawBuilder<unknown>) =>
  sql<PastRecord<Document>>`
    with later as (
      select distinct on (id) id, previous from record_version where kind = ${sql.lit(kind)} and seq > ${seq} order by id, seq)
    select id as key, previous as document from later
    union all
    select p.${sql.ref(key)}::text, p.document from ${sql.table(table)} p
    where ${isWanted} and not exists (select from later where later.id = p.${sql.ref(key)}::text)`

const all = sql`true`
const since = (revision: number) => sql`p.revision > ${revision}`

/** The instruments that have changed after the version `seq`, or since the revision of a base. */
export const eachPastInstrument = (trx: Trx, seq: number, revision: number) =>
  readByCursor(
    trx,
    recordsAt<InstrumentRecord>({ kind: 'instrument', table: 'instrument', key: 'uic' }, seq, since(revision)),
    5_000,
  )

export const eachPastOptionRoot = (trx: Trx, seq: number, revision: number) =>
  readByCursor(
    trx,
    recordsAt<OptionRootRecord>(
      { kind: 'optionRoot', table: 'option_root', key: 'option_root_id' },
      seq,
      since(revision),
    ),
    50,
  )

const documentsIn = <Document>(rows: readonly PastRecord<Document>[]): Document[] =>
  rows.flatMap(({ document }) => document ?? [])

export async function listPastExchanges(trx: Trx, seq: number): Promise<ExchangeRecord[]> {
  const table = { kind: 'exchange', table: 'exchange', key: 'exchange_id' }
  return documentsIn((await recordsAt<ExchangeRecord>(table, seq, all).execute(trx)).rows)
}

export async function listPastCalendars(trx: Trx, seq: number): Promise<CalendarRecord[]> {
  const table = { kind: 'calendar', table: 'trading_calendar', key: 'calendar_id' }
  return documentsIn((await recordsAt<CalendarRecord>(table, seq, all).execute(trx)).rows)
}
