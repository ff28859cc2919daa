import { type AssetType, assetTypes } from '../../core/asset-type.ts'

export type Right = Readonly<{
  userKey: string | null
  accountKey: string | null
  assetTypes: readonly string[] | null
}>

/** The rights that count for a user: their own if they have any, else the client's (contract §5). No user: the client's. */
export function rightsOf<R extends Right>(rights: readonly R[], userKey: string | null): R[] {
  const own = rights.filter((right) => right.userKey === userKey)
  return own.length > 0 ? own : rights.filter((right) => right.userKey === null)
}

/** The asset types in which something may be visible, for one account or for any; in the interface's own order. */
export function legalAssetTypes(rights: readonly Right[], accountKey?: string): AssetType[] {
  const counting = rights.filter(
    (right) => accountKey === undefined || right.accountKey === null || right.accountKey === accountKey,
  )
  const named = new Set(counting.flatMap((right) => right.assetTypes ?? assetTypes))
  return assetTypes.filter((assetType) => named.has(assetType))
}
