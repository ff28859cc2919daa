import type { AccessView } from '../../../access/rules/visibility.ts'
import type { ExchangeFacts } from '../exchanges.ts'
import { typeNumbers } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { Snapshot } from '../snapshot.ts'

/** An instrument's row, or the root's row of an option contract. */
export type VisibleRow = Readonly<{ reader: SegmentReader; row: number; contract?: number }>

/** The row of an instrument in an asset type, or the root's row of an option contract, if the caller may see it. */
export function findVisible(
  snapshot: Snapshot,
  view: AccessView,
  uic: number,
  assetType: string,
): VisibleRow | undefined {
  const type = typeNumbers.get(assetType)
  for (const reader of snapshot.readers) {
    const { docRows, bucketTypes, options } = reader.segment
    const { visible } = reader.rightsOf(view)
    const doc = reader.docOf(uic)
    if (doc !== undefined)
      for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++) {
        const bucket = reader.bucketOf(row)
        if (bucketTypes[bucket] === type && visible[bucket]) return { reader, row }
      }
    const contract = reader.contractOf(uic)
    if (contract === undefined) continue
    const row = reader.rowOfRoot(options.roots[contract] as number)
    const bucket = reader.bucketOf(row)
    if (bucketTypes[bucket] === type && visible[bucket]) return { reader, row, contract }
  }
  return undefined
}

export function isRootVisible(snapshot: Snapshot, view: AccessView, optionRootId: number): boolean {
  const found = snapshot.findRoot(optionRootId)
  if (!found) return false
  const { reader, root } = found
  return reader.rightsOf(view).visible[reader.bucketOf(reader.rowOfRoot(root))] === 1
}

type Related = {
  RelatedInstruments?: { AssetType: string; Uic: number }[]
  RelatedOptionRootsEnhanced?: { OptionRootId: number }[]
}

/** Members of a row without the relations to what the caller may not see: they are told of nothing that is a 404. */
export function withVisibleRelations(snapshot: Snapshot, view: AccessView, members: string): string {
  const {
    RelatedInstruments: instruments,
    RelatedOptionRootsEnhanced: roots,
    ...others
  } = JSON.parse(`{${members}}`) as Related
  const seen = instruments?.filter(({ Uic, AssetType }) => findVisible(snapshot, view, Uic, AssetType))
  const seenRoots = roots?.filter(({ OptionRootId }) => isRootVisible(snapshot, view, OptionRootId))
  const told = {
    ...others,
    ...(seen && seen.length > 0 && { RelatedInstruments: seen }),
    ...(seenRoots && seenRoots.length > 0 && { RelatedOptionRootsEnhanced: seenRoots }),
  }
  return JSON.stringify(told).slice(1, -1)
}

/** All rows of instruments of an asset type that the caller may see. */
export function visibleRows(snapshot: Snapshot, view: AccessView, assetType: string): VisibleRow[] {
  const type = typeNumbers.get(assetType)
  return snapshot.readers.flatMap((reader) => {
    const { visible } = reader.rightsOf(view)
    const { bucketTypes, bucketStarts, bucketRows, rowDocs } = reader.segment
    const rows: VisibleRow[] = []
    for (let bucket = 0; bucket < bucketTypes.length; bucket++) {
      if (bucketTypes[bucket] !== type || !visible[bucket]) continue
      const of = bucketRows.subarray(bucketStarts[bucket], bucketStarts[bucket + 1])
      for (const row of of) if (!reader.isDeleted(rowDocs[row] as number)) rows.push({ reader, row })
    }
    return rows
  })
}

/** The exchanges at which there is something that the caller may see, by their ids and in the order of them. */
export function visibleExchanges(snapshot: Snapshot, view: AccessView): Map<string, ExchangeFacts> {
  const seen = new Set<string>()
  for (const reader of snapshot.readers) {
    const { visible } = reader.rightsOf(view)
    const { bucketExchanges, exchangeIds } = reader.segment
    for (let bucket = 0; bucket < bucketExchanges.length; bucket++)
      if (visible[bucket] && reader.liveRows(bucket) > 0)
        seen.add(exchangeIds[bucketExchanges[bucket] as number] as string)
  }
  return new Map([...snapshot.exchanges].filter(([exchangeId]) => seen.has(exchangeId)))
}
