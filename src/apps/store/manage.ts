import { type RawBuilder, sql } from 'kysely'
import type { AppStatus, AuthorizationLevel, Flow } from '../../core/app.ts'
import type { Db, Trx } from '../../database/open.ts'

/** An app as its owner manages it. */
export type OwnApp = Readonly<{
  appKey: string
  name: string
  description: string
  flow: Flow
  isActive: boolean
  status: AppStatus
  onlineLevel: AuthorizationLevel
  offlineLevel: AuthorizationLevel
  createdBy: Readonly<{ Name: string; UserKey: string }> | null
  createdAt: Temporal.Instant
  redirectUris: readonly OwnRedirectUri[]
  secrets: readonly OwnSecret[]
}>
export type OwnRedirectUri = Readonly<{ id: number; uri: string; label: string | null; description: string | null }>
export type OwnSecret = Readonly<{
  id: number
  /** Null if only the hash is known. */
  sealed: Buffer | null
  validFrom: Temporal.Instant
  validUntil: Temporal.Instant
  lastUsedAt: Temporal.Instant | null
}>

/** Times and bytes inside JSON arrive as text. */
type Row = Omit<OwnApp, 'secrets'> & {
  secrets: { id: number; sealed: string | null; validFrom: string; validUntil: string; lastUsedAt: string | null }[]
}

/** Apps with their redirect URIs and secrets, from one snapshot. */
export async function selectApps(db: Db, rest: RawBuilder<unknown>): Promise<OwnApp[]> {
  const { rows } = await sql<Row>`
    select app_key as "appKey", name, description, flow, is_active as "isActive", status, online_level as "onlineLevel",
      offline_level as "offlineLevel", created_at as "createdAt",
      (select json_build_object('Name', name, 'UserKey', user_key) from service_user
        where user_key = app.created_by) as "createdBy",
      coalesce((select json_agg(json_build_object('id', redirect_uri_id, 'uri', uri, 'label', label,
          'description', r.description) order by redirect_uri_id)
        from redirect_uri r where r.app_key = app.app_key), '[]') as "redirectUris",
      coalesce((select json_agg(json_build_object('id', secret_id, 'sealed', encode(secret_sealed, 'base64'),
          'validFrom', valid_from, 'validUntil', valid_until, 'lastUsedAt', last_used_at) order by secret_id)
        from app_secret s where s.app_key = app.app_key), '[]') as secrets
    from app ${rest}`.execute(db)
  const instant = (text: string) => Temporal.Instant.from(text)
  return rows.map((row) => ({
    ...row,
    secrets: row.secrets.map(({ id, sealed, validFrom, validUntil, lastUsedAt }) => ({
      id,
      sealed: sealed === null ? null : Buffer.from(sealed, 'base64'),
      validFrom: instant(validFrom),
      validUntil: instant(validUntil),
      lastUsedAt: lastUsedAt === null ? null : instant(lastUsedAt),
    })),
  }))
}

/** A page of a client's apps, newest first. */
export async function listOwnApps(
  db: Db,
  clientKey: string,
  { top, skip }: { top: number; skip: number },
): Promise<{ apps: OwnApp[]; more: boolean }> {
  const apps = await selectApps(
    db,
    sql`where client_key = ${clientKey} order by created_at desc, app_key limit ${top + 1} offset ${skip}`,
  )
  return { apps: apps.slice(0, top), more: apps.length > top }
}

export async function countOwnApps(db: Db, clientKey: string): Promise<number> {
  const { count } = await db
    .selectFrom('app')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('client_key', '=', clientKey)
    .executeTakeFirstOrThrow()
  return count
}

/** Undefined for a missing app and for another client's. */
export async function findOwnApp(db: Db, clientKey: string, appKey: string): Promise<OwnApp | undefined> {
  const [app] = await selectApps(db, sql`where client_key = ${clientKey} and app_key = ${appKey}`)
  return app
}

/** Locks an app, which serializes its changes, and reads it after the lock: the previous holder may have changed it. */
export async function lockOwnApp(trx: Trx, clientKey: string, appKey: string): Promise<OwnApp | undefined> {
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

/** `createdBy` is null if an operator created it. */
type NewAppRow = Omit<OwnApp, 'createdBy' | 'isActive' | 'redirectUris' | 'secrets'> &
  Readonly<{ clientKey: string; createdBy: string | null }>

export async function insertApp(trx: Trx, app: NewAppRow): Promise<void> {
  await trx
    .insertInto('app')
    .values({
      app_key: app.appKey,
      client_key: app.clientKey,
      name: app.name,
      description: app.description,
      flow: app.flow,
      status: app.status,
      online_level: app.onlineLevel,
      offline_level: app.offlineLevel,
      created_by: app.createdBy,
      created_at: app.createdAt.toString(),
    })
    .execute()
}

type AppFields = Partial<Pick<OwnApp, 'name' | 'description' | 'isActive' | 'status' | 'onlineLevel' | 'offlineLevel'>>

/** Updates only the given fields: of concurrent writers the last one wins, field by field (§8.6). */
export async function updateApp(trx: Trx, appKey: string, fields: AppFields): Promise<void> {
  const set = {
    ...(fields.name !== undefined && { name: fields.name }),
    ...(fields.description !== undefined && { description: fields.description }),
    ...(fields.isActive !== undefined && { is_active: fields.isActive }),
    ...(fields.status !== undefined && { status: fields.status }),
    ...(fields.onlineLevel !== undefined && { online_level: fields.onlineLevel }),
    ...(fields.offlineLevel !== undefined && { offline_level: fields.offlineLevel }),
  }
  if (Object.keys(set).length > 0) await trx.updateTable('app').set(set).where('app_key', '=', appKey).execute()
}

type UriFields = Readonly<{ uri: string; label: string | null; description: string | null }>

export async function insertRedirectUri(trx: Trx, appKey: string, fields: UriFields): Promise<OwnRedirectUri> {
  const { id } = await trx
    .insertInto('redirect_uri')
    .values({ app_key: appKey, ...fields })
    .returning('redirect_uri_id as id')
    .executeTakeFirstOrThrow()
  return { id, ...fields }
}

export async function updateRedirectUri(trx: Trx, appKey: string, { id, ...fields }: OwnRedirectUri): Promise<void> {
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
type Times = Readonly<{ validFrom: Temporal.Instant; validUntil: Temporal.Instant }>

const timesRow = ({ validFrom, validUntil }: Times) => ({
  valid_from: validFrom.toString(),
  valid_until: validUntil.toString(),
})

export async function insertSecret(trx: Trx, appKey: string, value: SecretValue, times: Times): Promise<OwnSecret> {
  const { id } = await trx
    .insertInto('app_secret')
    .values({ app_key: appKey, secret_sha256: value.sha256, secret_sealed: value.sealed, ...timesRow(times) })
    .returning('secret_id as id')
    .executeTakeFirstOrThrow()
  return { id, sealed: value.sealed, ...times, lastUsedAt: null }
}

/** A new value has not been used yet, so it clears `last_used_at`. */
export async function updateSecret(
  trx: Trx,
  appKey: string,
  id: number,
  times: Times,
  value: SecretValue | undefined,
): Promise<void> {
  await trx
    .updateTable('app_secret')
    .set({
      ...timesRow(times),
      ...(value && { secret_sha256: value.sha256, secret_sealed: value.sealed, last_used_at: null }),
    })
    .where('app_key', '=', appKey)
    .where('secret_id', '=', id)
    .execute()
}
