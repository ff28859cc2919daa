import { sql } from 'kysely'
import type { Trx } from '../../database/open.ts'

/** What a grant depends on: a signed-in, enabled user, an active app, and the user's consent to it. */
export type Preconditions = Readonly<{ signInId: string; userKey: string; appKey: string }>

/** Whether the preconditions of a grant hold; for a code also whether the app has kept its grants since (`epoch`). Locks them:
 *  a concurrent ending (sign out, disable, deactivate, withdraw) is either seen here, or waits and then sees the session that
 *  starts here. The lock order, user first, is that of endings that concern a user and their sign-ins. */
export async function lockPreconditions(trx: Trx, preconditions: Preconditions, epoch?: number): Promise<boolean> {
  const { rows } = await sql<{ hold: boolean }>`
    select sign_in.ended_at is null and not service_user.disabled and app.is_active
      and app.grant_epoch = coalesce(${epoch ?? null}::integer, app.grant_epoch) as hold
    from sign_in
      join service_user using (user_key)
      join consent using (user_key)
      join app using (app_key)
    where sign_in.sign_in_id = ${preconditions.signInId} and user_key = ${preconditions.userKey} and app_key = ${preconditions.appKey}
    for share of service_user, sign_in, consent, app`.execute(trx)
  return rows[0]?.hold ?? false
}
