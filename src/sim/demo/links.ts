import type { InstrumentRecord, OptionRootRecord } from '../../instruments/import/schema.ts'

type Related = NonNullable<InstrumentRecord['RelatedInstruments']>[number]

/** A line of demo/templates/groups.ndjson: listings of one company or fund, the primary listing first. */
export type Group = Readonly<{ Symbols: readonly string[] }>

const keyOf = ({ Uic, As }: InstrumentRecord): Related => ({ AssetType: As[0]?.AssetType ?? 'Stock', Uic })

/** Listings of a group name the primary listing and each other. */
export function withGroups(instruments: readonly InstrumentRecord[], groups: readonly Group[]): InstrumentRecord[] {
  const bySymbol = new Map(instruments.map((record) => [record.Symbol, record]))
  const members = groups.map(({ Symbols }) => Symbols.flatMap((symbol) => bySymbol.get(symbol) ?? []))
  const groupOf = new Map(members.flatMap((group) => group.map(({ Uic }) => [Uic, group])))
  return instruments.map((record) => {
    const group = groupOf.get(record.Uic)
    const primary = group?.[0]?.Uic
    if (!group || primary === undefined) return record
    const RelatedInstruments = group.filter(({ Uic }) => Uic !== record.Uic).map(keyOf)
    return { ...record, GroupId: primary, PrimaryListing: primary, RelatedInstruments }
  })
}

/** A line of demo/templates/aliases.csv: other names that people search an instrument by. */
export type Aliases = Readonly<{ Symbol: string; Aliases: string[] }>

export function withAliases(instruments: readonly InstrumentRecord[], aliases: readonly Aliases[]): InstrumentRecord[] {
  const bySymbol = new Map(aliases.map(({ Symbol, Aliases }) => [Symbol, Aliases]))
  return instruments.map((record) => {
    const Aliases = bySymbol.get(record.Symbol ?? '')
    return Aliases ? { ...record, Aliases } : record
  })
}

/** An index and the contract for difference on it name each other. */
export function withIndexCfds(instruments: readonly InstrumentRecord[]): InstrumentRecord[] {
  const related = new Map<number, Related[]>()
  for (const { Uic, UnderlyingUic, As } of instruments)
    if (As[0]?.AssetType === 'CfdOnIndex' && UnderlyingUic !== undefined) {
      related.set(Uic, [{ AssetType: 'StockIndex', Uic: UnderlyingUic }])
      related.set(UnderlyingUic, [{ AssetType: 'CfdOnIndex', Uic }])
    }
  return instruments.map((record) => {
    const RelatedInstruments = related.get(record.Uic)
    return RelatedInstruments ? { ...record, RelatedInstruments } : record
  })
}

/** Underlyings and option roots name all roots on the underlying, the standard one first. A root without a group is its
 *  own group. */
export function withOptionRoots(
  instruments: readonly InstrumentRecord[],
  roots: readonly OptionRootRecord[],
): { instruments: InstrumentRecord[]; optionRoots: OptionRootRecord[] } {
  const groups = Map.groupBy(roots, ({ UnderlyingUic }) => UnderlyingUic)
  const relations = new Map([...groups].map(([uic, own]) => [uic, own.map((root) => relationTo(root, own))]))
  const related = (uic: number | undefined) => {
    const RelatedOptionRootsEnhanced = relations.get(uic)
    return RelatedOptionRootsEnhanced && { RelatedOptionRootsEnhanced }
  }
  return {
    instruments: instruments.map((record) => ({ ...record, ...related(record.Uic) })),
    optionRoots: roots.map((root) => ({
      GroupOptionRootId: root.OptionRootId,
      ...root,
      ...related(root.UnderlyingUic),
    })),
  }
}

function relationTo(root: OptionRootRecord, roots: readonly OptionRootRecord[]) {
  const { AssetType, OptionRootId, SupportedStrategies } = root
  const OptionType = isAdjusted(root, roots) ? ('Adjusted' as const) : ('Default' as const)
  return { AssetType, OptionRootId, OptionType, ...(SupportedStrategies && { SupportedStrategies }) }
}

/** After a corporate action the old contracts continue under their own root, with another contract size. */
function isAdjusted(
  { ContractSize, GroupOptionRootId }: OptionRootRecord,
  roots: readonly OptionRootRecord[],
): boolean {
  const standard = roots.find(({ OptionRootId }) => OptionRootId === GroupOptionRootId)
  return standard !== undefined && standard.ContractSize !== ContractSize
}
