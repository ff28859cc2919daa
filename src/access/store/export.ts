import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { readByCursor } from '../../database/staging/copy.ts'

/** PostgreSQL builds the documents, in the order of the records' members and without nulls. */
const clientDocument = sql`json_strip_nulls(json_build_object('ClientKey', client_key, 'ClientId', client_id, 'Name', name,
  'OwnerClientKey', owner_client_key, 'fields', fields, 'AccountGroups',
  (select json_agg(json_build_object('AccountGroupKey', account_group_key, 'Name', g.name, 'fields', g.fields)
     order by account_group_key collate "C")
   from account_group g where g.client_key = t.client_key)))`
const accountDocument = sql`json_strip_nulls(json_build_object('AccountKey', account_key, 'AccountId', account_id,
  'ClientKey', client_key, 'AccountGroupKey', account_group_key, 'Currency', currency,
  'fields', fields))`
const userDocument = sql`json_strip_nulls(json_build_object('UserKey', user_key, 'Name', name, 'ClientKey', client_key,
  'Disabled', case when disabled then true end, 'Operator', case when is_operator then true end, 'PasswordHash', password_hash, 'fields', fields))`
const rightDocument = sql`json_strip_nulls(json_build_object('ClientKey', client_key, 'AccountKey', account_key,
  'UserKey', user_key, 'AssetTypes', asset_types, 'ExchangeIds', exchange_ids, 'Level', level))`

type Stored = Readonly<{ fields?: object; AccountGroups?: readonly Stored[] }>
type Document = { document: Stored }

/** The record of a row: its own members, then its further fields by name. */
function recordOf({ fields = {}, AccountGroups, ...members }: Stored): object {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const groups = AccountGroups && { AccountGroups: AccountGroups.map(recordOf) }
  return { ...members, ...groups, ...Object.fromEntries(sorted) }
}

type Source = { table: string; key: string; document: RawBuilder<unknown> }

const sources = {
  client: { table: 'client', key: 'client_key', document: clientDocument },
  account: { table: 'account', key: 'account_key', document: accountDocument },
  user: { table: 'service_user', key: 'user_key', document: userDocument },
} satisfies Record<string, Source>

export async function readPresent(
  db: Db,
  kind: keyof typeof sources,
  keys: readonly string[],
): Promise<Map<string, object>> {
  const { table, key, document } = sources[kind]
  const { rows } = await sql<{ key: string } & Document>`select ${sql.ref(key)} as key, ${document} as document
    from ${sql.table(table)} t where ${sql.ref(key)} = any(${keys})`.execute(db)
  return new Map(rows.map((row) => [row.key, recordOf(row.document)]))
}

/** Serializes again, so that the text is what JSON.stringify writes. */
async function* read(db: Db, { table, document }: Omit<Source, 'key'>, order: string): AsyncGenerator<string[]> {
  const query = sql<Document>`select ${document} as document from ${sql.table(table)} t order by ${sql.raw(order)}`
  for await (const rows of readByCursor(db, query, 1_000))
    yield rows.map((row) => JSON.stringify(recordOf(row.document)))
}

const rightOrder = ['client_key', 'account_key', 'user_key', 'asset_types', 'exchange_ids', 'level']
  .map((column) => `${column} collate "C" nulls first`)
  .join(', ')

/** Exports in key order. Users include their password hash. */
export const accessExports = [
  { kind: 'client', read: (db: Db) => read(db, sources.client, 'client_key collate "C"') },
  { kind: 'account', read: (db: Db) => read(db, sources.account, 'account_key collate "C"') },
  { kind: 'user', read: (db: Db) => read(db, sources.user, 'user_key collate "C"') },
  { kind: 'accessRight', read: (db: Db) => read(db, { table: 'access_right', document: rightDocument }, rightOrder) },
] as const
