import { sql } from 'kysely'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { Filled } from '../../database/staging/stages.ts'
import { accountFields, accountGroupFields, clientFields, fieldsText, userFields } from '../api/fields.ts'
import type { AccessRightRecord, AccountRecord, ClientRecord, UserRecord } from '../api/schema.ts'
import { endAccess, endEverything } from './sessions.ts'

export async function announceClients(db: Db, clientKeys: Iterable<string>): Promise<void> {
  const keys = [...new Set(clientKeys)]
  for (let start = 0; start < keys.length; start += batchSize)
    await announce(
      db,
      keys.slice(start, start + batchSize).map((key) => ({ topic: 'client', key })),
    )
}

/** A statement has at most 65,535 parameters. */
const batchSize = 5_000

/** Writes clients with distinct keys and their account groups. Groups that they no longer list are removed; their
 *  accounts leave them. Returns the clients to announce. */
export async function putClients(trx: Trx, records: readonly ClientRecord[]): Promise<string[]> {
  const rows = records.map((record) => ({
    client_key: record.ClientKey,
    client_id: record.ClientId,
    name: record.Name,
    owner_client_key: record.OwnerClientKey ?? null,
    fields: fieldsText(clientFields, record),
  }))
  await trx
    .insertInto('client')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('client_key').doUpdateSet(({ ref }) => ({
        client_id: ref('excluded.client_id'),
        name: ref('excluded.name'),
        owner_client_key: ref('excluded.owner_client_key'),
        fields: ref('excluded.fields'),
      })),
    )
    .execute()
  const keys = rows.map(({ client_key }) => client_key)
  await putGroups(trx, keys, records)
  return keys
}

async function putGroups(trx: Trx, clientKeys: string[], records: readonly ClientRecord[]): Promise<void> {
  const groups = records.flatMap(({ ClientKey, AccountGroups }) =>
    (AccountGroups ?? []).map((group) => {
      return [group.AccountGroupKey, ClientKey, group.Name, fieldsText(accountGroupFields, group)] as const
    }),
  )
  const [named, owners, names, fields] = [0, 1, 2, 3].map((column) => groups.map((group) => group[column] ?? ''))
  await sql`insert into account_group (account_group_key, client_key, name, fields)
    select key, owner, name, fields::jsonb
    from unnest(${named}::text[], ${owners}::text[], ${names}::text[], ${fields}::text[]) as one (key, owner, name, fields)
    on conflict (account_group_key) do update
    set client_key = excluded.client_key, name = excluded.name, fields = excluded.fields`.execute(trx)
  const { rows } = await sql<{ gone: string }>`select account_group_key as gone from account_group g
    where client_key = any(${clientKeys})
      and not exists (select from unnest(${named}::text[]) n where n = g.account_group_key)`.execute(trx)
  if (rows.length === 0) return
  const gone = rows.map((row) => row.gone)
  await sql`update account set account_group_key = null where account_group_key = any(${gone})`.execute(trx)
  await sql`delete from account_group where account_group_key = any(${gone})`.execute(trx)
}

/** Returns the clients to announce: an account may have moved from another client. */
export async function putAccounts(db: Db, records: readonly AccountRecord[]): Promise<string[]> {
  const rows = records.map((record) => ({
    account_key: record.AccountKey,
    account_id: record.AccountId,
    client_key: record.ClientKey,
    account_group_key: record.AccountGroupKey ?? null,
    currency: record.Currency,
    fields: fieldsText(accountFields, record),
  }))
  const keys = rows.map(({ account_key }) => account_key)
  const before = await db.selectFrom('account').select('client_key').where('account_key', 'in', keys).execute()
  await db
    .insertInto('account')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('account_key').doUpdateSet(({ ref }) => ({
        account_id: ref('excluded.account_id'),
        client_key: ref('excluded.client_key'),
        account_group_key: ref('excluded.account_group_key'),
        currency: ref('excluded.currency'),
        fields: ref('excluded.fields'),
      })),
    )
    .execute()
  return [...before, ...rows].map(({ client_key }) => client_key)
}

type UserToPut = Omit<UserRecord, 'Password'>

/** Takes hashed passwords only. Ends the access of users who are disabled or get another password, and the sessions of users
 *  who move to another client, because tokens carry the client. */
export async function putUsers(trx: Trx, records: readonly UserToPut[], now: Temporal.Instant): Promise<string[]> {
  const rows = records.map((record) => ({
    user_key: record.UserKey,
    name: record.Name,
    client_key: record.ClientKey,
    disabled: record.Disabled ?? false,
    is_operator: record.Operator ?? false,
    password_hash: record.PasswordHash ?? null,
    fields: fieldsText(userFields, record),
  }))
  const keys = rows.map(({ user_key }) => user_key)
  const present = trx.selectFrom('service_user').select(['user_key', 'client_key', 'disabled', 'password_hash'])
  const found = await present.where('user_key', 'in', keys).orderBy('user_key').forNoKeyUpdate().execute()
  const before = new Map(found.map((row) => [row.user_key, row]))
  await trx
    .insertInto('service_user')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('user_key').doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        client_key: ref('excluded.client_key'),
        disabled: ref('excluded.disabled'),
        is_operator: ref('excluded.is_operator'),
        password_hash: ref('excluded.password_hash'),
        fields: ref('excluded.fields'),
      })),
    )
    .execute()
  for (const { user_key, client_key, disabled, password_hash } of rows) {
    const was = before.get(user_key)
    if (was === undefined) continue
    if (disabled || was.disabled) await endAccess(trx, user_key, 'user disabled', now)
    else if (was.password_hash !== password_hash) await endAccess(trx, user_key, 'password changed', now)
    else if (was.client_key !== client_key) await endEverything(trx, user_key, 'user moved to another client', now)
  }
  return [...found, ...rows].map(({ client_key }) => client_key)
}

/** Returns the client of each new right. */
export async function putAccessRights(db: Db, records: readonly AccessRightRecord[]): Promise<string[]> {
  const added = await db
    .insertInto('access_right')
    .values(records.map(rightRow))
    .onConflict((conflict) => conflict.doNothing())
    .returning('client_key')
    .execute()
  return added.map(({ client_key }) => client_key)
}

const rightRow = (record: AccessRightRecord) => ({
  client_key: record.ClientKey,
  account_key: record.AccountKey ?? null,
  user_key: record.UserKey ?? null,
  asset_types: record.AssetTypes ?? null,
  exchange_ids: record.ExchangeIds ?? null,
  level: record.Level,
})

/** Returns the client of the removed right, or undefined if there is none. */
export async function removeAccessRight(db: Db, record: AccessRightRecord): Promise<string | undefined> {
  const row = rightRow(record)
  const removed = await sql`delete from access_right where client_key = ${row.client_key}
    and account_key is not distinct from ${row.account_key} and user_key is not distinct from ${row.user_key}
    and asset_types is not distinct from ${row.asset_types}::text[]
    and exchange_ids is not distinct from ${row.exchange_ids}::text[] and level = ${row.level}`.execute(db)
  return removed.numAffectedRows ? record.ClientKey : undefined
}

export async function hasClients(db: Db): Promise<boolean> {
  return (await db.selectFrom('client').select('client_key').limit(1).execute()).length > 0
}

/** Frees ids and names that staged records claim, so that records can swap them or take over those of a removed one. */
export async function releaseNames(trx: Trx, filled: Filled): Promise<void> {
  for (const [table, released] of Object.entries(releases)) if (filled.has(table)) await released.execute(trx)
}

const releases = {
  staged_client: sql`update client t set client_id = 'released ' || t.client_key from staged_client s
    where s.client_id = t.client_id and s.client_key <> t.client_key and not s.deletion`,
  staged_account: sql`update account t set account_id = 'released ' || t.account_key from staged_account s
    where s.account_id = t.account_id and s.account_key <> t.account_key and not s.deletion`,
  staged_user: sql`update service_user t set name = 'released ' || t.user_key from staged_user s
    where lower(s.name) = lower(t.name) and s.user_key <> t.user_key and not s.deletion`,
}
