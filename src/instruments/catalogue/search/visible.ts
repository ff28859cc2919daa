import type { AccessView } from '../../../access/rules/visibility.ts'
import type { ExchangeFacts } from '../exchanges.ts'
import type { Part } from '../part.ts'
import { typeNumbers } from '../segment.ts'
import type { Snapshot } from '../snapshot.ts'

/** An instrument's row, or the root's row of an option contract. */
export type VisibleRow = Readonly<{ part: Part; row: number; contract?: number }>

/** The row of an instrument in an asset type, or the root's row of an option contract, if the caller may see it. */
export function findVisible(
  snapshot: Snapshot,
  view: AccessView,
  uic: number,
  assetType: string,
): VisibleRow | undefined {
  const type = typeNumbers.get(assetType)
  for (const part of snapshot.parts) {
    const { docRows, profileTypes, options } = part.segment
    const { visible } = part.rightsOf(view)
    const doc = part.docOf(uic)
    if (doc !== undefined)
      for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++) {
        const profile = part.profileOf(row)
        if (profileTypes[profile] === type && visible[profile]) return { part, row }
      }
    const contract = part.contractOf(uic)
    if (contract === undefined) continue
    const row = part.rowOfRoot(options.roots[contract] as number)
    const profile = part.profileOf(row)
    if (profileTypes[profile] === type && visible[profile]) return { part, row, contract }
  }
  return undefined
}

export function isRootVisible(snapshot: Snapshot, view: AccessView, optionRootId: number): boolean {
  const found = snapshot.findRoot(optionRootId)
  if (!found) return false
  const { part, root } = found
  return part.rightsOf(view).visible[part.profileOf(part.rowOfRoot(root))] === 1
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
  return snapshot.parts.flatMap((part) => {
    const { visible } = part.rightsOf(view)
    const { profileTypes, profileStarts, profileRows, rowDocs } = part.segment
    const rows: VisibleRow[] = []
    for (let profile = 0; profile < profileTypes.length; profile++) {
      if (profileTypes[profile] !== type || !visible[profile]) continue
      const of = profileRows.subarray(profileStarts[profile], profileStarts[profile + 1])
      for (const row of of) if (!part.isDead(rowDocs[row] as number)) rows.push({ part, row })
    }
    return rows
  })
}

/** The exchanges at which there is something that the caller may see, by their ids and in the order of them. */
export function visibleExchanges(snapshot: Snapshot, view: AccessView): Map<string, ExchangeFacts> {
  const seen = new Set<string>()
  for (const part of snapshot.parts) {
    const { visible } = part.rightsOf(view)
    const { profileExchanges, exchangeIds } = part.segment
    for (let profile = 0; profile < profileExchanges.length; profile++)
      if (visible[profile] && part.liveRows(profile) > 0)
        seen.add(exchangeIds[profileExchanges[profile] as number] as string)
  }
  return new Map([...snapshot.exchanges].filter(([exchangeId]) => seen.has(exchangeId)))
}
