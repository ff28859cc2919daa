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

/** When enough attempts have expired to allow another, for the name and for the address. */
export type RecentAttempts = AttemptCounts &
  Readonly<{ freeAt: Readonly<Record<'name' | 'address', Temporal.Instant>> }>

type Counted = {
  from_address: number
  from_everywhere: number
  for_any_name: number
  last_of_name: Temporal.Instant | null
  last_of_address: Temporal.Instant | null
}

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
    select (select count(*) from of_both)::int as from_address,
      (select count(*) from of_name)::int as from_everywhere,
      (select count(*) from of_address)::int as for_any_name,
      greatest(
        (select made_at from of_both order by made_at desc offset ${maxPerNameAndAddress - 1} limit 1),
        (select made_at from of_name order by made_at desc offset ${maxPerName - 1} limit 1)) as last_of_name,
      (select made_at from of_address order by made_at desc offset ${maxPerAddress - 1} limit 1) as last_of_address`,
)

/** Counts recent wrong attempts; those from everywhere for passwords only. */
export async function countAttempts(db: Db, attempt: Attempt): Promise<RecentAttempts> {
  const since = attempt.at.subtract({ seconds: attemptWindowSeconds }).toString()
  const [row] = await selectRecent(db, { ...attempt, since })
  const freeAt = (last: Temporal.Instant | null | undefined) =>
    (last ?? attempt.at).add({ seconds: attemptWindowSeconds })
  return {
    fromAddress: row?.from_address ?? 0,
    fromEverywhere: row?.from_everywhere ?? 0,
    forAnyName: row?.for_any_name ?? 0,
    freeAt: { name: freeAt(row?.last_of_name), address: freeAt(row?.last_of_address) },
  }
}
