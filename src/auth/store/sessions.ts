import { type Insertable, sql } from 'kysely'
import { endSessions } from '../../access/store/sessions.ts'
import { invalidToken } from '../../core/problem.ts'
import type { Db, Trx } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import type { Tables } from '../../database/tables/tables.ts'
import type { Challenge } from '../rules/pkce.ts'
import type { Resource } from '../rules/resource.ts'

export type GrantFacts = Readonly<{
  clientKey: string
  signInId: string | null
  redirectUri: string | null
  challenge: Challenge | null
  resource: Resource
}>

/** A session as its tokens name it. */
export type SessionFacts = Readonly<{
  sessionId: string
  userKey: string
  clientKey: string
  sessionExpiresAt: Temporal.Instant
  resource: Resource
  isReadOnly: boolean
}>

type NewSession = Omit<Insertable<Tables['session']>, 'ended_at' | 'end_reason' | 'trade_level'>

/** With more sessions of one user with one app, the oldest end (§4.2). */
export const maxSessions = 500

/** One statement: the new session is not among those that it sees. Their times do not show which is the oldest: the clock may
 *  have been set back. */
const insertWithChange = prepared((db, session: NewSession & { clientKey: string }) =>
  db
    .with('ended', (query) =>
      query
        .updateTable('session')
        .set({ ended_at: session.created_at, end_reason: 'too many sessions' })
        .where('ended_at', 'is', null)
        // As an array, which is made once: before statistics exist, a join would make it again for every session.
        .where(({ eb, selectFrom }) =>
          eb(
            'session_id',
            '=',
            sql<string>`any(array(${selectFrom('session')
              .select('session_id')
              .where('user_key', '=', session.user_key)
              .where('app_key', '=', session.app_key)
              .where('ended_at', 'is', null)
              .orderBy('start_order', (order) => order.desc().nullsLast())
              .orderBy('created_at', 'desc')
              .offset(maxSessions - 1)
              .limit(1_000)}))`,
          ),
        )
        .returning('session_id'),
    )
    .with('started', (query) =>
      query.insertInto('session').values({
        session_id: session.session_id,
        user_key: session.user_key,
        app_key: session.app_key,
        sign_in_id: session.sign_in_id,
        redirect_uri: session.redirect_uri,
        code_challenge: session.code_challenge,
        code_challenge_method: session.code_challenge_method,
        resource: session.resource,
        read_only: session.read_only,
        created_at: session.created_at,
        expires_at: session.expires_at,
        address: session.address,
        user_agent: session.user_agent,
      }),
    )
    .insertInto('change')
    .columns(['topic', 'key'])
    .expression((eb) =>
      eb
        .selectFrom('ended')
        .select([sql.lit('session').as('topic'), 'session_id as key'])
        .unionAll(sql<{ topic: string; key: string }>`select 'sign-in', ${session.clientKey}::text`),
    )
    .returning(['topic', 'key']),
)

/** Inserts a session and announces the sign-in, which changes a user. Returns the ids of the sessions that it ended. */
export async function insertSession(db: Db, clientKey: string, session: NewSession): Promise<string[]> {
  const { read_only = false, user_agent } = session
  const row = { ...session, clientKey, read_only, user_agent: user_agent.slice(0, 300) }
  const rows = await insertWithChange(db, row)
  return rows.flatMap(({ topic, key }) => (topic === 'session' ? [key] : []))
}

const selectGrant = prepared((db, { sessionId }: { sessionId: string }) =>
  db
    .selectFrom('session')
    .innerJoin('service_user as user', 'user.user_key', 'session.user_key')
    .innerJoin('app', 'app.app_key', 'session.app_key')
    .select(['session_id as sessionId', 'session.user_key as userKey', 'user.client_key as clientKey'])
    .select(['expires_at as sessionExpiresAt', 'resource', 'read_only as isReadOnly'])
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where('disabled', '=', false)
    .where('is_active', '=', true)
    .forShare(['user', 'app'])
    .forUpdate('session'),
)

/** Locks a session with its user and app. Its token is invalid if it has ended, its user is disabled or its app inactive. */
export async function lockGrant(trx: Trx, sessionId: string): Promise<SessionFacts> {
  const [granted] = await selectGrant(trx, { sessionId })
  if (!granted) throw invalidToken()
  return granted
}

type Move = Readonly<{ sessionId: string; newSessionId: string; from: Temporal.Instant; to: Temporal.Instant }>

/** Moves the end of a session and its unspent refresh token by as much as the time of the service. With another id the token
 *  moves to that session. Only unexpired tokens are searched, for which there is an index. */
export async function moveSessionTimes(trx: Trx, { sessionId, newSessionId, from, to }: Move): Promise<void> {
  const shift = sql`(${to.toString()}::timestamptz - ${from.toString()}::timestamptz)`
  await sql`update session set expires_at = expires_at + ${shift} where session_id = ${newSessionId}`.execute(trx)
  await sql`update refresh_token
    set session_id = ${newSessionId}, issued_at = issued_at + ${shift}, expires_at = expires_at + ${shift}
    where session_id = ${sessionId} and spent_at is null and expires_at > ${from.toString()}::timestamptz`.execute(trx)
}

const selectAlive = prepared((db, { sessionId, record }: { sessionId: string; record: Buffer | null }) =>
  db
    .selectFrom('session')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where(
      sql<boolean>`(${record}::bytea is null or exists (select from refresh_token where token_hash = ${record}::bytea))`,
    ),
)

/** Whether a session exists and has not ended, whatever its expiry, and has the record of one of its tokens, if there is one. */
export async function isSessionAlive(db: Db, sessionId: string, record: Buffer | null = null): Promise<boolean> {
  return (await selectAlive(db, { sessionId, record })).length > 0
}

/** Ended sessions whose access tokens may not have expired: those are valid for at most a day. */
export async function listRecentlyEnded(db: Db, now: Temporal.Instant): Promise<string[]> {
  const since = sql<Temporal.Instant>`${now.subtract({ hours: 25 }).toString()}::timestamptz`
  const rows = await db
    .selectFrom('session')
    .select('session_id')
    .where('ended_at', '>', since)
    // Sessions deleted with their user or app, by the database's own clock.
    .unionAll(db.selectFrom('removed_session').select('session_id'))
    .execute()
  return rows.map((row) => row.session_id)
}

const selectTradeLevel = prepared((db, { sessionId }: { sessionId: string }) =>
  db.selectFrom('session').select('trade_level as level').where('session_id', '=', sessionId),
)

export async function readTradeLevel(db: Db, sessionId: string): Promise<string | undefined> {
  return (await selectTradeLevel(db, { sessionId }))[0]?.level ?? undefined
}

export async function writeTradeLevel(db: Db, sessionId: string, level: string): Promise<void> {
  await db.updateTable('session').set({ trade_level: level }).where('session_id', '=', sessionId).execute()
}

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

type Paging = Readonly<{ $top: number; $skip: number }>

/** One row more than the page shows whether there is another page. */
function cut<Row>(rows: Row[], top: number): { rows: Row[]; more: boolean } {
  return { rows: rows.slice(0, top), more: rows.length > top }
}

type OfUser = Readonly<{ userKey: string; limit: number; skip: number }>

const selectSessions = prepared((db, { userKey, now, limit, skip }: OfUser & { now: string }) =>
  db
    .selectFrom('session')
    .innerJoin('app', 'app.app_key', 'session.app_key')
    .select(['session_id as sessionId', 'session.app_key as appKey', 'app.name as appName', 'address'])
    .select(['user_agent as userAgent', 'session.created_at as createdAt', 'expires_at as expiresAt'])
    .where('user_key', '=', userKey)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Temporal.Instant>`${now}::timestamptz`)
    .orderBy('session.created_at', 'desc')
    .orderBy('session_id')
    .limit(sql<number>`${limit}`)
    .offset(sql<number>`${skip}`),
)

export async function findSessions(db: Db, userKey: string, now: Temporal.Instant, { $top, $skip }: Paging) {
  return cut(await selectSessions(db, { userKey, now: now.toString(), limit: $top + 1, skip: $skip }), $top)
}

export async function findConsents(db: Db, userKey: string, { $top, $skip }: Paging) {
  const found = await db
    .selectFrom('consent')
    .innerJoin('app', 'app.app_key', 'consent.app_key')
    .select(['consent.app_key as appKey', 'app.name as appName', 'given_at as givenAt'])
    .where('user_key', '=', userKey)
    .orderBy('given_at', 'desc')
    .orderBy('consent.app_key')
    .limit($top + 1)
    .offset($skip)
    .execute()
  return cut(found, $top)
}

export async function removeConsent(trx: Trx, userKey: string, appKey: string, now: Temporal.Instant) {
  const consent = trx.deleteFrom('consent').where('user_key', '=', userKey).where('app_key', '=', appKey)
  const { numDeletedRows } = await consent.executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await endSessions(trx, { userKey, appKey }, 'consent withdrawn', now)
  return true
}
