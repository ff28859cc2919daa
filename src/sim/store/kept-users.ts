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

/** After the demo was loaded: who may sign in with which password, and who is an operator, is as before. Users are the same if
 *  their key or their name is. Operators who are not in the demo are added again, if their client is. */
export async function putBackUsers(trx: Trx): Promise<void> {
  for (const isSame of [sql`k.user_key = u.user_key`, sql`lower(k.name) = lower(u.name) and k.user_key <> u.user_key`])
    await sql`update service_user u
      set password_hash = k.password_hash, disabled = k.disabled, is_operator = k.is_operator
      from kept_user k where ${isSame}`.execute(trx)
  await sql`insert into service_user
    select k.* from kept_user k join client using (client_key)
    where k.is_operator and not exists (
      select from service_user u where u.user_key = k.user_key or lower(u.name) = lower(k.name))`.execute(trx)
}
