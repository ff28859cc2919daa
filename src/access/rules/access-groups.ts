import { type AssetType, assetTypes } from '../../core/asset-type.ts'
import { type AccessRight, type AccountName, accessView } from './visibility.ts'

/** Asset types that may be seen or traded at the same exchanges. */
export type AccessGroup = Readonly<{
  level: AccessRight['level']
  assetTypes: readonly AssetType[]
  exchanges: 'all' | readonly string[]
  /** False if a part of it comes from rights on single accounts. */
  isOnAllAccounts: boolean
}>

/** What rights allow on a client's accounts, in total (§5.2): what may be seen, then what may be traded. `rights` are those
 *  that apply to the user. */
export function accessGroups(rights: readonly AccessRight[], accounts: readonly AccountName[]): AccessGroup[] {
  // Most accounts have no right of their own, and a client may have many.
  const named = new Set(rights.map(({ accountKey }) => accountKey))
  const known = accounts.filter(({ accountKey }) => named.has(accountKey))
  const trade = accounts.length === 0 ? [] : rights.filter(({ level }) => level === 'Trade')
  return [...groupsOf('View', rights, known), ...groupsOf('Trade', trade, known)]
}

function groupsOf(
  level: AccessRight['level'],
  rights: readonly AccessRight[],
  accounts: readonly AccountName[],
): AccessGroup[] {
  const all = accessView(rights, accounts)
  const general = accessView(rights, [])
  const groups = new Map<string, AccessGroup & { assetTypes: AssetType[] }>()
  for (const assetType of assetTypes) {
    const exchanges = all.exchangesOf(assetType)
    if (exchanges.length === 0) continue
    const isOnAllAccounts = String(general.exchangesOf(assetType)) === String(exchanges)
    const key = JSON.stringify([exchanges, isOnAllAccounts])
    const group = groups.getOrInsertComputed(key, () => ({ level, assetTypes: [], exchanges, isOnAllAccounts }))
    group.assetTypes.push(assetType)
  }
  return [...groups.values()]
}
