import type { AccessView } from '../../../access/api/operator-schema.ts'
import { assetTypes } from '../../../core/asset-type.ts'

/** The columns of the matrix: the first whose pattern matches has the asset type, and Warrants the rest. */
const patterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['CFDs', /^Cfd/],
  ['FX', /^Fx(?!.*Option$)/],
  ['Options', /Option$/],
  ['Futures', /Futures/],
  ['Indices', /^StockIndex$/],
  ['Funds', /^(Etf|Etc|Etn|Fund|MutualFund|SrdOnEtf)$/],
  ['Stocks', /Stock$|^Rights$/],
  ['Bonds', /^(Bond|Cash)$/],
  ['Certificates', /Certificate|Note$/],
]

const groupOf = (assetType: string): string =>
  patterns.find(([, pattern]) => pattern.test(assetType))?.[0] ?? 'Warrants'

/** Most used first. */
const order = ['Stocks', 'Funds', 'Bonds', 'FX', 'Indices', 'Futures', 'Options', 'CFDs', 'Certificates', 'Warrants']

export const columns: readonly Readonly<{ name: string; assetTypes: readonly string[] }>[] = order.map((name) => ({
  name,
  assetTypes: assetTypes.filter((assetType) => groupOf(assetType) === name),
}))

export type Column = (typeof columns)[number]

/** What a cell says: the highest level, and its limits in words. Undefined: nothing. */
export type Cell = Readonly<{ level: 'View' | 'Trade'; limits: readonly string[] }>

const maxNamed = 5

export function cellOf(access: readonly AccessView[], column: Column): Cell | undefined {
  const within = (level: Cell['level']) =>
    access
      .filter((group) => group.Level === level)
      .map((group) => ({ ...group, AssetTypes: group.AssetTypes.filter((name) => column.assetTypes.includes(name)) }))
      .filter(({ AssetTypes }) => AssetTypes.length > 0)
  const traded = within('Trade')
  const groups = traded.length > 0 ? traded : within('View')
  if (groups.length === 0) return undefined
  const covered = new Set(groups.flatMap(({ AssetTypes }) => AssetTypes))
  const isAll = covered.size === column.assetTypes.length
  const limits = groups.flatMap((group) => limitOf(group, isAll && groups.length === 1))
  return { level: traded.length > 0 ? 'Trade' : 'View', limits }
}

/** `Stock at NYSE, LSE, on some accounts`; nothing for a group without limits. */
function limitOf(group: AccessView, isWhole: boolean): string[] {
  const { AssetTypes, ExchangeIds, ExchangeCount = 0, IsOnAllAccounts } = group
  const types = isWhole ? [] : [listed(AssetTypes, AssetTypes.length)]
  const exchanges = ExchangeIds ? [`at ${listed(ExchangeIds, ExchangeCount)}`] : []
  const words = [...types, ...exchanges, ...(IsOnAllAccounts ? [] : ['on some accounts'])]
  return words.length === 0 ? [] : [words.join(' ')]
}

function listed(names: readonly string[], count: number): string {
  const shown = names.slice(0, maxNamed)
  return count > shown.length ? `${shown.join(', ')} and ${count - shown.length} more` : shown.join(', ')
}
