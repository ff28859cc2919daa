import type { AccessRight, AccountName } from './visibility.ts'

const isEmpty = (list: readonly string[] | null): boolean => list?.length === 0

/** Whether rights let anything at all be traded on any of the accounts. They are those that count for the caller. */
export function mayTrade(rights: readonly AccessRight[], accounts: readonly AccountName[]): boolean {
  return rights.some(
    ({ level, assetTypes, exchangeIds, accountKey }) =>
      level === 'Trade' &&
      !isEmpty(assetTypes) &&
      !isEmpty(exchangeIds) &&
      accounts.some((account) => accountKey === null || account.accountKey === accountKey),
  )
}
