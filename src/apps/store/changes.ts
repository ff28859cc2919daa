import { sql } from 'kysely'
import { endSessions } from '../../access/store/sessions.ts'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'

/** Ends everything granted to an app: its sessions, and codes that are not exchanged yet. */
export async function endGrants(db: Db, appKey: string, reason: string, now: Temporal.Instant): Promise<void> {
  await db
    .updateTable('app')
    .set((eb) => ({ grant_epoch: eb('grant_epoch', '+', 1) }))
    .where('app_key', '=', appKey)
    .execute()
  await endSessions(db, { appKey }, reason, now)
}

/** Deactivates an app and ends its sessions and tokens (§4.12, §8.2). */
export async function deactivateApp(trx: Trx, appKey: string, now: Temporal.Instant): Promise<void> {
  await trx.updateTable('app').set({ is_active: false }).where('app_key', '=', appKey).execute()
  await endGrants(trx, appKey, 'app deactivated', now)
  await announce(trx, [{ topic: 'app', key: appKey }])
}

/** Deletes a secret. Deleting the last valid one also ends the sessions (§4.12). */
export async function deleteSecret(trx: Trx, appKey: string, id: number, now: Temporal.Instant): Promise<void> {
  // Grants lock the app too, so a concurrent one either comes first and is ended here, or finds its code invalid.
  await trx.selectFrom('app').select('app_key').where('app_key', '=', appKey).forNoKeyUpdate().execute()
  await trx.deleteFrom('app_secret').where('app_key', '=', appKey).where('secret_id', '=', id).execute()
  const valid = await trx
    .selectFrom('app_secret')
    .select('secret_id')
    .where('app_key', '=', appKey)
    .where(sql<boolean>`valid_from <= ${now.toString()}::timestamptz and valid_until > ${now.toString()}::timestamptz`)
    .executeTakeFirst()
  if (!valid) await endGrants(trx, appKey, 'last valid secret deleted', now)
  await announce(trx, [{ topic: 'app', key: appKey }])
}
