import { sql } from 'kysely'
import { knownClient, knownUser, unknownKey } from '../../access/store/import-checks.ts'
import { endSessions } from '../../access/store/sessions.ts'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import { findStagedErrors, type StagedErrors } from '../../database/staging/copy.ts'
import type { Filled } from '../../database/staging/stages.ts'
import type { CompleteApp } from '../import/document.ts'
import { isValidAt } from '../rules/secret-times.ts'
import { endGrants } from './changes.ts'
import { consoleApp } from './console-app.ts'

export const appStage = {
  table: 'staged_app',
  columns: { app_key: 'text', client_key: 'text', created_by: 'text', document: 'json' },
}

/** Overwriting the console's app would allow redirecting its sign-ins elsewhere. */
const consoleKey = sql`select line, 'app'::text, app_key, 'AppKey'::text,
    'Is reserved for the console.'::text, null::bigint
  from staged_app where app_key = ${consoleApp.AppKey}`

/** Apps refer to clients and users, which may be part of the same import. */
export async function findAppErrors(db: Db, filled: Filled): Promise<StagedErrors[]> {
  if (!filled.has(appStage.table)) return []
  const app = { kind: 'app', table: 'staged_app', key: 'app_key' }
  return [
    await findStagedErrors(db, consoleKey),
    await findStagedErrors(db, unknownKey(app, 'ClientKey', knownClient)),
    await findStagedErrors(db, unknownKey(app, 'CreatedBy', knownUser)),
  ]
}

/** Writes an app. Its unlisted redirect URIs and secrets are deleted; the listed ones keep their ids. Ends the sessions if
 *  the app becomes inactive or loses its last valid secret (§4.12). */
export async function putApp(db: Db, app: CompleteApp, now: Temporal.Instant): Promise<void> {
  const row = {
    client_key: app.ClientKey ?? null,
    name: app.Name,
    description: app.Description,
    flow: app.Flow,
    status: app.Status,
    is_active: app.IsActive,
    online_level: app.Levels.Online,
    offline_level: app.Levels.Offline,
    created_by: app.CreatedBy ?? null,
    created_at: app.CreatedAt,
  }
  await db
    .insertInto('app')
    .values({ app_key: app.AppKey, ...row })
    .onConflict((conflict) => conflict.column('app_key').doUpdateSet(row))
    .execute()
  await putRedirectUris(db, app)
  const hasDeletedSecrets = await putSecrets(db, app)
  const hasValidSecret = app.Secrets.some(({ ValidFrom, ValidUntil }) =>
    isValidAt(
      { validFrom: Temporal.Instant.from(ValidFrom), validUntil: Temporal.Instant.from(ValidUntil) },
      now.epochMilliseconds,
    ),
  )
  if (!app.IsActive) await endGrants(db, app.AppKey, 'app deactivated', now)
  else if (hasDeletedSecrets && !hasValidSecret) await endGrants(db, app.AppKey, 'last valid secret deleted', now)
  await announce(db, [{ topic: 'app', key: app.AppKey }])
}

async function putRedirectUris(db: Db, { AppKey, RedirectUris }: CompleteApp): Promise<void> {
  const listed = RedirectUris.map(({ Uri }) => Uri)
  const unlisted = db.deleteFrom('redirect_uri').where('app_key', '=', AppKey)
  await (listed.length > 0 ? unlisted.where('uri', 'not in', listed) : unlisted).execute()
  for (const { Uri: uri, RedirectUriLabel: label = null, Description: description = null } of RedirectUris)
    await db
      .insertInto('redirect_uri')
      .values({ app_key: AppKey, uri, label, description })
      .onConflict((conflict) => conflict.columns(['app_key', 'uri']).doUpdateSet({ label, description }))
      .execute()
}

/** Returns whether a secret was deleted. A secret given as a hash keeps its sealed value. */
async function putSecrets(db: Db, { AppKey, Secrets }: CompleteApp): Promise<boolean> {
  const known = await db
    .selectFrom('app_secret')
    .select(['secret_id', 'secret_sha256', 'secret_sealed'])
    .where('app_key', '=', AppKey)
    .orderBy('secret_id')
    .execute()
  const unlisted = new Set(known.map(({ secret_id }) => secret_id))
  for (const { SecretSha256, sealed, ValidFrom, ValidUntil } of Secrets) {
    const times = { valid_from: ValidFrom, valid_until: ValidUntil }
    const secret_sha256 = Buffer.from(SecretSha256, 'hex')
    const given = sealed === undefined ? null : Buffer.from(sealed, 'base64')
    const present = known.find((row) => row.secret_sha256.equals(secret_sha256))
    if (present) {
      unlisted.delete(present.secret_id)
      const secret = { ...times, secret_sealed: present.secret_sealed ?? given }
      await db.updateTable('app_secret').set(secret).where('secret_id', '=', present.secret_id).execute()
    } else {
      const secret = { ...times, app_key: AppKey, secret_sha256, secret_sealed: given }
      await db.insertInto('app_secret').values(secret).execute()
    }
  }
  if (unlisted.size === 0) return false
  await db
    .deleteFrom('app_secret')
    .where('secret_id', 'in', [...unlisted])
    .execute()
  return true
}

/** Deletes an app with its redirect URIs and secrets, and ends its sessions. False if there is no such app. */
export async function removeApp(trx: Trx, appKey: string, now: Temporal.Instant): Promise<boolean> {
  await endSessions(trx, { appKey }, 'app removed', now)
  const removed = await trx.deleteFrom('app').where('app_key', '=', appKey).executeTakeFirst()
  if (removed.numDeletedRows === 0n) return false
  await announce(trx, [{ topic: 'app', key: appKey }])
  return true
}
