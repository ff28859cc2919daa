import { endSessions } from '../../access/store/sessions.ts'
import type { AppStatus, AuthorizationLevel, Flow } from '../../core/app.ts'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import { endGrants } from './changes.ts'

/** An app as a whole, its secrets hashed and sealed. */
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

export type SecretRow = Readonly<{
  sha256: Buffer
  sealed: Buffer | null
  validFrom: Temporal.Instant
  validUntil: Temporal.Instant
}>

/** Writes an app. Addresses and secrets that it has besides stay or go; those that stay keep their ids. What it may no
 *  longer do ends its sessions (contract §4). */
export async function putApp(db: Db, app: AppRow, others: 'stay' | 'go', now: Temporal.Instant): Promise<void> {
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
  const hasLostSecrets = await putSecrets(db, app, others)
  const isValid = ({ validFrom, validUntil }: SecretRow) =>
    Temporal.Instant.compare(validFrom, now) <= 0 && Temporal.Instant.compare(validUntil, now) > 0
  if (!app.IsActive) await endGrants(db, app.AppKey, 'app deactivated', now)
  else if (hasLostSecrets && !app.secrets.some(isValid))
    await endGrants(db, app.AppKey, 'last valid secret deleted', now)
  await announce(db, [{ topic: 'app', key: app.AppKey }])
}

async function putRedirectUris(db: Db, { AppKey, redirectUris }: AppRow, others: 'stay' | 'go'): Promise<void> {
  const named = redirectUris.map(({ uri }) => uri)
  const unnamed = db.deleteFrom('redirect_uri').where('app_key', '=', AppKey)
  if (others === 'go') await (named.length > 0 ? unnamed.where('uri', 'not in', named) : unnamed).execute()
  for (const { uri, label, description } of redirectUris)
    await db
      .insertInto('redirect_uri')
      .values({ app_key: AppKey, uri, label, description })
      .onConflict((conflict) => conflict.columns(['app_key', 'uri']).doUpdateSet({ label, description }))
      .execute()
}

/** Whether a secret that was there is gone. One that is given by its hash alone keeps what it was sealed as. */
async function putSecrets(db: Db, { AppKey, secrets }: AppRow, others: 'stay' | 'go'): Promise<boolean> {
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
  if (others === 'stay') return false
  const gone = known.filter(({ secret_id }) => !kept.has(secret_id)).map(({ secret_id }) => secret_id)
  if (gone.length > 0) await db.deleteFrom('app_secret').where('secret_id', 'in', gone).execute()
  return gone.length > 0
}

/** Removes an app with its addresses and secrets; its sessions end at once. False when there is none. */
export async function removeApp(trx: Trx, appKey: string, now: Temporal.Instant): Promise<boolean> {
  await endSessions(trx, { appKey }, 'app removed', now)
  const removed = await trx.deleteFrom('app').where('app_key', '=', appKey).executeTakeFirst()
  if (removed.numDeletedRows === 0n) return false
  await announce(trx, [{ topic: 'app', key: appKey }])
  return true
}
