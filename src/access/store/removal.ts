import { type RawBuilder, sql } from 'kysely'
import { appendAudit } from '../../audit/append.ts'
import { countsInWords } from '../../core/text.ts'
import { announce } from '../../database/changes.ts'
import type { Trx } from '../../database/open.ts'
import { endEverything, endSessions } from './sessions.ts'

type RemovedWith = { positions: number; elections: number }

/** Columns that count what is removed with the accounts of a query. */
const removedWith = (accounts: RawBuilder<unknown>) =>
  sql`(select count(*) from position where account_key in (${accounts})) as positions,
    (select count(*) from event_holding where account_key in (${accounts})) as elections`

/** Removes an account with its rights and positions. Returns its client, or undefined if there is no such account. */
export async function removeAccount(
  trx: Trx,
  accountKey: string,
): Promise<(RemovedWith & { client_key: string }) | undefined> {
  const { rows } = await sql<RemovedWith & { client_key: string }>`
    delete from account a where account_key = ${accountKey} returning client_key, ${removedWith(sql`select a.account_key`)}
    `.execute(trx)
  return rows[0]
}

/** Removes a user with their rights and ends their sessions. Returns the client. */
export async function removeUser(trx: Trx, userKey: string, now: Temporal.Instant): Promise<string | undefined> {
  await endEverything(trx, userKey, 'user removed', now)
  const removed = await trx
    .deleteFrom('service_user')
    .where('user_key', '=', userKey)
    .returning('client_key')
    .executeTakeFirst()
  return removed?.client_key
}

type Found = RemovedWith & { client_id: string; users: string[]; apps: string[]; accounts: number; rights: number }

/** Removes a client with everything that belongs to it. Returns a summary, or undefined if there is no such client. */
export async function removeClient(trx: Trx, clientKey: string, now: Temporal.Instant): Promise<string | undefined> {
  const { rows } = await sql<Found>`
    select client_id, array(select user_key from service_user u where u.client_key = c.client_key) as users,
      array(select app_key from app a where a.client_key = c.client_key) as apps,
      (select count(*) from account a where a.client_key = c.client_key) as accounts,
      ${removedWith(sql`select account_key from account a where a.client_key = c.client_key`)},
      (select count(*) from access_right r where r.client_key = c.client_key) as rights
    from client c where client_key = ${clientKey} for update`.execute(trx)
  const [found] = rows
  if (!found) return undefined
  for (const userKey of found.users) await endEverything(trx, userKey, 'client removed', now)
  for (const appKey of found.apps) {
    await endSessions(trx, { appKey }, 'client removed', now)
    await appendAudit(trx, { at: now, kind: 'AppChanged', app: appKey, detail: { imported: true, removed: true } })
  }
  // A group that moved here from another client may still contain accounts of that client.
  const groups = trx.selectFrom('account_group').select('account_group_key').where('client_key', '=', clientKey)
  await trx.updateTable('account').set({ account_group_key: null }).where('account_group_key', 'in', groups).execute()
  await trx.deleteFrom('client').where('client_key', '=', clientKey).execute()
  await announce(
    trx,
    found.apps.map((key) => ({ topic: 'app', key })),
  )
  const removed = countsInWords([
    [found.accounts, 'account'],
    [found.positions, 'position'],
    [found.elections, 'election'],
    [found.users.length, 'user'],
    [found.rights, 'access right'],
    [found.apps.length, 'app'],
  ])
  return `Removed: client ${found.client_id}${removed && ` with ${removed}`}.`
}
