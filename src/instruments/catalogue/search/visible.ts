import type { AssetType } from '../../../core/asset-type.ts'
import type { ExchangeFacts } from '../exchanges.ts'
import { typeNames, typeNumbers } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { RequestView } from '../snapshot.ts'

/** The row of an instrument, or an option contract with the row of its root. */
export type VisibleRow = Readonly<{ reader: SegmentReader; row: number; contract?: number }>

export type View = Pick<RequestView, 'snapshot' | 'access' | 'sendsObsoleteFields'>

export function findVisible(
  { snapshot, access }: Omit<View, 'sendsObsoleteFields'>,
  uic: number,
  assetType: string,
): VisibleRow | undefined {
  const type = typeNumbers.get(assetType)
  for (const reader of snapshot.readers) {
    const { bucketTypes, docRows, options } = reader.segment
    const { visible } = reader.rightsOf(access)
    const isWanted = (row: number): boolean => {
      const bucket = reader.bucketOf(row)
      return bucketTypes[bucket] === type && visible[bucket] === 1
    }
    const doc = reader.docOf(uic)
    if (doc !== undefined) {
      const end = docRows[doc + 1] as number
      for (let row = docRows[doc] as number; row < end; row++) if (isWanted(row)) return { reader, row }
    }
    const contract = reader.contractOf(uic)
    if (contract === undefined) continue
    const rootRow = reader.rowOfRoot(options.roots[contract] as number)
    if (isWanted(rootRow)) return { reader, row: rootRow, contract }
  }
  return undefined
}

export function isRootVisible({ snapshot, access }: View, optionRootId: number): boolean {
  const found = snapshot.findRoot(optionRootId)
  if (!found) return false
  const { reader, index: root } = found
  return reader.rightsOf(access).visible[reader.bucketOf(reader.rowOfRoot(root))] === 1
}

type Related = {
  RelatedInstruments?: { AssetType: string; Uic: number }[]
  RelatedOptionRootsEnhanced?: { OptionRootId: number }[]
}

/** Removes relations to instruments and option roots that the caller may not see. */
export function withVisibleRelations(view: View, members: string): string {
  const { RelatedInstruments = [], RelatedOptionRootsEnhanced = [], ...others } = JSON.parse(`{${members}}`) as Related
  const instruments = RelatedInstruments.filter(({ Uic, AssetType }) => findVisible(view, Uic, AssetType))
  const roots = RelatedOptionRootsEnhanced.filter(({ OptionRootId }) => isRootVisible(view, OptionRootId))
  const visible = {
    ...others,
    ...(instruments.length > 0 && { RelatedInstruments: instruments }),
    ...(roots.length > 0 && { RelatedOptionRootsEnhanced: roots }),
    ...(roots.length > 0 &&
      view.sendsObsoleteFields && { RelatedOptionRoots: roots.map(({ OptionRootId }) => OptionRootId) }),
  }
  return JSON.stringify(visible).slice(1, -1)
}

export function visibleRows({ snapshot, access }: View, assetType: string): VisibleRow[] {
  const type = typeNumbers.get(assetType)
  return snapshot.readers.flatMap((reader) => {
    const { visible } = reader.rightsOf(access)
    const buckets = [...reader.segment.bucketTypes.keys()].filter(
      (bucket) => reader.segment.bucketTypes[bucket] === type && visible[bucket],
    )
    return buckets.flatMap((bucket) => [...reader.liveRowsOf(bucket)].map((row) => ({ reader, row })))
  })
}

/** The asset types of the instruments that the caller may see, by exchange id. */
export function visibleTypes({ snapshot, access }: View): Map<string, Set<AssetType>> {
  const seen = new Map<string, Set<AssetType>>()
  for (const reader of snapshot.readers) {
    const { visible } = reader.rightsOf(access)
    const { bucketExchanges, bucketTypes, exchangeIds } = reader.segment
    for (let bucket = 0; bucket < bucketExchanges.length; bucket++) {
      if (!visible[bucket] || reader.countLiveRows(bucket) === 0) continue
      const exchangeId = exchangeIds[bucketExchanges[bucket] as number] as string
      const types = seen.get(exchangeId) ?? new Set()
      seen.set(exchangeId, types.add(typeNames[bucketTypes[bucket] as number] as AssetType))
    }
  }
  return seen
}

/** The exchanges with at least one instrument that the caller may see, by id. */
export function visibleExchanges(view: View): Map<string, ExchangeFacts> {
  const seen = visibleTypes(view)
  return new Map([...view.snapshot.exchanges].filter(([exchangeId]) => seen.has(exchangeId)))
}
