import { sql } from 'kysely'
import type { Db } from './open.ts'
import { prepared } from './prepared.ts'

type Row = { key: string; windowStart: number; count: number }

type Columns = { keys: string[]; starts: number[]; counts: number[] }

const addCounts = prepared(
  (_db, { keys, starts, counts }: Columns) => sql<{ key: string; count: number }>`
    insert into rate_count (key, window_start, count)
    select * from unnest(${keys}::text[], ${starts}::bigint[], ${counts}::bigint[])
    on conflict (key, window_start) do update set count = rate_count.count + excluded.count
    returning key, count`,
)

/** Adds this node's counts and returns the totals of all nodes, in one statement. */
export async function addRateCounts(db: Db, rows: Row[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map()
  // Ordered by key, so that two nodes cannot deadlock.
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const totals = await addCounts(db, {
    keys: sorted.map((row) => row.key),
    starts: sorted.map((row) => row.windowStart),
    counts: sorted.map((row) => row.count),
  })
  return new Map(totals.map((row) => [row.key, row.count]))
}
