type Members = Readonly<Record<string, unknown>>

/** The members of a record, by the columns of its row. Further ones are in the column `fields`. */
const columns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  client: { client_key: 'ClientKey', client_id: 'ClientId', name: 'Name', owner_client_key: 'OwnerClientKey' },
  accountGroup: { account_group_key: 'AccountGroupKey', name: 'Name' },
  account: {
    ...{ account_key: 'AccountKey', account_id: 'AccountId', client_key: 'ClientKey' },
    ...{ account_group_key: 'AccountGroupKey', currency: 'Currency' },
  },
  user: {
    ...{ user_key: 'UserKey', name: 'Name', client_key: 'ClientKey', disabled: 'Disabled', is_operator: 'Operator' },
  },
  accessRight: {
    ...{ client_key: 'ClientKey', account_key: 'AccountKey', user_key: 'UserKey' },
    ...{ asset_types: 'AssetTypes', exchange_ids: 'ExchangeIds', level: 'Level' },
  },
  position: {
    account_key: 'AccountKey',
    uic: 'Uic',
    asset_type: 'AssetType',
    held_from: 'From',
    amount: 'Amount',
  },
}

/** What records leave out: null, false, and a day since ever. */
const isLeftOut = (value: unknown): boolean => value === null || value === false || value === '-infinity'

/** The record of a row as the history keeps it. */
export function recordOfRow(kind: string, text: string): Members {
  const row = JSON.parse(text) as Members & { fields?: Members }
  const own = Object.entries(columns[kind] ?? {}).flatMap(([column, member]) =>
    isLeftOut(row[column]) ? [] : [[member, row[column]] as const],
  )
  const further = Object.entries(row.fields ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries([...own, ...further])
}

const keys: Readonly<Record<string, string>> = {
  calendar: 'CalendarId',
  exchange: 'ExchangeId',
  client: 'ClientKey',
  account: 'AccountKey',
  user: 'UserKey',
  event: 'EventId',
}

/** The members that identify the record with an id. */
export function keyOfId(kind: string, id: string): Members {
  if (kind === 'instrument') return { Uic: Number(id) }
  if (kind === 'optionRoot') return { OptionRootId: Number(id) }
  if (kind !== 'position') return { [keys[kind] ?? 'ClientKey']: id }
  const [AccountKey = '', uic = '', AssetType = '', From] = id.split(' ')
  return { AccountKey, Uic: Number(uic), AssetType, ...(From !== undefined && { From }) }
}
