import type { ReportError } from '../../database/staging/copy.ts'
import type { CalendarRecord, ExchangeRecord, InstrumentRecord, OptionRootRecord } from './schema.ts'

// What is valid, but shows less than was probably meant.

export function warnOfTimes({ Hours }: ExchangeRecord | CalendarRecord, report: ReportError): void {
  if (Hours?.length === 0) report('Hours', 'Is empty: it never opens.')
}

export function warnOfInstrument(record: InstrumentRecord, report: ReportError): void {
  for (const [index, entry] of record.As.entries()) {
    warnOfUnderlying({ ...record, ...entry }, `As[${index}].`, report)
    const { DisplayHint = record.DisplayHint } = entry
    const isFuture = entry.AssetType === 'ContractFutures' && DisplayHint !== 'Continuous'
    if (isFuture && record.ContinuousFuturesUic === undefined)
      report('ContinuousFuturesUic', 'Is missing: no futures space lists the future.')
  }
}

export function warnOfOptionRoot(record: OptionRootRecord, report: ReportError): void {
  warnOfUnderlying(record, '', report)
  if (record.Series.every(({ Options }) => Options.length === 0)) report('Series', 'Has no options.')
}

type Underlying = Pick<InstrumentRecord, 'UnderlyingUic' | 'UnderlyingAssetType'>

function warnOfUnderlying(
  { UnderlyingUic, UnderlyingAssetType }: Underlying,
  field: string,
  report: ReportError,
): void {
  if (UnderlyingUic !== undefined && UnderlyingAssetType === undefined)
    report(`${field}UnderlyingAssetType`, 'Is missing: apps find the underlying by UnderlyingUic and this.')
  if (UnderlyingUic === undefined && UnderlyingAssetType !== undefined)
    report(`${field}UnderlyingUic`, 'Is missing: apps find the underlying by UnderlyingAssetType and this.')
}
