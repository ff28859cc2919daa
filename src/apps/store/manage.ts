import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import type { Tables } from '../../database/tables/tables.ts'
import type { SecretTimes } from '../rules/secret-times.ts'
import { preparedApps, type StoredApp, type StoredRedirectUri, type StoredSecret } from './apps.ts'

type OwnPage = { clientKey: string; limit: number; skip: number }

const pageOfClient = preparedApps(
  ({ clientKey, limit, skip }: OwnPage) =>
    sql`where client_key = ${clientKey} order by created_at desc, app_key limit ${limit} offset ${skip}`,
)

/** A page of a client's apps, newest first. */
export async function listOwnApps(db: Db, clientKey: string, { top, skip }: { top: number; skip: number }) {
  const apps = await pageOfClient(db, { clientKey, limit: top + 1, skip })
  return { apps: apps.slice(0, top), more: apps.length > top }
}

const countOfClient = prepared((db, { clientKey }: { clientKey: string }) =>
  db
    .selectFrom('app')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('client_key', '=', clientKey),
)

export async function countOwnApps(db: Db, clientKey: string): Promise<number> {
  return (await countOfClient(db, { clientKey }))[0]?.count ?? 0
}

const appOfClient = preparedApps(
  ({ clientKey, appKey }: { clientKey: string; appKey: string }) =>
    sql`where client_key = ${clientKey} and app_key = ${appKey}`,
)

/** Undefined for a missing app and for another client's. */
export async function findOwnApp(db: Db, clientKey: string, appKey: string): Promise<StoredApp | undefined> {
  return (await appOfClient(db, { clientKey, appKey }))[0]
}

/** Locks an app, which serializes its changes, and reads it after the lock: the previous holder may have changed it. */
export async function lockOwnApp(trx: Trx, clientKey: string, appKey: string): Promise<StoredApp | undefined> {
  const locked = await trx
    .selectFrom('app')
    .select('app_key')
    .where('client_key', '=', clientKey)
    .where('app_key', '=', appKey)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return locked && findOwnApp(trx, clientKey, appKey)
}

/** Locks a client, so that concurrent creations count each other's apps. */
export async function lockClient(trx: Trx, clientKey: string): Promise<void> {
  await trx.selectFrom('client').select('client_key').where('client_key', '=', clientKey).forNoKeyUpdate().execute()
}

export async function insertApp(trx: Trx, app: Insertable<Tables['app']>): Promise<void> {
  await trx.insertInto('app').values(app).execute()
}

type AppFields = Pick<StoredApp, 'name' | 'description' | 'isActive' | 'status' | 'onlineLevel' | 'offlineLevel'>

/** Updates only the given fields, at least one: of concurrent writers the last one wins, field by field (§8.6). */
export async function updateApp(trx: Trx, appKey: string, fields: Partial<AppFields>): Promise<void> {
  const { isActive: is_active, onlineLevel: online_level, offlineLevel: offline_level, ...others } = fields
  await trx
    .updateTable('app')
    .set({ ...others, is_active, online_level, offline_level })
    .where('app_key', '=', appKey)
    .execute()
}

type UriFields = Omit<StoredRedirectUri, 'id'>

export async function insertRedirectUri(trx: Trx, appKey: string, fields: UriFields): Promise<StoredRedirectUri> {
  const { id } = await trx
    .insertInto('redirect_uri')
    .values({ app_key: appKey, ...fields })
    .returning('redirect_uri_id as id')
    .executeTakeFirstOrThrow()
  return { id, ...fields }
}

export async function updateRedirectUri(trx: Trx, appKey: string, { id, ...fields }: StoredRedirectUri): Promise<void> {
  await trx
    .updateTable('redirect_uri')
    .set(fields)
    .where('app_key', '=', appKey)
    .where('redirect_uri_id', '=', id)
    .execute()
}

export async function deleteRedirectUri(trx: Trx, appKey: string, id: number): Promise<void> {
  await trx.deleteFrom('redirect_uri').where('app_key', '=', appKey).where('redirect_uri_id', '=', id).execute()
}

export type SecretValue = Readonly<{ sha256: Buffer; sealed: Buffer }>

const timesRow = ({ validFrom, validUntil }: SecretTimes) => ({
  valid_from: validFrom.toString(),
  valid_until: validUntil.toString(),
})

export async function insertSecret(trx: Trx, appKey: string, { sha256, sealed }: SecretValue, times: SecretTimes) {
  const { id } = await trx
    .insertInto('app_secret')
    .values({ app_key: appKey, secret_sha256: sha256, secret_sealed: sealed, ...timesRow(times) })
    .returning('secret_id as id')
    .executeTakeFirstOrThrow()
  return { id, sha256, sealed, ...times, lastUsedAt: null } satisfies StoredSecret
}

/** A new value has not been used yet, so it clears `last_used_at`. */
export async function updateSecret(trx: Trx, appKey: string, id: number, times: SecretTimes, value?: SecretValue) {
  const values = value && { secret_sha256: value.sha256, secret_sealed: value.sealed, last_used_at: null }
  await trx
    .updateTable('app_secret')
    .set({ ...timesRow(times), ...values })
    .where('app_key', '=', appKey)
    .where('secret_id', '=', id)
    .execute()
}
