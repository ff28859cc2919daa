import type { LookupGroup } from '../api/enums.ts'

type Value = Readonly<{ Code: string; Name: string; Description: string }>
type Named = Exclude<LookupGroup, 'All'>
export type Lookup = Readonly<Record<Named, readonly Value[]>>

export const lookupGroups: readonly Named[] = ['EventTypes', 'AssetTypes', 'AllEventTypes', 'AllAssetTypes']

/** The requested groups, each once. Default: what occurs in the caller's events (§7.4). */
export function requestedGroups(names: readonly LookupGroup[] | undefined): readonly Named[] {
  if (names === undefined) return ['EventTypes', 'AssetTypes']
  return names.includes('All') ? lookupGroups : lookupGroups.filter((group) => names.includes(group))
}

/** CfdOnStock: Cfd On Stock. */
export function assetTypeName(assetType: string): string {
  return assetType.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
}

const longNames: Readonly<Record<string, string>> = {
  CBBC: 'callable bull/bear contract,',
  Cfd: 'contract for difference',
  Etc: 'exchange-traded commodity',
  Etf: 'exchange-traded fund',
  Etn: 'exchange-traded note',
  Fx: 'foreign exchange',
  Ipo: 'initial public offering',
  Srd: 'deferred settlement',
}

/** CfdOnEtf: Contract for difference on exchange-traded fund. */
export function assetTypeDescription(assetType: string): string {
  const words = assetTypeName(assetType)
    .split(' ')
    .map((word) => longNames[word] ?? (word.length === 1 ? word : word.toLowerCase()))
  const text = words.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
