import { identifierText } from '../../core/records/identifiers.ts'
import { instrumentNames } from '../../core/records/instrument-names.ts'
import type { Trx } from '../../database/open.ts'
import type { CopyValue } from '../../database/staging/copy.ts'
import type { Filled } from '../../database/staging/stages.ts'
import { calendarStage, exchangeStage, instrumentStage, mergeReference, optionRootStage } from '../store/import.ts'
import { findReferenceErrors } from '../store/import-checks.ts'
import { checkCalendar, checkExchange, checkInstrument, checkOptionRoot } from './checks.ts'
import { CalendarRecord, ExchangeRecord, InstrumentRecord, OptionRootRecord } from './schema.ts'
import { warnOfInstrument, warnOfOptionRoot, warnOfTimes } from './warnings.ts'

/** The kinds of records that `refdesk import` reads (§9.1). */
export const calendarKind = {
  name: 'calendar',
  key: ['CalendarId'],
  schema: CalendarRecord,
  stage: calendarStage,
  check: checkCalendar,
  warn: warnOfTimes,
  row: (record: CalendarRecord, document: string): CopyValue[] => [record.CalendarId, document],
} as const

export const exchangeKind = {
  name: 'exchange',
  key: ['ExchangeId'],
  schema: ExchangeRecord,
  stage: exchangeStage,
  check: checkExchange,
  warn: warnOfTimes,
  row: (record: ExchangeRecord, document: string): CopyValue[] => [
    record.ExchangeId,
    record.CalendarId ?? null,
    document,
  ],
} as const

export const instrumentKind = {
  name: 'instrument',
  key: ['Uic'],
  schema: InstrumentRecord,
  stage: instrumentStage,
  check: checkInstrument,
  warn: warnOfInstrument,
  row: (record: InstrumentRecord, document: string): CopyValue[] => {
    const { symbol, description, isin } = instrumentNames(record)
    const exchanges = new Set(record.As.map((entry) => entry.ExchangeId ?? record.ExchangeId ?? ''))
    return [
      record.Uic,
      record.As.map((entry) => entry.AssetType),
      [...exchanges],
      symbol,
      description,
      isin,
      record.Identifiers?.map(identifierText) ?? null,
      record.ContinuousFuturesUic ?? null,
      record.CalendarId ?? null,
      document,
    ]
  },
} as const

export const optionRootKind = {
  name: 'optionRoot',
  key: ['OptionRootId'],
  schema: OptionRootRecord,
  stage: optionRootStage,
  check: checkOptionRoot,
  warn: warnOfOptionRoot,
  row: (record: OptionRootRecord, document: string): CopyValue[] => [
    record.OptionRootId,
    record.ExchangeId ?? '',
    record.Series.flatMap((series) => series.Options.map((option) => option.Uic)),
    record.CalendarId ?? null,
    document,
  ],
} as const

export const referenceFamily = {
  kinds: [calendarKind, exchangeKind, instrumentKind, optionRootKind],
  findErrors: findReferenceErrors,
  apply: async (trx: Trx, filled: Filled) => {
    const { revision, merged } = await mergeReference(trx, filled)
    return { counts: merged, notes: [], state: [`The reference data has revision ${revision}.`], revision }
  },
}
