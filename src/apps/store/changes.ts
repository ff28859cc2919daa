import { sql } from 'kysely'
import { endSessions } from '../../access/store/sessions.ts'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'

/** Ends all that an app was granted: its sessions, and the codes that are still on their way. */
export async function endGrants(db: Db, appKey: string, reason: string, now: Temporal.Instant): Promise<void> {
  await db
    .updateTable('app')
    .set((eb) => ({ grant_epoch: eb('grant_epoch', '+', 1) }))
    .where('app_key', '=', appKey)
    .execute()
  await endSessions(db, { appKey }, reason, now)
}

/** Deactivates an app: nobody signs in to it any more, and its sessions and tokens die (contract §4, §8). False when
 *  there is no such app. */
export async function deactivateApp(trx: Trx, appKey: string, now: Temporal.Instant): Promise<boolean> {
  const changed = await trx
    .updateTable('app')
    .set({ is_active: false })
    .where('app_key', '=', appKey)
    .returning('app_key')
    .executeTakeFirst()
  if (!changed) return false
  await endGrants(trx, appKey, 'app deactivated', now)
  await announce(trx, [{ topic: 'app', key: appKey }])
  return true
}

/** Deletes a secret; with its last valid one an app loses its sessions too (contract §4). False when there is none. */
export async function deleteSecret(
  trx: Trx,
  appKey: string,
  secretId: number,
  now: Temporal.Instant,
): Promise<boolean> {
  // Held against a grant at the same moment, which holds the app too: it is before this, and ends with it, or finds its
  // code worthless.
  await trx.selectFrom('app').select('app_key').where('app_key', '=', appKey).forNoKeyUpdate().execute()
  const removed = await trx
    .deleteFrom('app_secret')
    .where('app_key', '=', appKey)
    .where('secret_id', '=', secretId)
    .executeTakeFirst()
  if (removed.numDeletedRows === 0n) return false
  const valid = await trx
    .selectFrom('app_secret')
    .select('secret_id')
    .where('app_key', '=', appKey)
    .where(sql<boolean>`valid_from <= ${now.toString()}::timestamptz and valid_until > ${now.toString()}::timestamptz`)
    .executeTakeFirst()
  if (!valid) await endGrants(trx, appKey, 'last valid secret deleted', now)
  await announce(trx, [{ topic: 'app', key: appKey }])
  return true
}
