import { Compile } from 'typebox/compile'
import { refusedStage } from '../access/import-refused-store.ts'
import { type CopyValue, createStage, insertStaged, type Stage } from '../database/copy.ts'
import type { Trx } from '../database/open.ts'
import { findReferenceFaults } from './import-check-store.ts'
import { type Fault, refuseExchange, refuseInstrument, refuseOptionRoot } from './import-rules.ts'
import {
  exchangeStage,
  instrumentStage,
  lockImport,
  type Merged,
  mergeReference,
  optionRootStage,
} from './import-store.ts'
import { ExchangeRecord, InstrumentRecord, OptionRootRecord } from './record-schema.ts'

/** The kinds of reference data that `refdesk import` reads (contract §9), each as data for whoever reads the lines. */
export const exchangeKind = {
  name: 'exchange',
  key: ['ExchangeId'],
  schema: ExchangeRecord,
  stage: exchangeStage,
  refuse: refuseExchange,
  row: (record: ExchangeRecord, document: string): CopyValue[] => [record.ExchangeId, document],
} as const

export const instrumentKind = {
  name: 'instrument',
  key: ['Uic'],
  schema: InstrumentRecord,
  stage: instrumentStage,
  refuse: refuseInstrument,
  row: (record: InstrumentRecord, document: string): CopyValue[] => {
    const [main] = record.As
    const exchanges = new Set(record.As.map((entry) => entry.ExchangeId ?? record.ExchangeId ?? ''))
    return [
      record.Uic,
      record.As.map((entry) => entry.AssetType),
      [...exchanges],
      main?.Symbol ?? record.Symbol ?? '',
      main?.Description ?? record.Description ?? '',
      record.Isin ?? null,
      record.ContinuousFuturesUic ?? null,
      document,
    ]
  },
} as const

export const optionRootKind = {
  name: 'optionRoot',
  key: ['OptionRootId'],
  schema: OptionRootRecord,
  stage: optionRootStage,
  refuse: refuseOptionRoot,
  row: (record: OptionRootRecord, document: string): CopyValue[] => [
    record.OptionRootId,
    record.ExchangeId ?? '',
    record.Series.flatMap((series) => series.Options.map((option) => option.Uic)),
    document,
  ],
} as const

export type ReferenceRecord =
  | ({ kind: 'exchange' } & ExchangeRecord)
  | ({ kind: 'instrument' } & InstrumentRecord)
  | ({ kind: 'optionRoot' } & OptionRootRecord)

type AnyKind = Readonly<{
  name: string
  schema: typeof ExchangeRecord | typeof InstrumentRecord | typeof OptionRootRecord
  stage: Stage
  refuse(record: object, fault: Fault): void
  row(record: object, document: string): CopyValue[]
}>
const kinds: readonly AnyKind[] = [exchangeKind, instrumentKind, optionRootKind]
const chunk = 2_000

/**
 * Merges records that the program itself has made, within a transaction of the caller's: they are its own affair, so a
 * fault in one is thrown as it is found. Raises the revision when something changed.
 */
export async function importReference(
  trx: Trx,
  records: Iterable<ReferenceRecord>,
): Promise<{ revision: number; merged: Merged[] }> {
  await lockImport(trx)
  for (const stage of [refusedStage, ...kinds.map((kind) => kind.stage)]) await createStage(trx, stage, 'transaction')
  const stagers = new Map(kinds.map((kind) => [kind.name, makeStager(trx, kind)]))
  let line = 0
  for (const { kind, ...record } of records) await stagers.get(kind)?.add(record, ++line)
  for (const stager of stagers.values()) await stager.flush()
  const [fault] = (await findReferenceFaults(trx)).flatMap(({ told }) => told)
  if (fault) throw new Error(`Record ${fault.line} (${fault.kind} ${fault.key}), field ${fault.field}: ${fault.reason}`)
  return mergeReference(trx)
}

function makeStager(trx: Trx, { name, schema, stage, refuse, row }: AnyKind) {
  const complete = Compile(schema)
  const columns = Object.keys(stage.columns)
  let rows: Record<string, CopyValue | object>[] = []
  const flush = async () => {
    if (rows.length > 0) await insertStaged(trx, stage, rows)
    rows = []
  }
  const add = async (record: object, line: number) => {
    const complain = (field: string, reason: string) => {
      throw new Error(`Record ${line} (${name}), field ${field}: ${reason} ${JSON.stringify(record).slice(0, 200)}`)
    }
    if (!complete.Check(record))
      for (const error of complete.Errors(record)) complain(error.instancePath, error.message)
    refuse(record, complain)
    const values = row(record, '')
    rows.push({ line, deletion: false, ...Object.fromEntries(columns.map((column, i) => [column, values[i] ?? null])) })
    Object.assign(rows.at(-1) ?? {}, { document: record })
    if (rows.length >= chunk) await flush()
  }
  return { add, flush }
}

/** The same from stages that were filled by whoever reads a file. */
export const referenceFamily = {
  kinds: [exchangeKind, instrumentKind, optionRootKind],
  findFaults: findReferenceFaults,
  apply: async (trx: Trx) => {
    const { revision, merged } = await mergeReference(trx)
    return { counts: merged, notes: [`The reference data has revision ${revision}.`] }
  },
}
