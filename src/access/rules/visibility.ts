import { assetTypes } from '../../core/asset-type.ts'
import { sha256 } from '../../core/crypto/keys.ts'
import type { Right } from './legal-asset-types.ts'

/** A row of contract §5 whole: null stands for all. */
export type AccessRight = Right & Readonly<{ exchangeIds: readonly string[] | null; level: 'View' | 'Trade' }>

export type AccountName = Readonly<{ accountKey: string; accountId: string }>

/** What somebody may see and trade. Exchange ids are told apart by case, as the data spells them. */
export type AccessView = Readonly<{
  /** Equal exactly when two views answer every question alike, however their rows are cut. */
  signature: string
  isVisible(assetType: string, exchangeId: string): boolean
  /** The AccountIds with a Trade right, in order. */
  tradingAccounts(assetType: string, exchangeId: string): readonly string[]
}>

/** Of each asset type all exchanges, or these. An asset type that is not here is out of reach. */
type Reach = ReadonlyMap<string, 'all' | ReadonlySet<string>>

/** Accounts on which the same may be traded. */
type Desk = { reach: Reach; accountIds: string[] }

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function reachOf(rights: readonly AccessRight[]): Reach {
  const reach = new Map<string, 'all' | Set<string>>()
  for (const { assetTypes: named, exchangeIds } of rights)
    for (const assetType of named ?? assetTypes) {
      const known = reach.get(assetType)
      if (known === 'all' || exchangeIds?.length === 0) continue
      if (exchangeIds === null) reach.set(assetType, 'all')
      else if (known) for (const exchangeId of exchangeIds) known.add(exchangeId)
      else reach.set(assetType, new Set(exchangeIds))
    }
  return reach
}

function reaches(reach: Reach, assetType: string, exchangeId: string): boolean {
  const exchanges = reach.get(assetType)
  return exchanges === 'all' || (exchanges?.has(exchangeId) ?? false)
}

/** The same text for the same reach, whatever the order and number of the rows it came from. */
function reachText(reach: Reach): string {
  const entries = [...reach].map(([assetType, exchanges]) => [assetType, exchanges === 'all' || [...exchanges].sort()])
  return JSON.stringify(entries.sort(([a], [b]) => byCodeUnits(String(a), String(b))))
}

const rowsText = (rights: readonly AccessRight[]): string =>
  JSON.stringify(rights.map(({ assetTypes, exchangeIds }) => [assetTypes, exchangeIds]))

/** A right of no account is one on every account. Accounts may be many; different rows on them are few. */
function desksOf(rights: readonly AccessRight[], accounts: readonly AccountName[]): Map<string, Desk> {
  const trade = rights.filter(({ level }) => level === 'Trade')
  const byAccount = Map.groupBy(trade, ({ accountKey }) => accountKey)
  const general = byAccount.get(null) ?? []
  const desks = new Map<string, Desk>()
  const deskWith = (own: readonly AccessRight[]): Desk => {
    const reach = reachOf([...general, ...own])
    const text = reachText(reach)
    const desk = desks.get(text) ?? { reach, accountIds: [] }
    desks.set(text, desk)
    return desk
  }
  const byRows = new Map<string, Desk>()
  for (const { accountKey, accountId } of accounts) {
    const own = byAccount.get(accountKey) ?? []
    const rows = rowsText(own)
    const desk = byRows.get(rows) ?? deskWith(own)
    byRows.set(rows, desk)
    desk.accountIds.push(accountId)
  }
  return desks
}

function signatureOf(visible: Reach, desks: ReadonlyMap<string, Desk>): string {
  const tradable = [...desks].filter(([, desk]) => desk.reach.size > 0)
  const parts = tradable.map(([text, { accountIds }]) => [text, ...accountIds.toSorted(byCodeUnits)])
  const sorted = parts.sort(([a], [b]) => byCodeUnits(String(a), String(b)))
  return sha256(JSON.stringify([reachText(visible), sorted]))
    .toString('base64url')
    .slice(0, 22)
}

/**
 * The view that rights give on the accounts in question: all of the caller's, or the one that was asked for, whose
 * visibility then holds (contract §5). The rights are those that count for the caller; a row for an account that is not
 * in question gives nothing.
 */
export function accessView(rights: readonly AccessRight[], accounts: readonly AccountName[]): AccessView {
  const inQuestion = new Set(accounts.map(({ accountKey }) => accountKey))
  const counting = rights.filter(({ accountKey }) => accountKey === null || inQuestion.has(accountKey))
  const visible = reachOf(counting)
  const desks = desksOf(counting, accounts)
  // Asked for every row of an answer, and there are few pairs: each is worked out once.
  const known = new Map<string, Map<string, readonly string[]>>()

  const accountsFor = (assetType: string, exchangeId: string): readonly string[] => {
    const open = [...desks.values()].filter(({ reach }) => reaches(reach, assetType, exchangeId))
    return open.flatMap(({ accountIds }) => accountIds).sort(byCodeUnits)
  }

  return {
    signature: signatureOf(visible, desks),
    isVisible: (assetType, exchangeId) => reaches(visible, assetType, exchangeId),
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
