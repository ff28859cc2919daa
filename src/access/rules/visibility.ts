import { assetTypes } from '../../core/asset-type.ts'
import { sha256 } from '../../core/crypto/keys.ts'

/** An access right (§5.2); null means all. */
export type AccessRight = Readonly<{
  userKey: string | null
  accountKey: string | null
  assetTypes: readonly string[] | null
  exchangeIds: readonly string[] | null
  level: 'View' | 'Trade'
}>

export type AccountName = Readonly<{ accountKey: string; accountId: string }>

/** What a caller may see and trade. Exchange ids are case-sensitive. */
export type AccessView = Readonly<{
  /** Equal for views that give the same answers, however their rights are split into rows. */
  signature: string
  isVisible(assetType: string, exchangeId: string): boolean
  /** The exchanges at which the caller may see an asset type. */
  exchangesOf(assetType: string): 'all' | readonly string[]
  /** The AccountIds with a Trade right, in order. */
  tradingAccounts(assetType: string, exchangeId: string): readonly string[]
}>

/** Per asset type, all exchanges or these. Missing asset types are not covered. */
type Coverage = ReadonlyMap<string, 'all' | ReadonlySet<string>>

type AccountSet = { coverage: Coverage; accountIds: string[] }

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function coverageOf(rights: readonly AccessRight[]): Coverage {
  const coverage = new Map<string, 'all' | Set<string>>()
  for (const { assetTypes: named, exchangeIds } of rights)
    for (const assetType of named ?? assetTypes) {
      const known = coverage.get(assetType)
      if (known === 'all' || exchangeIds?.length === 0) continue
      if (exchangeIds === null) coverage.set(assetType, 'all')
      else if (known) for (const exchangeId of exchangeIds) known.add(exchangeId)
      else coverage.set(assetType, new Set(exchangeIds))
    }
  return coverage
}

function covers(coverage: Coverage, assetType: string, exchangeId: string): boolean {
  const exchanges = coverage.get(assetType)
  return exchanges === 'all' || (exchanges?.has(exchangeId) ?? false)
}

type Grant = Pick<AccessRight, 'assetTypes' | 'exchangeIds' | 'level'>

/** Returns whether a right allows only what the held rights allow: its asset types and exchanges at its level (§11.7). */
export function grantsWithin(held: readonly AccessRight[]): (grant: Grant) => boolean {
  const coverages = { View: coverageOf(held), Trade: coverageOf(held.filter(({ level }) => level === 'Trade')) }
  return ({ assetTypes: named, exchangeIds, level }) =>
    (named ?? assetTypes).every(
      (assetType) =>
        coverages[level].get(assetType) === 'all' ||
        (exchangeIds?.every((exchangeId) => covers(coverages[level], assetType, exchangeId)) ?? false),
    )
}

function coverageText(coverage: Coverage): string {
  const entries = [...coverage].map(([assetType, exchanges]) => [
    assetType,
    exchanges === 'all' || [...exchanges].sort(),
  ])
  return JSON.stringify(entries.sort(([a], [b]) => byCodeUnits(String(a), String(b))))
}

const rowsText = (rights: readonly AccessRight[]): string =>
  JSON.stringify(rights.map(({ assetTypes, exchangeIds }) => [assetTypes, exchangeIds]))

/** Groups accounts by their trading rights: many accounts, few distinct sets. A right without an account applies to all. */
function accountSetsOf(rights: readonly AccessRight[], accounts: readonly AccountName[]): Map<string, AccountSet> {
  const trade = rights.filter(({ level }) => level === 'Trade')
  const byAccount = Map.groupBy(trade, ({ accountKey }) => accountKey)
  const general = byAccount.get(null) ?? []
  const accountSets = new Map<string, AccountSet>()
  const setWith = (own: readonly AccessRight[]): AccountSet => {
    const coverage = coverageOf([...general, ...own])
    const text = coverageText(coverage)
    const accountSet = accountSets.get(text) ?? { coverage, accountIds: [] }
    accountSets.set(text, accountSet)
    return accountSet
  }
  const byRows = new Map<string, AccountSet>()
  for (const { accountKey, accountId } of accounts) {
    const own = byAccount.get(accountKey) ?? []
    const rows = rowsText(own)
    const accountSet = byRows.get(rows) ?? setWith(own)
    byRows.set(rows, accountSet)
    accountSet.accountIds.push(accountId)
  }
  return accountSets
}

function signatureOf(visible: Coverage, accountSets: ReadonlyMap<string, AccountSet>): string {
  const tradable = [...accountSets].filter(([, accountSet]) => accountSet.coverage.size > 0)
  const entries = tradable.map(([text, { accountIds }]) => [text, ...accountIds.toSorted(byCodeUnits)])
  const sorted = entries.sort(([a], [b]) => byCodeUnits(String(a), String(b)))
  return sha256(JSON.stringify([coverageText(visible), sorted]))
    .toString('base64url')
    .slice(0, 22)
}

/** Computes the view on the given accounts: all of the caller's, or the requested one (§5.2). `rights` are those that
 *  apply to the caller; rights on other accounts are ignored. */
export function accessView(rights: readonly AccessRight[], accounts: readonly AccountName[]): AccessView {
  const selected = new Set(accounts.map(({ accountKey }) => accountKey))
  const applicable = rights.filter(({ accountKey }) => accountKey === null || selected.has(accountKey))
  const visible = coverageOf(applicable)
  const accountSets = accountSetsOf(applicable, accounts)
  // Called for every row of a response, with few distinct pairs: cache them.
  const known = new Map<string, Map<string, readonly string[]>>()

  const accountsFor = (assetType: string, exchangeId: string): readonly string[] => {
    const open = [...accountSets.values()].filter(({ coverage }) => covers(coverage, assetType, exchangeId))
    return open.flatMap(({ accountIds }) => accountIds).sort(byCodeUnits)
  }

  return {
    signature: signatureOf(visible, accountSets),
    isVisible: (assetType, exchangeId) => covers(visible, assetType, exchangeId),
    exchangesOf(assetType) {
      const exchanges = visible.get(assetType) ?? []
      return exchanges === 'all' ? exchanges : [...exchanges].sort(byCodeUnits)
    },
    tradingAccounts(assetType, exchangeId) {
      const ofType = known.get(assetType) ?? new Map<string, readonly string[]>()
      const ready = ofType.get(exchangeId)
      if (ready) return ready
      const accountIds = accountsFor(assetType, exchangeId)
      known.set(assetType, ofType.set(exchangeId, accountIds))
      return accountIds
    },
  }
}
