import { sql } from 'kysely'
import type { Trx } from '../../database/open.ts'

/** What a grant rests on: a person who is signed in and not disabled, an active app, and that they allowed it. */
export type Preconditions = Readonly<{ signInId: string; userKey: string; appKey: string }>

/** Whether the preconditions of a grant still hold; of a code also whether the app has lost all its grants since it was issued
 *  (`epoch`). They are held until the transaction ends: an ending at the same moment (sign out, disable, deactivate,
 *  withdraw) is either seen here, or waits and then sees the session begun here. Locked in the order named, the user
 *  first, as an ending does that concerns both a user and their sign-ins. */
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
