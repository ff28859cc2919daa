import { sql } from 'kysely'
import type { Db, Trx } from '../database/open.ts'
import type { AccessRightRecord, AccountRecord, ClientRecord, UserRecord } from './schema.ts'
import { endEverything } from './session-store.ts'

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
  await db
    .insertInto('account')
    .values({ account_key: record.AccountKey, ...row })
    .onConflict((conflict) => conflict.column('account_key').doUpdateSet(row))
    .execute()
}

/** A password is handed over hashed; the record's clear one never comes this far. A user who is disabled is out. */
export async function putUser(trx: Trx, record: Omit<UserRecord, 'Password'>, now: Temporal.Instant): Promise<void> {
  const row = {
    name: record.Name,
    client_key: record.ClientKey,
    disabled: record.Disabled ?? false,
    password_hash: record.PasswordHash ?? null,
  }
  await trx
    .insertInto('service_user')
    .values({ user_key: record.UserKey, ...row })
    .onConflict((conflict) => conflict.column('user_key').doUpdateSet(row))
    .execute()
  if (row.disabled) await endEverything(trx, record.UserKey, 'user disabled', now)
}

export async function putAccessRight(db: Db, record: AccessRightRecord): Promise<void> {
  await db
    .insertInto('access_right')
    .values({
      client_key: record.ClientKey,
      account_key: record.AccountKey ?? null,
      user_key: record.UserKey ?? null,
      asset_types: record.AssetTypes ?? null,
      exchange_ids: record.ExchangeIds ?? null,
      level: record.Level,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function hasClients(db: Db): Promise<boolean> {
  const { rows } = await sql<{ present: boolean }>`select exists (select from client) as present`.execute(db)
  return rows[0]?.present ?? false
}
