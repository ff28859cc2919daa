import type { LookupGroup } from '../api/enums.ts'

type Value = Readonly<{ Code: string; Name: string }>
type Named = Exclude<LookupGroup, 'All'>
export type Lookup = Readonly<Record<Named, readonly Value[]>>

const all: readonly Named[] = ['EventTypes', 'AssetTypes', 'AllEventTypes', 'AllAssetTypes']

/** Which groups are told, each once; All is every group, and without any it is what the caller could filter by. */
export function requestedGroups(asked: readonly LookupGroup[] | undefined): readonly Named[] {
  if (asked === undefined) return ['EventTypes', 'AssetTypes']
  return asked.includes('All') ? all : all.filter((group) => asked.includes(group))
}

/** CfdOnStock is called Cfd On Stock. */
export function assetTypeName(assetType: string): string {
  return assetType.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
}
