import { sql } from 'kysely'
import { plusSeconds } from '../../core/clock.ts'
import { byteaArray, textArray, timestampArray } from '../../database/binary-array.ts'
import type { Db, Trx } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import { grantHash, hashBytes } from '../grant-text.ts'
import type { RefreshFacts } from '../rules/refresh.ts'
import { storedChallenge } from './codes.ts'

export type StoredRefresh = RefreshFacts &
  Readonly<{ sessionId: string; userKey: string; clientKey: string; isReadOnly: boolean; answer: Buffer | null }>

type TokenRow = Readonly<{ hash: Buffer; sessionId: string; issuedAt: string; expiresAt: string; isSpent: boolean }>

const insertToken = prepared((db, { hash, sessionId, issuedAt, expiresAt, isSpent }: TokenRow) => {
  const spent_at = sql<string | null>`case when ${isSpent}::boolean then clock_timestamp() end`
  const row = { token_hash: hash, session_id: sessionId, issued_at: issuedAt, expires_at: expiresAt, spent_at }
  return db.insertInto('refresh_token').values(row)
})

type NewToken = Readonly<{ refresh_token: string; refresh_token_expires_in: number }>

export async function insertRefreshToken(db: Db, sessionId: string, token: NewToken, now: Temporal.Instant) {
  const expiresAt = plusSeconds(now, token.refresh_token_expires_in).toString()
  const hash = hashBytes(grantHash(token.refresh_token))
  await insertToken(db, { hash, sessionId, issuedAt: now.toString(), expiresAt, isSpent: false })
}

type NewRecord = Readonly<{ hash: string; expiresIn: number }>

/** Records an access token without a refresh token as a spent one that no one has: the restore of a snapshot removes it too. */
export async function recordAccessToken(trx: Trx, sessionId: string, token: NewRecord, now: Temporal.Instant) {
  const expiresAt = plusSeconds(now, token.expiresIn).toString()
  const hash = hashBytes(token.hash)
  await insertToken(trx, { hash, sessionId, issuedAt: now.toString(), expiresAt, isSpent: true })
}

const selectTokens = prepared(
  (_db, { hashes }: { hashes: Buffer }) => sql<StoredRefresh & { hash: Buffer }>`
    select t.token_hash as hash, t.session_id as "sessionId", t.issued_at as "issuedAt", t.expires_at as "expiresAt",
      (extract(epoch from clock_timestamp() - t.spent_at) * 1000)::float as "spentForMs", t.spent_with as "spentWith",
      a.answer, s.app_key as "appKey", s.user_key as "userKey", u.client_key as "clientKey", coalesce(s.redirect_uri, '') as "redirectUri", ${storedChallenge}, s.resource,
      s.read_only as "isReadOnly",
      s.expires_at as "sessionExpiresAt", s.ended_at is not null as "sessionEnded", u.disabled as "userDisabled"
    from refresh_token t join session s using (session_id) join service_user u using (user_key)
      left join refresh_answer a using (token_hash)
    where t.token_hash = any(${hashes}::bytea[])`,
)

export async function readRefreshTokens(db: Db, hashes: string[]): Promise<(StoredRefresh | undefined)[]> {
  const rows = await selectTokens(db, { hashes: byteaArray(hashes.map(hashBytes)) })
  const found = new Map(rows.map(({ hash, ...token }) => [hash.toString('base64url'), token]))
  return hashes.map((hash) => found.get(hash))
}

export type Rotation = Readonly<{
  hash: string
  clientKey: string
  spentWith: string
  answer: Buffer
  newHash: string
  newExpiresAt: Temporal.Instant
  now: Temporal.Instant
  auditBody: string
}>

type RotationArrays = Readonly<Record<keyof Rotation, Buffer>>

const spendTokens = prepared(
  (_db, asked: RotationArrays) => sql<{ position: number }>`
    with asked as (
      select * from unnest(${asked.hash}::bytea[], ${asked.clientKey}::text[], ${asked.now}::timestamptz[],
        ${asked.spentWith}::text[], ${asked.answer}::bytea[], ${asked.newHash}::bytea[], ${asked.newExpiresAt}::timestamptz[], ${asked.auditBody}::text[]) with ordinality
        as a (hash, client_key, now, spent_with, answer, new_hash, new_expires_at, body, position)),
    spent as (
      update refresh_token t set spent_at = clock_timestamp(), spent_with = a.spent_with
      from asked a
      where t.token_hash = a.hash and t.token_hash = any(${asked.hash}) and t.spent_at is null
        and (select s.ended_at is null and not u.disabled and u.client_key = a.client_key
          from session s join service_user u using (user_key) where s.session_id = t.session_id)
      returning t.token_hash, t.session_id, a.now, a.answer, a.new_hash, a.new_expires_at, a.body, a.position),
    fresh as (
      insert into refresh_token (token_hash, session_id, issued_at, expires_at)
      select new_hash, session_id, now, new_expires_at from spent),
    answered as (
      insert into refresh_answer (token_hash, answer, made_at) select token_hash, answer, clock_timestamp() from spent),
    logged as (insert into audit_inbox (body) select body from spent)
    select position from spent`,
)

/** Spends refresh tokens and inserts their successors. One statement, so one of several concurrent rotations of a token wins:
 *  the others find it spent. False: this one lost, or the session has ended, or the user is disabled or has another client.
 *  The plan is kept, even if the table was small: `any` and the scalar subquery can only use an index. */
export async function rotateRefreshTokens(db: Db, rotations: Rotation[]): Promise<boolean[]> {
  // The same order on every node prevents deadlocks.
  const asked = rotations.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  const rows = await spendTokens(db, {
    hash: byteaArray(asked.map(({ hash }) => hashBytes(hash))),
    clientKey: textArray(asked.map(({ clientKey }) => clientKey)),
    spentWith: textArray(asked.map(({ spentWith }) => spentWith)),
    answer: byteaArray(asked.map(({ answer }) => answer)),
    newHash: byteaArray(asked.map(({ newHash }) => hashBytes(newHash))),
    newExpiresAt: timestampArray(asked.map(({ newExpiresAt }) => newExpiresAt)),
    now: timestampArray(asked.map(({ now }) => now)),
    auditBody: textArray(asked.map(({ auditBody }) => auditBody)),
  })
  // Of two rotations of one token in a batch one wins.
  const won = new Set(rows.map(({ position }) => asked[position - 1]))
  return rotations.map((rotation) => won.has(rotation))
}
