import { endSessions } from '../../access/store/sessions.ts'
import type { AppStatus, AuthorizationLevel, Flow } from '../../core/app.ts'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import { isValidAt, type SecretTimes } from '../rules/secret-times.ts'
import { endGrants } from './changes.ts'

/** A complete app, its secrets hashed and sealed. */
export type AppRow = Readonly<{
  AppKey: string
  ClientKey: string | null
  Name: string
  Description: string
  Flow: Flow
  Status: AppStatus
  IsActive: boolean
  Levels: { Online: AuthorizationLevel; Offline: AuthorizationLevel }
  CreatedBy: string | null
  CreatedAt: Temporal.Instant
  redirectUris: readonly { uri: string; label: string | null; description: string | null }[]
  secrets: readonly SecretRow[]
}>

export type SecretRow = SecretTimes & Readonly<{ sha256: Buffer; sealed: Buffer | null }>

/** Writes an app. Its other redirect URIs and secrets are kept or deleted; kept ones keep their ids. Ends the sessions if
 *  the app becomes inactive or loses its last valid secret (§4.12). */
export async function putApp(db: Db, app: AppRow, others: 'keep' | 'delete', now: Temporal.Instant): Promise<void> {
  const row = {
    client_key: app.ClientKey,
    name: app.Name,
    description: app.Description,
    flow: app.Flow,
    status: app.Status,
    is_active: app.IsActive,
    online_level: app.Levels.Online,
    offline_level: app.Levels.Offline,
    created_by: app.CreatedBy,
    created_at: app.CreatedAt.toString(),
  }
  await db
    .insertInto('app')
    .values({ app_key: app.AppKey, ...row })
    .onConflict((conflict) => conflict.column('app_key').doUpdateSet(row))
    .execute()
  await putRedirectUris(db, app, others)
  const hasDeletedSecrets = await putSecrets(db, app, others)
  if (!app.IsActive) await endGrants(db, app.AppKey, 'app deactivated', now)
  else if (hasDeletedSecrets && !app.secrets.some((secret) => isValidAt(secret, now)))
    await endGrants(db, app.AppKey, 'last valid secret deleted', now)
  await announce(db, [{ topic: 'app', key: app.AppKey }])
}

async function putRedirectUris(db: Db, { AppKey, redirectUris }: AppRow, others: 'keep' | 'delete'): Promise<void> {
  const listed = redirectUris.map(({ uri }) => uri)
  const unlisted = db.deleteFrom('redirect_uri').where('app_key', '=', AppKey)
  if (others === 'delete') await (listed.length > 0 ? unlisted.where('uri', 'not in', listed) : unlisted).execute()
  for (const { uri, label, description } of redirectUris)
    await db
      .insertInto('redirect_uri')
      .values({ app_key: AppKey, uri, label, description })
      .onConflict((conflict) => conflict.columns(['app_key', 'uri']).doUpdateSet({ label, description }))
      .execute()
}

/** Returns whether a secret was deleted. A secret given as a hash keeps its sealed value. */
async function putSecrets(db: Db, { AppKey, secrets }: AppRow, others: 'keep' | 'delete'): Promise<boolean> {
  const known = await db
    .selectFrom('app_secret')
    .select(['secret_id', 'secret_sha256', 'secret_sealed'])
    .where('app_key', '=', AppKey)
    .orderBy('secret_id')
    .execute()
  const kept = new Set<number>()
  for (const secret of secrets) {
    const times = { valid_from: secret.validFrom.toString(), valid_until: secret.validUntil.toString() }
    const present = known.find((row) => row.secret_sha256.equals(secret.sha256))
    if (present) {
      kept.add(present.secret_id)
      const sealed = present.secret_sealed ?? secret.sealed
      await db
        .updateTable('app_secret')
        .set({ ...times, secret_sealed: sealed })
        .where('secret_id', '=', present.secret_id)
        .execute()
    } else
      await db
        .insertInto('app_secret')
        .values({ app_key: AppKey, secret_sha256: secret.sha256, secret_sealed: secret.sealed, ...times })
        .execute()
  }
  if (others === 'keep') return false
  const deleted = known.filter(({ secret_id }) => !kept.has(secret_id)).map(({ secret_id }) => secret_id)
  if (deleted.length > 0) await db.deleteFrom('app_secret').where('secret_id', 'in', deleted).execute()
  return deleted.length > 0
}

/** Deletes an app with its redirect URIs and secrets, and ends its sessions. False if there is no such app. */
export async function removeApp(trx: Trx, appKey: string, now: Temporal.Instant): Promise<boolean> {
  await endSessions(trx, { appKey }, 'app removed', now)
  const removed = await trx.deleteFrom('app').where('app_key', '=', appKey).executeTakeFirst()
  if (removed.numDeletedRows === 0n) return false
  await announce(trx, [{ topic: 'app', key: appKey }])
  return true
}
