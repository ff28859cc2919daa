import { rightsOf } from '../../access/rules/legal-asset-types.ts'
import { type AccessView, accessView } from '../../access/rules/visibility.ts'
import { readAllUsers } from '../../access/store/all-identities.ts'
import { findUserByName, readClientAccess, type UserFacts } from '../../access/store/identities.ts'
import { users } from '../../access/store/listings.ts'
import { type AuditEntry, appendAudit } from '../../audit/append.ts'
import { invalid } from '../../core/problem.ts'
import { ErrorList, LineNumbers } from '../../data/import/errors.ts'
import { importItems } from '../../data/import/import-items.ts'
import { familiesOf } from '../../data/kinds.ts'
import type { Db, Trx } from '../../database/open.ts'
import { lockImport } from '../../database/staging/copy.ts'
import { choices, chooseAccount, chooseListing, type Listing, maxChoices } from '../rules/position-choice.ts'
import type { ScenarioDependencies } from '../scenarios/load.ts'
import { findBySymbol, findBySymbolStart, stageLaterPositions } from '../store/positions.ts'

export type WantedPosition = Readonly<{
  User: string
  Symbol: string
  Amount: number
  /** By AccountId or AccountKey. */
  Account?: string | undefined
  AssetType?: string | undefined
}>

/** Users of other clients than the giver's and those below it look like unknown ones. */
export type Giver = Readonly<{ clientKey: string; isWithin(clientKey: string): Promise<boolean> }>

type Options = Readonly<{ audit: Partial<AuditEntry>; giver?: Giver | undefined }>

/** Sets what an account of a user holds of an instrument. The position has no start date (§11.7). */
export async function givePosition(deps: ScenarioDependencies, wanted: WantedPosition, { audit, giver }: Options) {
  const user = await findUser(deps.db, wanted.User, giver)
  return deps.db.transaction().execute(async (trx) => {
    await lockImport(trx)
    const { accounts, rights } = (await readClientAccess(trx, user.clientKey)) ?? { accounts: [], rights: [] }
    const view = accessView(rightsOf(rights, user.userKey), accounts)
    const listing = await findListing(trx, wanted, view)
    const { Uic, AssetType, Symbol, Description, ExchangeId } = listing
    const account = chooseAccount(accounts, view.tradingAccounts(AssetType, ExchangeId), wanted.Account)
    const key = { AccountKey: account.accountKey, Uic, AssetType }
    await importPosition(trx, deps, wanted.Amount === 0 ? { ...key, delete: true } : { ...key, Amount: wanted.Amount })
    const { accountId: AccountId } = account
    const detail = { owner: user.name, account: AccountId, uic: Uic, assetType: AssetType, amount: wanted.Amount }
    await appendAudit(trx, { ...audit, at: deps.clock.now(), kind: 'PositionSet', detail })
    return { User: user.name, AccountId, ...key, Symbol, Description, Amount: wanted.Amount }
  })
}

async function findUser(db: Db, name: string, giver: Giver | undefined): Promise<UserFacts> {
  const user = await findUserByName(db, name)
  if (user && (!giver || (await giver.isWithin(user.clientKey)))) return user
  throw invalid({ User: [`There is no user ${name}.${choices(await listNames(db, giver))}`] })
}

async function listNames(db: Db, giver: Giver | undefined): Promise<string[]> {
  const page = { $top: maxChoices, $skip: 0, $inlinecount: 'None' } as const
  if (giver) {
    const { rows } = await users.list(db, { clientKey: giver.clientKey, includesSubClients: true }, page)
    return rows.map(({ name }) => name)
  }
  for await (const rows of readAllUsers(db, undefined)) return rows.slice(0, maxChoices).map(({ name }) => name)
  return []
}

async function findListing(trx: Trx, wanted: WantedPosition, view: AccessView): Promise<Listing> {
  const isVisible = ({ AssetType, ExchangeId }: Listing) => view.isVisible(AssetType, ExchangeId)
  const found = (await findBySymbol(trx, wanted.Symbol)).filter(isVisible)
  const [start = ''] = wanted.Symbol.split(':')
  const similar = found.length > 0 ? [] : (await findBySymbolStart(trx, start)).filter(isVisible)
  return chooseListing(found, [...new Set(similar.map(({ Symbol }) => Symbol))], wanted)
}

/** Replaces all records of the account and instrument. */
async function importPosition(trx: Trx, deps: ScenarioDependencies, position: object): Promise<void> {
  const numbers = new LineNumbers()
  numbers.open('Position')
  const errors = new ErrorList(numbers)
  const families = familiesOf({ masterKey: deps.masterKey, config: deps, now: deps.clock.now() })
  const items = [{ line: 1, value: { kind: 'position', ...position } }]
  // The account and the instrument exist, so that only the amount can be wrong.
  if (!(await importItems(trx, items, { families, errors, source: 'refdesk give', staged: stageLaterPositions })))
    throw invalid({ Amount: errors.sentences().map((sentence) => sentence.replace(/^.*?: /, '')) })
}
