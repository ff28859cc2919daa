import { type AssetType, assetTypes } from '../../core/asset-type.ts'

export type Right = Readonly<{
  userKey: string | null
  accountKey: string | null
  assetTypes: readonly string[] | null
}>

/** The rights that apply to a user: their own if there are any, else the client's (§5.2). */
export function rightsOf<R extends Right>(rights: readonly R[], userKey: string | null): R[] {
  const own = rights.filter((right) => right.userKey === userKey)
  return own.length > 0 ? own : rights.filter((right) => right.userKey === null)
}

/** The asset types that may be visible, on one account or on any, in the order of the interface. */
export function legalAssetTypes(rights: readonly Right[], accountKey?: string): AssetType[] {
  const applicable = rights.filter(
    (right) => accountKey === undefined || right.accountKey === null || right.accountKey === accountKey,
  )
  const named = new Set(applicable.flatMap((right) => right.assetTypes ?? assetTypes))
  return assetTypes.filter((assetType) => named.has(assetType))
}
