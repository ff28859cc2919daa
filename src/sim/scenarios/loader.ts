import { rightsOf } from '../../access/rules/legal-asset-types.ts'
import { type AccessRight, grantsWithin } from '../../access/rules/visibility.ts'
import type { ErrorList } from '../../data/import/errors.ts'
import type { Item } from '../../data/sources/records.ts'

/** The user who sends the text of a scenario. */
export type Loader = Readonly<{ userKey: string; clientKey: string; isOperator: boolean }>
/** With the accounts of the loader's client, and all its rights. */
type LoaderFacts = Loader & Readonly<{ accountKeys: readonly string[]; rights: readonly AccessRight[] }>

type Members = Readonly<Record<string, unknown>>
type Rejection = readonly [field: string, reason: string]
/** What the records of a text may refer to. */
type Allowed = Readonly<{
  brought: ReadonlySet<unknown>
  clients: ReadonlySet<unknown>
  accounts: ReadonlySet<unknown>
  /** Whether a right is within those of the loader. */
  isGrantable: ReturnType<typeof grantsWithin>
  hasOwnRights: boolean
}>

const ofClient = 'Must be your client, or one that the scenario brings.'
const ofBrought = 'Must be a client that the scenario brings.'
const notWiderClient =
  'Must be a client that the scenario brings: you have rights of your own, and this user would have those of your client.'
const notMore = 'Grants more than your own rights: at most your asset types and exchanges, at your level.'
const ofAccount = 'Must be an account of your client, or one that the scenario brings.'

/** A text may change only clients that it brings itself and the loader's own, and grant only rights that the loader has.
 *  Operators are limited only in the users that they bring: a user of another client would see its data. */
export function checkLoader(items: readonly Item[], loader: LoaderFacts, errors: ErrorList): void {
  const records = items.flatMap((item) => ('value' in item ? [{ line: item.line, record: item.value as Members }] : []))
  const keysOf = (kind: string, member: string) =>
    records.flatMap(({ record }) => (record.kind === kind ? [record[member]] : []))
  const brought = new Set(keysOf('client', 'ClientKey'))
  const allowed = {
    brought,
    clients: new Set([loader.clientKey, ...brought]),
    accounts: new Set([...loader.accountKeys, ...keysOf('account', 'AccountKey')]),
    isGrantable: grantsWithin(rightsOf(loader.rights, loader.userKey)),
    hasOwnRights: loader.rights.some(({ userKey }) => userKey === loader.userKey),
  }
  for (const { line, record } of records)
    for (const [field, reason] of [
      ...rejectUser(record, loader, allowed),
      ...(loader.isOperator ? [] : rejectOthers(record, allowed)),
    ])
      errors.add({ line, kind: String(record.kind), field, reason })
}

function rejectUser(
  record: Members,
  { clientKey, isOperator }: Loader,
  { clients, hasOwnRights }: Allowed,
): Rejection[] {
  if (record.kind !== 'user') return []
  return [
    ...(clients.has(record.ClientKey) ? [] : [['ClientKey', ofClient] as const]),
    ...(hasOwnRights && !isOperator && record.ClientKey === clientKey ? [['ClientKey', notWiderClient] as const] : []),
    ...(record.Operator === true && !isOperator ? [['Operator', 'Only an operator may add operators.'] as const] : []),
  ]
}

/** An unknown key is rejected like one of another client. */
function rejectOthers(record: Members, { brought, clients, accounts, isGrantable }: Allowed): Rejection[] {
  const { kind, ClientKey, OwnerClientKey } = record
  if (kind === 'client' && OwnerClientKey !== undefined && !clients.has(OwnerClientKey))
    return [['OwnerClientKey', ofClient]]
  if (kind === 'accessRight' && !brought.has(ClientKey)) return [['ClientKey', ofBrought]]
  if (kind === 'accessRight' && !isGrantable(rightIn(record))) return [['', notMore]]
  if (kind === 'account' && !clients.has(ClientKey)) return [['ClientKey', ofClient]]
  if (kind === 'app' && ClientKey !== undefined && !clients.has(ClientKey)) return [['ClientKey', ofClient]]
  return accountsOf(record).flatMap(([field, key]): Rejection[] => (accounts.has(key) ? [] : [[field, ofAccount]]))
}

/** The right of a record that is not validated yet: a malformed list counts as all. */
function rightIn({ AssetTypes, ExchangeIds, Level }: Members) {
  const listIn = (value: unknown): string[] | null => (Array.isArray(value) ? value : null)
  return {
    assetTypes: listIn(AssetTypes),
    exchangeIds: listIn(ExchangeIds),
    level: Level === 'View' ? ('View' as const) : ('Trade' as const),
  }
}

/** The accounts whose positions and elections a record has, with their fields. */
function accountsOf({ kind, AccountKey, Holdings }: Members): (readonly [field: string, key: unknown])[] {
  if (kind === 'position') return [['AccountKey', AccountKey]]
  if (kind !== 'event' || !Array.isArray(Holdings)) return []
  return Holdings.map((holding: Members | null, at) => [`Holdings[${at}].AccountKey`, holding?.AccountKey] as const)
}
