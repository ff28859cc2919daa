import { type RawBuilder, sql } from 'kysely'
import type { AppStatus, AuthorizationLevel, Flow } from '../../core/app.ts'
import type { Db } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import type { SecretTimes } from '../rules/secret-times.ts'

export type StoredApp = Readonly<{
  appKey: string
  /** Null for the app of the console. */
  clientKey: string | null
  name: string
  description: string
  flow: Flow
  isActive: boolean
  status: AppStatus
  onlineLevel: AuthorizationLevel
  offlineLevel: AuthorizationLevel
  createdBy: Readonly<{ Name: string; UserKey: string }> | null
  createdAt: Temporal.Instant
  redirectUris: readonly StoredRedirectUri[]
  secrets: readonly StoredSecret[]
}>
export type StoredRedirectUri = Readonly<{ id: number; uri: string; label: string | null; description: string | null }>
/** `sealed` is null if only the hash is known. */
export type StoredSecret = SecretTimes &
  Readonly<{ id: number; sha256: Buffer; sealed: Buffer | null; lastUsedAt: Temporal.Instant | null }>

type TextOf<T> = { [Name in keyof T]: T[Name] extends number ? number : string | Extract<T[Name], null> }

/** Times and bytes inside JSON arrive as text. */
type AppRow = Omit<StoredApp, 'secrets'> & { secrets: TextOf<StoredSecret>[] }

/** Apps with their redirect URIs and secrets, in one statement and so from one snapshot. `rest` says which. */
export function preparedApps<Values extends object>(rest: (values: Values) => RawBuilder<unknown>) {
  const select = prepared((_db, values: Values) => appsWith(rest(values)))
  return async (db: Db, values: Values): Promise<StoredApp[]> => (await select(db, values)).map(storedApp)
}

const appsWith = (rest: RawBuilder<unknown>) => sql<AppRow>`
    select app_key as "appKey", client_key as "clientKey", name, description, flow, is_active as "isActive", status,
      online_level as "onlineLevel", offline_level as "offlineLevel", created_at as "createdAt",
      (select json_build_object('Name', name, 'UserKey', user_key) from service_user
        where user_key = app.created_by) as "createdBy",
      coalesce((select json_agg(json_build_object('id', redirect_uri_id, 'uri', uri, 'label', label,
          'description', r.description) order by redirect_uri_id)
        from redirect_uri r where r.app_key = app.app_key), '[]') as "redirectUris",
      coalesce((select json_agg(json_build_object('id', secret_id, 'sha256', encode(secret_sha256, 'base64'),
          'sealed', encode(secret_sealed, 'base64'), 'validFrom', valid_from, 'validUntil', valid_until,
          'lastUsedAt', last_used_at) order by secret_id)
        from app_secret s where s.app_key = app.app_key), '[]') as secrets
    from app ${rest}`

function storedApp(row: AppRow): StoredApp {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const instant = (text: string) => Temporal.Instant.from(text)
  return {
    ...row,
    secrets: row.secrets.map(({ id, sha256, sealed, validFrom, validUntil, lastUsedAt }) => ({
      id,
      sha256: bytes(sha256),
      sealed: sealed === null ? null : bytes(sealed),
      validFrom: instant(validFrom),
      validUntil: instant(validUntil),
      lastUsedAt: lastUsedAt === null ? null : instant(lastUsedAt),
    })),
  }
}

const appByKey = preparedApps(({ appKey }: { appKey: string }) => sql`where app_key = ${appKey}`)

export async function readApp(db: Db, appKey: string): Promise<StoredApp | undefined> {
  return (await appByKey(db, { appKey }))[0]
}

/** The web redirect URIs of all active apps, whose origins may call from a browser. */
export async function listActiveRedirectUris(db: Db): Promise<{ uri: string; flow: Flow }[]> {
  return db
    .selectFrom('redirect_uri')
    .innerJoin('app', 'app.app_key', 'redirect_uri.app_key')
    .select(['uri', 'flow'])
    .distinct()
    .where('app.is_active', '=', true)
    .where('uri', 'like', 'http%')
    .execute()
}
