import type { Flow } from '../core/flow.ts'
import { announce } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import type { AppStatus, Level } from '../database/tables.ts'

/** An app as a whole, its secrets hashed and sealed. */
export type AppRow = Readonly<{
  AppKey: string
  ClientKey: string | null
  Name: string
  Description: string
  Flow: Flow
  Status: AppStatus
  IsActive: boolean
  Levels: { Online: Level; Offline: Level }
  CreatedBy: string | null
  redirectUris: readonly string[]
  secrets: readonly {
    sha256: Buffer
    sealed: Buffer | null
    validFrom: Temporal.Instant
    validUntil: Temporal.Instant
  }[]
}>

/** Writes an app; addresses and secrets that it has already are left as they are. */
export async function putApp(db: Db, app: AppRow, now: Temporal.Instant): Promise<void> {
  const row = {
    client_key: app.ClientKey,
    name: app.Name,
    description: app.Description,
    flow: app.Flow,
    status: app.Status,
    is_active: app.IsActive,
    online_level: app.Levels.Online,
    offline_level: app.Levels.Offline,
  }
  await db
    .insertInto('app')
    .values({ app_key: app.AppKey, created_at: now.toString(), created_by: app.CreatedBy, ...row })
    .onConflict((conflict) => conflict.column('app_key').doUpdateSet(row))
    .execute()
  for (const uri of app.redirectUris)
    await db
      .insertInto('redirect_uri')
      .values({ app_key: app.AppKey, uri })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  const known = await db.selectFrom('app_secret').select('secret_sha256').where('app_key', '=', app.AppKey).execute()
  for (const secret of app.secrets) {
    if (known.some((row) => row.secret_sha256.equals(secret.sha256))) continue
    await db
      .insertInto('app_secret')
      .values({
        app_key: app.AppKey,
        secret_sha256: secret.sha256,
        secret_sealed: secret.sealed,
        valid_from: secret.validFrom.toString(),
        valid_until: secret.validUntil.toString(),
      })
      .execute()
  }
  await announce(db, [{ topic: 'app', key: app.AppKey }])
}
