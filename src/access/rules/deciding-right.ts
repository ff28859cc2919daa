import type { Tradability } from './tradability.ts'
import type { AccessRight } from './visibility.ts'

const reaches = ({ assetTypes, exchangeIds }: AccessRight, assetType: string, exchangeId: string): boolean =>
  (assetTypes?.includes(assetType) ?? true) && (exchangeIds?.includes(exchangeId) ?? true)

/** The greater, the better: Trade before View, then what is said of this very account before what is said of all. */
const weight = ({ level, accountKey }: AccessRight): number =>
  (level === 'Trade' ? 2 : 0) + (accountKey === null ? 0 : 1)

/**
 * Tells of an account which right decides what may be done there with an asset type of an exchange; undefined where there
 * is none (contract §5). The rights are those that count for the caller. Of equal ones it is the first.
 */
export function decidingRights(
  rights: readonly AccessRight[],
  assetType: string,
  exchangeId: string,
): (accountKey: string) => AccessRight | undefined {
  const counting = rights.filter((right) => reaches(right, assetType, exchangeId))
  const byAccount = Map.groupBy(counting, ({ accountKey }) => accountKey)
  const rightsOn = (accountKey: string | null) => byAccount.get(accountKey) ?? []
  return (accountKey) => [...rightsOn(accountKey), ...rightsOn(null)].toSorted((a, b) => weight(b) - weight(a)).at(0)
}

/** Whose right it is. One that names a user and an account is the user's. */
export function ownerOf({ userKey, accountKey }: AccessRight): 'User' | 'Account' | 'Client' {
  if (userKey !== null) return 'User'
  return accountKey === null ? 'Client' : 'Account'
}

type Reason = Tradability['NonTradableReason']

/**
 * The reason on one account, from the one that holds for all accounts together: a Trade right on any of them lets the rest
 * of the order of contract §5 decide, and the accounts without one are those that are not.
 */
export function reasonOnAccount(reasonOnAll: Reason, mayTrade: boolean): Reason {
  const isDecidedByRight = reasonOnAll === 'None' || reasonOnAll === 'OtherReason'
  return isDecidedByRight && !mayTrade ? 'NotOnlineClientTradable' : reasonOnAll
}
