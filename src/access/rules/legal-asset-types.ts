import { type AssetType, assetTypes } from '../../core/asset-type.ts'
import type { AccessRight } from './visibility.ts'

/** The rights that apply to a user: their own if there are any, else the client's (§5.2). */
export function rightsOf(rights: readonly AccessRight[], userKey: string | null): AccessRight[] {
  const own = rights.filter((right) => right.userKey === userKey)
  return own.length > 0 ? own : rights.filter((right) => right.userKey === null)
}

/** The asset types that may be visible, on one account or on any, in the order of the interface. */
export function legalAssetTypes(rights: readonly AccessRight[], accountKey?: string): AssetType[] {
  const applicable = rights.filter(
    (right) => accountKey === undefined || right.accountKey === null || right.accountKey === accountKey,
  )
  const named = new Set(applicable.flatMap((right) => right.assetTypes ?? assetTypes))
  return assetTypes.filter((assetType) => named.has(assetType))
}
