import type { ErrorList } from '../../data/import/errors.ts'
import type { Item } from '../../data/sources/records.ts'

/** The user who sends the text of a scenario. */
export type Loader = Readonly<{ clientKey: string; isOperator: boolean }>
type LoaderFacts = Loader & Readonly<{ accountKeys: readonly string[] }>

type Members = Readonly<Record<string, unknown>>
type Rejection = readonly [field: string, reason: string]
/** What the records of a text may refer to. */
type Allowed = Readonly<{
  brought: ReadonlySet<unknown>
  clients: ReadonlySet<unknown>
  accounts: ReadonlySet<unknown>
}>

const ofClient = 'Must be your client, or one that the scenario brings.'
const ofBrought = 'Must be a client that the scenario brings.'
const ofAccount = 'Must be an account of your client, or one that the scenario brings.'

/** A text may change only clients that it brings itself and the loader's own, which gets no access rights by it. Operators are
 *  limited only in the users that they bring: a user of another client would see its data. */
export function checkLoader(items: readonly Item[], loader: LoaderFacts, errors: ErrorList): void {
  const records = items.flatMap((item) => ('value' in item ? [{ line: item.line, record: item.value as Members }] : []))
  const keysOf = (kind: string, member: string) =>
    records.flatMap(({ record }) => (record.kind === kind ? [record[member]] : []))
  const brought = new Set(keysOf('client', 'ClientKey'))
  const allowed = {
    brought,
    clients: new Set([loader.clientKey, ...brought]),
    accounts: new Set([...loader.accountKeys, ...keysOf('account', 'AccountKey')]),
  }
  for (const { line, record } of records)
    for (const [field, reason] of [
      ...rejectUser(record, loader, allowed),
      ...(loader.isOperator ? [] : rejectOthers(record, allowed)),
    ])
      errors.add({ line, kind: String(record.kind), field, reason })
}

function rejectUser(record: Members, { isOperator }: Loader, { clients }: Allowed): Rejection[] {
  if (record.kind !== 'user') return []
  return [
    ...(clients.has(record.ClientKey) ? [] : [['ClientKey', ofClient] as const]),
    ...(record.Operator === true && !isOperator ? [['Operator', 'Only an operator may add operators.'] as const] : []),
  ]
}

/** An unknown key is rejected like one of another client. */
function rejectOthers(record: Members, { brought, clients, accounts }: Allowed): Rejection[] {
  const { kind, ClientKey, OwnerClientKey } = record
  if (kind === 'client' && OwnerClientKey !== undefined && !clients.has(OwnerClientKey))
    return [['OwnerClientKey', ofClient]]
  if (kind === 'accessRight' && !brought.has(ClientKey)) return [['ClientKey', ofBrought]]
  if (kind === 'account' && !clients.has(ClientKey)) return [['ClientKey', ofClient]]
  if (kind === 'app' && ClientKey !== undefined && !clients.has(ClientKey)) return [['ClientKey', ofClient]]
  return accountsOf(record).flatMap(([field, key]): Rejection[] => (accounts.has(key) ? [] : [[field, ofAccount]]))
}

/** The accounts whose positions and elections a record has, with their fields. */
function accountsOf({ kind, AccountKey, Holdings }: Members): (readonly [field: string, key: unknown])[] {
  if (kind === 'position') return [['AccountKey', AccountKey]]
  if (kind !== 'event' || !Array.isArray(Holdings)) return []
  return Holdings.map((holding: Members | null, at) => [`Holdings[${at}].AccountKey`, holding?.AccountKey] as const)
}
