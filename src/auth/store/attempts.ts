import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import { type AttemptCounts, attemptWindowSeconds, maxPerAddress, maxPerName } from '../rules/attempts.ts'

export type Attempt = Readonly<{ kind: 'password' | 'secret'; nameHash: Buffer; address: string; at: Temporal.Instant }>

export async function recordAttempt(db: Db, { kind, nameHash, address, at }: Attempt): Promise<void> {
  const attempt = { kind, name_hash: nameHash, address, made_at: at.toString() }
  await db.insertInto('failed_attempt').values(attempt).execute()
}

export type RecentAttempts = AttemptCounts & Readonly<{ freeAt: Temporal.Instant }>

type Counted = { from_address: number; from_everywhere: number; last_to_go: Temporal.Instant | null }

const selectRecent = prepared(
  (_db, attempt: Omit<Attempt, 'at'> & { since: string }) => sql<Counted>`
    with recent as (
      select address, made_at from failed_attempt
      where kind = ${attempt.kind} and name_hash = ${attempt.nameHash} and made_at > ${attempt.since}::timestamptz)
    select count(*) filter (where address = ${attempt.address})::int as from_address,
      count(*)::int as from_everywhere,
      greatest(
        (select made_at from recent where address = ${attempt.address} order by made_at desc offset ${maxPerAddress - 1} limit 1),
        (select made_at from recent order by made_at desc offset ${maxPerName - 1} limit 1)) as last_to_go
    from recent`,
)

/** Counts recent wrong attempts, and when enough of them have expired to allow another. */
export async function countAttempts(db: Db, attempt: Attempt): Promise<RecentAttempts> {
  const since = attempt.at.subtract({ seconds: attemptWindowSeconds }).toString()
  const [row] = await selectRecent(db, { ...attempt, since })
  return {
    fromAddress: row?.from_address ?? 0,
    fromEverywhere: row?.from_everywhere ?? 0,
    freeAt: (row?.last_to_go ?? attempt.at).add({ seconds: attemptWindowSeconds }),
  }
}
