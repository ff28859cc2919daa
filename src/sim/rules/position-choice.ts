import type { AccountName } from '../../access/rules/visibility.ts'
import { invalid } from '../../core/problem.ts'

/** An instrument in one asset type. */
export type Listing = Readonly<{
  Uic: number
  AssetType: string
  Symbol: string
  Description: string
  ExchangeId: string
}>

type Wanted = Readonly<{ Symbol: string; AssetType?: string | undefined }>

export const maxChoices = 10

/** ` Choose one of: a, b and 3 more.` Empty if there are none. */
export function choices(names: readonly string[]): string {
  const more = names.length - maxChoices
  const listed = names.slice(0, maxChoices)
  if (listed.length === 0) return ''
  return ` Choose one of: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

/** The one listing with this symbol and, if given, asset type. `similar` are symbols to offer if there is none. */
export function chooseListing(found: readonly Listing[], similar: readonly string[], wanted: Wanted): Listing {
  const { Symbol, AssetType } = wanted
  if (found.length === 0)
    throw invalid({ Symbol: [`No instrument that the user may see has the symbol ${Symbol}.${choices(similar)}`] })
  const types = [...new Set(found.map((listing) => listing.AssetType))]
  const chosen = found.filter((listing) => AssetType === undefined || listing.AssetType === AssetType)
  const [one, ...others] = chosen
  if (!one) throw invalid({ AssetType: [`${Symbol} is not offered as ${AssetType}.${choices(types)}`] })
  if (others.length === 0) return one
  if (new Set(chosen.map((listing) => listing.AssetType)).size > 1)
    throw invalid({ AssetType: [`${Symbol} has several asset types.${choices(types)}`] })
  const uics = chosen.map(({ Uic }) => String(Uic))
  const listed = uics.slice(0, maxChoices).join(', ')
  throw invalid({
    Symbol: [`Several instruments have this symbol. Import a position with one of these Uics: ${listed}.`],
  })
}

/** The account with this AccountId or AccountKey, else the first of those that may trade the instrument, by AccountId. */
export function chooseAccount(
  accounts: readonly AccountName[],
  tradingAccounts: readonly string[],
  wanted: string | undefined,
): AccountName {
  const isChosen = ({ accountId, accountKey }: AccountName) =>
    wanted === undefined ? accountId === tradingAccounts[0] : [accountId, accountKey].includes(wanted)
  const account = accounts.find(isChosen)
  if (account) return account
  const ids = accounts.map(({ accountId }) => accountId).sort()
  const reason =
    wanted === undefined ? 'No account of the user may trade this instrument.' : `The user has no account ${wanted}.`
  throw invalid({ Account: [`${reason}${choices(ids)}`] })
}
