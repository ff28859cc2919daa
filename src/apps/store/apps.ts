import { sql } from 'kysely'
import type { AppStatus, AuthorizationLevel, Flow } from '../../core/app.ts'
import type { Db } from '../../database/open.ts'
import type { SecretTimes } from '../rules/secret-times.ts'

/** An app as the authorization server needs it. */
export type AppFacts = Readonly<{
  AppKey: string
  ClientKey: string | null
  Name: string
  Flow: Flow
  IsActive: boolean
  Status: AppStatus
  onlineLevel: AuthorizationLevel
  offlineLevel: AuthorizationLevel
  redirectUris: readonly string[]
  secrets: readonly SecretFacts[]
}>

export type SecretFacts = SecretTimes & Readonly<{ SecretId: number; sha256: Uint8Array }>

/** One app with its redirect URIs and secrets, in one statement and so from one snapshot. */
export async function readApp(db: Db, appKey: string): Promise<AppFacts | undefined> {
  const row = await db
    .selectFrom('app')
    .selectAll()
    .select((eb) => [
      sql<string[]>`array(${eb
        .selectFrom('redirect_uri')
        .select('uri')
        .whereRef('redirect_uri.app_key', '=', 'app.app_key')
        .orderBy('redirect_uri_id')})`.as('uris'),
      sql<{ id: number; sha256: string; from: string; until: string }[]>`coalesce((select json_agg(json_build_object(
        'id', secret_id, 'sha256', encode(secret_sha256, 'hex'), 'from', valid_from, 'until', valid_until)
        order by secret_id) from app_secret where app_secret.app_key = app.app_key), '[]')`.as('secrets'),
    ])
    .where('app_key', '=', appKey)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    AppKey: row.app_key,
    ClientKey: row.client_key,
    Name: row.name,
    Flow: row.flow,
    IsActive: row.is_active,
    Status: row.status,
    onlineLevel: row.online_level,
    offlineLevel: row.offline_level,
    redirectUris: row.uris,
    secrets: row.secrets.map((secret) => ({
      SecretId: secret.id,
      sha256: Buffer.from(secret.sha256, 'hex'),
      validFrom: Temporal.Instant.from(secret.from),
      validUntil: Temporal.Instant.from(secret.until),
    })),
  }
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
