import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { findStagedErrors, type StagedErrors } from '../../database/staging/copy.ts'
import { anyWasRejected, wasRejected } from '../../database/staging/rejected.ts'
import type { Filled } from '../../database/staging/stages.ts'

/** Stages for clients, accounts, users and rights. The columns are those that checks compare. */
export const clientStage = {
  table: 'staged_client',
  columns: {
    client_key: 'text',
    client_id: 'text',
    owner_client_key: 'text',
    account_group_keys: 'text[]',
    document: 'json',
  },
}
export const accountStage = {
  table: 'staged_account',
  columns: { account_key: 'text', account_id: 'text', client_key: 'text', account_group_key: 'text', document: 'json' },
}
export const userStage = {
  table: 'staged_user',
  columns: { user_key: 'text', name: 'text', client_key: 'text', document: 'json' },
}
export const accessRightStage = {
  table: 'staged_access_right',
  columns: { key: 'text', client_key: 'text', account_key: 'text', user_key: 'text', document: 'json' },
}

/** ClientIds of imported clients that have users, but no right: their users see nothing. */
export async function listClientsWithoutRights(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ client_id: string }>`
    select c.client_id from client c join staged_client s using (client_key)
    where not s.deletion and not exists (select from access_right r where r.client_key = c.client_key)
      and exists (select from service_user u where u.client_key = c.client_key)
    order by c.client_id limit ${limit}`.execute(db)
  return rows.map(({ client_id }) => client_id)
}

/** Password hashes of staged users: first of those with these names (in lower case), then others that change. */
export async function readStagedHashes(db: Db, names: readonly string[], limit: number) {
  const { rows } = await sql<{ line: number; key: string; passwordHash: string }>`
    select line, user_key as key, document ->> 'PasswordHash' as "passwordHash" from staged_user s
    where not deletion and document ->> 'PasswordHash' is not null
      and (lower(name) = any(${names}) or not exists (select from service_user u
        where u.user_key = s.user_key and u.password_hash = s.document ->> 'PasswordHash'))
    order by lower(name) = any(${names}) desc, line limit ${limit}`.execute(db)
  return rows
}

const isGone = sql`exists (select from staged_client d where d.client_key = t.client_key and d.deletion
  and not ${wasRejected('client', sql`d.client_key`)})`

/** The tables as they will be after the import: staged rows, and present rows that are neither staged nor removed. */
const clientsAfter = sql`(select client_key, owner_client_key, client_id from client t
    where not exists (select from staged_client s where s.client_key = t.client_key)
  union all select client_key, owner_client_key, client_id from staged_client where not deletion)`
export const accountsAfter = sql`(select account_key, client_key, account_id from account t
    where not exists (select from staged_account s where s.account_key = t.account_key) and not ${isGone}
  union all select account_key, client_key, account_id from staged_account where not deletion)`
const usersAfter = sql`(select user_key, client_key, name from service_user t
    where not exists (select from staged_user s where s.user_key = t.user_key) and not ${isGone}
  union all select user_key, client_key, name from staged_user where not deletion)`
const groupsAfter = sql`(select account_group_key, client_key from account_group t
    where not exists (select from staged_client s where s.client_key = t.client_key)
  union all select unnest(account_group_keys), client_key from staged_client where not deletion)`

/** Checks references between staged and present records (§9.2). */
export async function findAccessErrors(db: Db, filled: Filled): Promise<StagedErrors[]> {
  const errors: StagedErrors[] = []
  for (const [table, checks] of Object.entries(checksOf))
    if (filled.has(table)) for (const check of checks()) errors.push(await findStagedErrors(db, check))
  return errors
}

type Staged = Readonly<{ kind: string; table: string; key: string }>
/** The records that a key refers to, as they will be after the import. */
type Target = Readonly<{
  name: string
  key: string
  after: RawBuilder<unknown>
  isOfClient?: boolean
  isGroup?: boolean
}>

export const knownClient: Target = { name: 'client', key: 'client_key', after: clientsAfter }
export const knownUser: Target = { name: 'user', key: 'user_key', after: usersAfter }
const ownUser: Target = { ...knownUser, isOfClient: true }
const ownAccount: Target = { name: 'account', key: 'account_key', after: accountsAfter, isOfClient: true }
const ownGroup: Target = {
  name: 'account group',
  key: 'account_group_key',
  after: groupsAfter,
  isOfClient: true,
  isGroup: true,
}

/** Finds references to records that will not exist, or that belong to another client. */
export function unknownKey(staged: Staged, field: string, target: Target): RawBuilder<unknown> {
  const column = field.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
  const value = sql.ref(`s.${column}`)
  const ofClient = target.isOfClient ? sql`and a.client_key = s.client_key` : sql``
  const rejected = target.isGroup ? wasRejected('client', sql`s.client_key`) : wasRejected(target.name, value)
  const reason = `is not a known ${target.name}${target.isOfClient ? ' of its client' : ''}. Import it in the same run, or correct the key.`
  return sql`select s.line, ${staged.kind}::text, ${sql.ref(`s.${staged.key}`)}, ${field}::text,
      ${value} || ' ' || ${reason}::text, null::bigint
    from ${sql.table(staged.table)} s where not s.deletion and ${value} is not null
      and not exists (select from ${target.after} a where ${sql.ref(`a.${target.key}`)} = ${value} ${ofClient})
      and not ${rejected}`
}

const [client, account, user, right] = [
  { kind: 'client', table: 'staged_client', key: 'client_key' },
  { kind: 'account', table: 'staged_account', key: 'account_key' },
  { kind: 'user', table: 'staged_user', key: 'user_key' },
  { kind: 'accessRight', table: 'staged_access_right', key: 'client_key' },
]

/** By the stage whose rows can have the error. */
const checksOf: Readonly<Record<string, () => RawBuilder<unknown>[]>> = {
  staged_client: () => [
    unknownKey(client, 'OwnerClientKey', knownClient),
    takenName(client, sql`a.client_id`, 'ClientId', clientsAfter),
    ownerCycles,
    removedOwners,
    sharedGroups,
    groupsLeft,
  ],
  staged_account: () => [
    unknownKey(account, 'ClientKey', knownClient),
    unknownKey(account, 'AccountGroupKey', ownGroup),
    takenName(account, sql`a.account_id`, 'AccountId', accountsAfter),
    rightsLeft('account', 'AccountKey'),
  ],
  staged_user: () => [
    unknownKey(user, 'ClientKey', knownClient),
    takenName(user, sql`lower(a.name)`, 'Name', usersAfter),
    rightsLeft('user', 'UserKey'),
  ],
  staged_access_right: () => [
    unknownKey(right, 'ClientKey', knownClient),
    unknownKey(right, 'AccountKey', ownAccount),
    unknownKey(right, 'UserKey', ownUser),
  ],
}

/** Finds duplicate ids and names, staged or present. Reports the last line. */
function takenName({ kind, table, key }: Staged, name: RawBuilder<unknown>, field: string, after: RawBuilder<unknown>) {
  return sql`select max(s.line), ${kind}::text, max(${sql.ref(key)}), ${field}::text,
      ${`Is already the ${field} of another ${kind}.`}::text, null::bigint
    from ${after} a left join ${sql.table(table)} s using (${sql.ref(key)})
    group by ${name} having count(*) > 1 and max(s.line) is not null`
}

/** Walks up from every staged client. `union` drops pairs seen before, so the walk ends. */
const ownerCycles = sql`with recursive known as materialized ${clientsAfter}, walk as (
    select line, client_key as start, owner_client_key as at from staged_client
    where not deletion and owner_client_key is not null
    union
    select line, start, k.owner_client_key from walk join known k on k.client_key = walk.at
    where k.owner_client_key is not null and walk.at <> start)
  select line, 'client', start, 'OwnerClientKey', 'Forms a cycle: a client must not own itself.', null::bigint from walk
  where at = start`

const removedOwners = sql`select d.line, 'client', d.client_key, 'delete',
    'Still owns ' || count(*) || ' other clients, such as ' || min(t.client_id) || '.', null::bigint
  from staged_client d join client t on t.owner_client_key = d.client_key
  where d.deletion and not exists (select from staged_client s where s.client_key = t.client_key)
    and not ${wasRejected('client', sql`d.client_key`)}
  group by d.line, d.client_key`

const sharedGroups = sql`select max(s.line), 'client', max(s.client_key), 'AccountGroups',
    'Account group ' || a.account_group_key || ' belongs to ' || count(*) || ' clients: ' ||
      string_agg(a.client_key, ', ') || '. Import them in one run, and list it in only one of them.', null::bigint
  from ${groupsAfter} a left join staged_client s using (client_key)
  group by a.account_group_key having count(*) > 1 and max(s.line) is not null`

/** A group that moves to another client must not keep accounts of the first. */
const groupsLeft = sql`select s.line, 'client', s.client_key, 'AccountGroups', 'Account group ' || group_key ||
    ' still has account ' || min(a.account_id) || ' of another client. Import that account too, without the group.',
    null::bigint
  from staged_client s cross join unnest(s.account_group_keys) as group_key join account a
    on a.account_group_key = group_key and a.client_key <> s.client_key
  where not s.deletion and not exists (select from staged_account g where g.account_key = a.account_key)
    and not exists (select from staged_client d where d.client_key = a.client_key and d.deletion)
  group by s.line, s.client_key, group_key`

/** An account or user that moves to another client must not keep rights of the first. */
function rightsLeft(kind: 'account' | 'user', field: string): RawBuilder<unknown> {
  const key = sql.ref(`${kind}_key`)
  return sql`select s.line, ${kind}::text, s.${key}, 'ClientKey', 'Still has ' || count(*) || ' access rights of client ' ||
      min(r.client_key) || ${`. Delete them in the same run: accessRight records with this ${field}.`}::text, null::bigint
    from ${sql.table(`staged_${kind}`)} s join access_right r on r.${key} = s.${key} and r.client_key <> s.client_key
    where not s.deletion and not exists (select from staged_access_right d where d.deletion
        and d.client_key = r.client_key and d.account_key is not distinct from r.account_key
        and d.user_key is not distinct from r.user_key and d.document ->> 'Level' = r.level
        and (d.document -> 'AssetTypes')::jsonb is not distinct from to_jsonb(r.asset_types)
        and (d.document -> 'ExchangeIds')::jsonb is not distinct from to_jsonb(r.exchange_ids))
      and not exists (select from staged_client d where d.client_key = r.client_key and d.deletion)
      and not ${anyWasRejected('accessRight')}
    group by s.line, s.${key}`
}
