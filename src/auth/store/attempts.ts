import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import {
  type AttemptCounts,
  type AttemptKind,
  attemptWindowSeconds,
  maxPerAddress,
  maxPerName,
  maxPerNameAndAddress,
} from '../rules/attempts.ts'

export type Attempt = Readonly<{ kind: AttemptKind; nameHash: Buffer; address: string; at: Temporal.Instant }>

export async function recordAttempt(db: Db, { kind, nameHash, address, at }: Attempt): Promise<void> {
  const attempt = { kind, name_hash: nameHash, address, made_at: at.toString() }
  await db.insertInto('failed_attempt').values(attempt).execute()
}

export type RecentAttempts = AttemptCounts &
  Readonly<{ freeAt: Readonly<Record<'name' | 'address', Temporal.Instant>> }>

type Counted = AttemptCounts & Readonly<{ lastOfName: Temporal.Instant | null; lastOfAddress: Temporal.Instant | null }>

/** No more are read than the limits need, however many there are. */
const selectRecent = prepared(
  (_db, { kind, nameHash, address, since }: Omit<Attempt, 'at'> & { since: string }) => sql<Counted>`
    with of_address as (
      select name_hash, made_at from failed_attempt
      where kind = ${kind} and address = ${address} and made_at > ${since}::timestamptz
      order by made_at desc limit ${maxPerAddress}),
    of_both as (select made_at from of_address where name_hash = ${nameHash}),
    of_name as (
      select made_at from failed_attempt
      where ${kind}::text = 'password' and kind = ${kind} and name_hash = ${nameHash} and made_at > ${since}::timestamptz
      order by made_at desc limit ${maxPerName})
    select (select count(*) from of_both)::int as "fromAddress",
      (select count(*) from of_name)::int as "fromEverywhere",
      (select count(*) from of_address)::int as "forAnyName",
      greatest(
        (select made_at from of_both order by made_at desc offset ${maxPerNameAndAddress - 1} limit 1),
        (select made_at from of_name order by made_at desc offset ${maxPerName - 1} limit 1)) as "lastOfName",
      (select made_at from of_address order by made_at desc offset ${maxPerAddress - 1} limit 1) as "lastOfAddress"`,
)

export async function countAttempts(db: Db, attempt: Attempt): Promise<RecentAttempts> {
  const since = attempt.at.subtract({ seconds: attemptWindowSeconds }).toString()
  const [{ lastOfName, lastOfAddress, ...counts }] = (await selectRecent(db, { ...attempt, since })) as [Counted]
  const freeAt = (last: Temporal.Instant | null) => (last ?? attempt.at).add({ seconds: attemptWindowSeconds })
  return { ...counts, freeAt: { name: freeAt(lastOfName), address: freeAt(lastOfAddress) } }
}
