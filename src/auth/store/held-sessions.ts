import { sql } from 'kysely'
import type { Trx } from '../../database/open.ts'

/** A session, its sign-in and its consents as JSON, to be inserted again after their user was. */
export type HeldSession = Readonly<{ session: string; signIn: string | null; consents: string | null }>

export async function readSessionRows(trx: Trx, sessionId: string): Promise<HeldSession> {
  const { rows } = await sql<HeldSession>`
    select to_jsonb(s)::text as session,
      (select to_jsonb(i)::text from sign_in i where i.sign_in_id = s.sign_in_id) as "signIn",
      (select jsonb_agg(c)::text from consent c where c.user_key = s.user_key and c.app_key = s.app_key) as consents
    from session s where s.session_id = ${sessionId}`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The session is locked, so it exists.')
  return row
}

/** Returns false if the user or app no longer exists. */
export async function putBackSession(trx: Trx, held: HeldSession, newSessionId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into session
    select s.* from jsonb_populate_record(null::session,
      ${held.session}::jsonb || jsonb_build_object('session_id', ${newSessionId}::text)) s
    where exists (select from service_user u where u.user_key = s.user_key)
      and exists (select from app a where a.app_key = s.app_key)
    returning 1`.execute(trx)
  if (rows.length === 0) return false
  await sql`insert into sign_in select * from jsonb_populate_record(null::sign_in, ${held.signIn}::jsonb) i
    where i.sign_in_id is not null`.execute(trx)
  await sql`insert into consent
    select * from jsonb_populate_recordset(null::consent, ${held.consents ?? '[]'}::jsonb)`.execute(trx)
  return true
}
