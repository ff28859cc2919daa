import { Problem } from '../../core/problem.ts'
import type { ScenarioDependencies } from '../scenarios/load.ts'
import { givePosition } from './give.ts'

/** refdesk give USER SYMBOL AMOUNT */
export async function giveCommand(
  deps: ScenarioDependencies,
  { user, symbol, amount }: Readonly<Record<'user' | 'symbol' | 'amount', string>>,
  options: Readonly<{ account?: string; assetType?: string }>,
  say: (line: string) => void,
): Promise<0> {
  // Number('') is 0, which would remove the position.
  const given = amount.trim() === '' ? Number.NaN : Number(amount)
  const wanted = { User: user, Symbol: symbol, Amount: given, Account: options.account, AssetType: options.assetType }
  const { User, AccountId, Symbol, AssetType, Amount } = await givePosition(deps, wanted, { audit: {} }).catch(explain)
  const holds = Amount === 0 ? 'no longer holds' : Amount < 0 ? `is short ${-Amount} of` : `holds ${Amount} of`
  say(`Account ${AccountId} of ${User} ${holds} ${Symbol} (${AssetType}).`)
  return 0
}

function explain(error: unknown): never {
  if (!(error instanceof Problem) || !error.modelState) throw error
  throw new Error(Object.values(error.modelState).flat().join(' '))
}
