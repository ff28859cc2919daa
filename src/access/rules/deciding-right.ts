import type { Tradability } from './tradability.ts'
import type { AccessRight } from './visibility.ts'

const covers = ({ assetTypes, exchangeIds }: AccessRight, assetType: string, exchangeId: string): boolean =>
  (assetTypes?.includes(assetType) ?? true) && (exchangeIds?.includes(exchangeId) ?? true)

/** Higher wins: Trade before View, then a right on this account before one on all accounts. */
const weight = ({ level, accountKey }: AccessRight): number =>
  (level === 'Trade' ? 2 : 0) + (accountKey === null ? 0 : 1)

/** Finds the right that decides what the caller may do on an account with an asset type of an exchange (§5.3). `rights`
 *  are those that apply to the caller. The first of equal rights wins. */
export function decidingRights(
  rights: readonly AccessRight[],
  assetType: string,
  exchangeId: string,
): (accountKey: string) => AccessRight | undefined {
  const applicable = rights.filter((right) => covers(right, assetType, exchangeId))
  const byAccount = Map.groupBy(applicable, ({ accountKey }) => accountKey)
  const rightsOn = (accountKey: string | null) => byAccount.get(accountKey) ?? []
  return (accountKey) => [...rightsOn(accountKey), ...rightsOn(null)].toSorted((a, b) => weight(b) - weight(a)).at(0)
}

/** Whose right it is. A right with both a user and an account belongs to the user. */
export function ownerOf({ userKey, accountKey }: AccessRight): 'User' | 'Account' | 'Client' {
  if (userKey !== null) return 'User'
  return accountKey === null ? 'Client' : 'Account'
}

type Reason = Tradability['NonTradableReason']

/** The reason on one account, derived from the reason for all accounts together: where a right decides, an account
 *  without a Trade right is not tradable (§5.3). */
export function reasonOnAccount(reasonOnAll: Reason, mayTrade: boolean): Reason {
  const isDecidedByRight = reasonOnAll === 'None' || reasonOnAll === 'OtherReason'
  return isDecidedByRight && !mayTrade ? 'NotOnlineClientTradable' : reasonOnAll
}
