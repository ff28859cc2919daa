import { sql } from 'kysely'
import { announce } from '../database/changes.ts'
import type { Db, Trx } from '../database/open.ts'
import type { AccessRightRecord, AccountRecord, ClientRecord, UserRecord } from './schema.ts'
import { endEverything } from './session-store.ts'

/** Every node forgets what it knows of these clients: their accounts, users and rights too. */
export async function announceClients(db: Db, clientKeys: readonly (string | undefined)[]): Promise<void> {
  const keys = new Set(clientKeys.filter((key) => key !== undefined))
  await announce(
    db,
    [...keys].map((key) => ({ topic: 'client', key })),
  )
}

/** Writes a client and its account groups; those it no longer names are removed, and their accounts are in none then. */
export async function putClient(trx: Trx, record: ClientRecord): Promise<void> {
  const row = { client_id: record.ClientId, name: record.Name, owner_client_key: record.OwnerClientKey ?? null }
  await trx
    .insertInto('client')
    .values({ client_key: record.ClientKey, ...row })
    .onConflict((conflict) => conflict.column('client_key').doUpdateSet(row))
    .execute()
  for (const group of record.AccountGroups ?? []) {
    const values = { client_key: record.ClientKey, name: group.Name }
    await trx
      .insertInto('account_group')
      .values({ account_group_key: group.AccountGroupKey, ...values })
      .onConflict((conflict) => conflict.column('account_group_key').doUpdateSet(values))
      .execute()
  }
  await keepGroups(
    trx,
    record.ClientKey,
    (record.AccountGroups ?? []).map(({ AccountGroupKey }) => AccountGroupKey),
  )
  await announceClients(trx, [record.ClientKey])
}

async function keepGroups(trx: Trx, clientKey: string, named: string[]): Promise<void> {
  const unnamed = trx
    .selectFrom('account_group')
    .select('account_group_key')
    .where('client_key', '=', clientKey)
    .where('account_group_key', '<>', sql<string>`all(${named})`)
  await trx.updateTable('account').set({ account_group_key: null }).where('account_group_key', 'in', unnamed).execute()
  await trx.deleteFrom('account_group').where('account_group_key', 'in', unnamed).execute()
}

export async function putAccount(db: Db, record: AccountRecord): Promise<void> {
  const row = {
    account_id: record.AccountId,
    client_key: record.ClientKey,
    account_group_key: record.AccountGroupKey ?? null,
    currency: record.Currency,
  }
  const before = await db
    .selectFrom('account')
    .select('client_key')
    .where('account_key', '=', record.AccountKey)
    .executeTakeFirst()
  await db
    .insertInto('account')
    .values({ account_key: record.AccountKey, ...row })
    .onConflict((conflict) => conflict.column('account_key').doUpdateSet(row))
    .execute()
  await announceClients(db, [before?.client_key, record.ClientKey])
}

/** A password is handed over hashed; the record's clear one never comes this far. A user who is disabled is out. */
export async function putUser(trx: Trx, record: Omit<UserRecord, 'Password'>, now: Temporal.Instant): Promise<void> {
  const row = {
    name: record.Name,
    client_key: record.ClientKey,
    disabled: record.Disabled ?? false,
    password_hash: record.PasswordHash ?? null,
  }
  const before = await trx
    .selectFrom('service_user')
    .select('client_key')
    .where('user_key', '=', record.UserKey)
    .executeTakeFirst()
  await trx
    .insertInto('service_user')
    .values({ user_key: record.UserKey, ...row })
    .onConflict((conflict) => conflict.column('user_key').doUpdateSet(row))
    .execute()
  if (row.disabled) await endEverything(trx, record.UserKey, 'user disabled', now)
  await announceClients(trx, [before?.client_key, record.ClientKey])
}

/** False when there is exactly this right already. */
export async function putAccessRight(db: Db, record: AccessRightRecord): Promise<boolean> {
  const added = await db
    .insertInto('access_right')
    .values(rightRow(record))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (!added.numInsertedOrUpdatedRows) return false
  await announceClients(db, [record.ClientKey])
  return true
}

const rightRow = (record: AccessRightRecord) => ({
  client_key: record.ClientKey,
  account_key: record.AccountKey ?? null,
  user_key: record.UserKey ?? null,
  asset_types: record.AssetTypes ?? null,
  exchange_ids: record.ExchangeIds ?? null,
  level: record.Level,
})

/** False when there is no such right. */
export async function removeAccessRight(db: Db, record: AccessRightRecord): Promise<boolean> {
  const row = rightRow(record)
  const removed = await sql`delete from access_right where client_key = ${row.client_key}
    and account_key is not distinct from ${row.account_key} and user_key is not distinct from ${row.user_key}
    and asset_types is not distinct from ${row.asset_types}::text[]
    and exchange_ids is not distinct from ${row.exchange_ids}::text[] and level = ${row.level}`.execute(db)
  if (!removed.numAffectedRows) return false
  await announceClients(db, [record.ClientKey])
  return true
}

export async function hasClients(db: Db): Promise<boolean> {
  const { rows } = await sql<{ present: boolean }>`select exists (select from client) as present`.execute(db)
  return rows[0]?.present ?? false
}
