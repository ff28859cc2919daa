import { sql } from 'kysely'
import type { Trx } from '../../database/open.ts'

/** Blocks changes of users until the transaction ends, because what is not yet committed would be lost. Sign-ins and foreign
 *  keys only lock rows, which this allows. */
export async function lockUsers(trx: Trx): Promise<void> {
  await sql`lock table service_user in share row exclusive mode`.execute(trx)
}

/** Before a reset removes all users. */
export async function holdUsers(trx: Trx): Promise<void> {
  await sql`create temporary table kept_user on commit drop as select * from service_user`.execute(trx)
}

/** Before a restore changes users. The lock on their table keeps them as they are. False if there are none. */
export async function holdOperators(trx: Trx): Promise<boolean> {
  const operator = await trx
    .selectFrom('service_user')
    .select('user_key')
    .where('is_operator', '=', true)
    .limit(1)
    .execute()
  if (operator.length === 0) return false
  await sql`create temporary table kept_user on commit drop as select * from service_user where is_operator`.execute(
    trx,
  )
  return true
}

/** After the demo was loaded: its users keep their password and whether they are disabled or operators. A user is the same if
 *  the key is, or name and client. A demo user whose name a user of another client had is disabled. Operators who are not in
 *  the demo are added again, if their client is. */
export async function putBackUsers(trx: Trx): Promise<void> {
  const hasSameName = sql`lower(k.name) = lower(u.name) and k.user_key <> u.user_key`
  for (const isSame of [sql`k.user_key = u.user_key`, sql`${hasSameName} and k.client_key = u.client_key`])
    await sql`update service_user u
      set password_hash = k.password_hash, disabled = k.disabled, is_operator = k.is_operator
      from kept_user k where ${isSame}`.execute(trx)
  await sql`update service_user u set disabled = true
    from kept_user k where ${hasSameName} and k.client_key <> u.client_key`.execute(trx)
  await sql`insert into service_user
    select k.* from kept_user k join client using (client_key)
    where k.is_operator and not exists (
      select from service_user u where u.user_key = k.user_key or lower(u.name) = lower(k.name))`.execute(trx)
}
