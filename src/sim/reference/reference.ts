import type { ReferenceRecord } from '../../instruments/import/kinds.ts'
import type { InstrumentRecord, OptionRootRecord } from '../../instruments/import/schema.ts'
import { demoExchanges } from './exchanges.ts'
import { demoFutures } from './futures.ts'
import { demoInstruments } from './instruments.ts'
import { demoOptionRoots } from './options.ts'

/** All reference data of the demo, as of a day (contract §10). */
export function demoReference(today: Temporal.PlainDate): ReferenceRecord[] {
  const exchanges = demoExchanges(today)
  const cash = demoInstruments(today)
  const instruments = [...cash, ...demoFutures(today, exchanges, cash)]
  const roots = demoOptionRoots(today, exchanges, instruments)
  const rootsByUnderlying = Map.groupBy(roots, ({ UnderlyingUic }) => UnderlyingUic)
  return [
    ...exchanges.map((record) => ({ kind: 'exchange' as const, ...record })),
    ...instruments.map((record) => ({
      kind: 'instrument' as const,
      ...withRoots(record, rootsByUnderlying.get(record.Uic) ?? []),
    })),
    ...roots.map((record) => ({ kind: 'optionRoot' as const, ...record })),
  ]
}

/** An underlying names the option roots on it, the standard one first. */
function withRoots(record: InstrumentRecord, roots: readonly OptionRootRecord[]): InstrumentRecord {
  if (roots.length === 0) return record
  const related = roots.map(({ AssetType, OptionRootId, ContractSize, GroupOptionRootId }) => ({
    AssetType,
    OptionRootId,
    OptionType: isAdjusted(ContractSize, GroupOptionRootId, roots) ? ('Adjusted' as const) : ('Default' as const),
  }))
  return { ...record, RelatedOptionRootsEnhanced: related }
}

/** After a corporate action the contracts of before go on under a root of their own, for another number of shares. */
function isAdjusted(
  size: number | undefined,
  groupRootId: number | undefined,
  roots: readonly OptionRootRecord[],
): boolean {
  const standard = roots.find(({ OptionRootId }) => OptionRootId === groupRootId)
  return standard !== undefined && standard.ContractSize !== size
}
