import type { AccessRight, AccountName } from './visibility.ts'

const isEmpty = (list: readonly string[] | null): boolean => list?.length === 0

/** Whether the caller's rights allow any trading on any of the accounts. */
export function mayTrade(rights: readonly AccessRight[], accounts: readonly AccountName[]): boolean {
  return rights.some(
    ({ level, assetTypes, exchangeIds, accountKey }) =>
      level === 'Trade' &&
      !isEmpty(assetTypes) &&
      !isEmpty(exchangeIds) &&
      accounts.some((account) => accountKey === null || account.accountKey === accountKey),
  )
}
