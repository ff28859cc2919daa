import type { LookupGroup } from '../api/enums.ts'

type Value = Readonly<{ Code: string; Name: string }>
type Named = Exclude<LookupGroup, 'All'>
export type Lookup = Readonly<Record<Named, readonly Value[]>>

const all: readonly Named[] = ['EventTypes', 'AssetTypes', 'AllEventTypes', 'AllAssetTypes']

/** The requested groups, each once. Default: what occurs in the caller's events (§7.4). */
export function requestedGroups(names: readonly LookupGroup[] | undefined): readonly Named[] {
  if (names === undefined) return ['EventTypes', 'AssetTypes']
  return names.includes('All') ? all : all.filter((group) => names.includes(group))
}

/** CfdOnStock: Cfd On Stock. */
export function assetTypeName(assetType: string): string {
  return assetType.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
}
