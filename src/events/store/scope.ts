import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'

/** Whose events are selected (§7.1): a client, one of its account groups or accounts, or the client with all sub-clients. */
export type Scope = Readonly<{
  /** The caller's client: the selected client must be this one or one of its sub-clients. */
  callerClientKey: string
  clientKey: string
  accountKey?: string | undefined
  accountGroupKey?: string | undefined
  includesSubClients: boolean
}>

/** Whether the caller may use the keys of a scope, and the selected client. Unknown keys count as forbidden. */
export type ScopeFound = Readonly<{
  has_client: boolean
  has_account: boolean
  has_group: boolean
  client_id: string | null
  client_name: string | null
  /** A client without an owner owns itself (§7.5). */
  owner_id: string | null
}>

/** The values of a scope in a prepared statement. */
export type ScopeValues = Readonly<{
  callerClientKey: string
  clientKey: string
  accountKey: string | null
  accountGroupKey: string | null
}>

export const scopeValues = ({ callerClientKey, clientKey, accountKey, accountGroupKey }: Scope): ScopeValues => ({
  callerClientKey,
  clientKey,
  accountKey: accountKey ?? null,
  accountGroupKey: accountGroupKey ?? null,
})

/** Whether the caller's client is the selected one, as a whole or in part, or above it. Each has its own statement: nearly
 *  every one is of the first kind, which needs the least, and the last would be planned each time. */
export type Relation = 'whole' | 'own' | 'below'
export function relationOf({ callerClientKey, clientKey, accountKey, accountGroupKey }: Scope): Relation {
  if (callerClientKey !== clientKey) return 'below'
  return accountKey === undefined && accountGroupKey === undefined ? 'whole' : 'own'
}

const isVisible: Record<Relation, (values: ScopeValues) => RawBuilder<unknown>> = {
  whole: () => sql`true`,
  own: () => sql`true`,
  below: ({ callerClientKey, clientKey }) => sql`${callerClientKey} in (
    with recursive above as (
      select client_key, owner_client_key from client where client_key = ${clientKey}
      union select o.client_key, o.owner_client_key from above join client o on o.client_key = above.owner_client_key)
    select client_key from above)`,
}

const nameColumns = sql`c.client_id, c.name as client_name, coalesce(o.client_id, c.client_id) as owner_id`

/** The columns of ScopeFound for a whole client: the caller's own. */
export const clientColumns = sql`c.client_key is not null as has_client, true as has_account, true as has_group, ${nameColumns}`

/** The columns of ScopeFound. */
export const scopeColumns = (values: ScopeValues, relation: Relation) => sql`
  c.client_key is not null and ${isVisible[relation](values)} as has_client,
  ${relation === 'whole' ? sql`true` : belongs('account', 'account_key', values.accountKey, values.clientKey)} as has_account,
  ${relation === 'whole' ? sql`true` : belongs('account_group', 'account_group_key', values.accountGroupKey, values.clientKey)}
    as has_group,
  ${nameColumns}`

/** One row, whether the client exists or not. */
export const scopeTables = ({ clientKey }: ScopeValues) => sql`(select) one
  left join client c on c.client_key = ${clientKey} left join client o on o.client_key = c.owner_client_key`

function belongs(table: string, column: string, key: string | null, clientKey: string): RawBuilder<unknown> {
  return sql`(${key}::text is null or (select client_key from ${sql.table(table)} where ${sql.ref(column)} = ${key})
    is not distinct from ${clientKey})`
}

/** A condition on the accounts `a` of a client. */
export const isSelected = ({ accountKey, accountGroupKey }: ScopeValues, relation: Relation) =>
  relation === 'whole'
    ? sql`true`
    : sql`(${accountKey}::text is null or a.account_key = ${accountKey})
  and (${accountGroupKey}::text is null or a.account_group_key = ${accountGroupKey})`

/** Only private calendars need the scope alone, when they are created. */
export async function findScope(db: Db, scope: Scope): Promise<ScopeFound> {
  const values = scopeValues(scope)
  const { rows } = await sql<ScopeFound>`
    select ${scopeColumns(values, relationOf(scope))} from ${scopeTables(values)}`.execute(db)
  return rows[0] as ScopeFound
}
