import { sql } from 'kysely'
import type { Db } from './open.ts'

type Row = { key: string; windowStart: number; count: number }

/** Adds this node's counts and returns the totals of all nodes, in one statement. */
export async function addRateCounts(db: Db, rows: Row[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map()
  // Ordered by key, so that two nodes cannot deadlock.
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const { rows: totals } = await sql<{ key: string; count: number }>`
    insert into rate_count (key, window_start, count)
    select * from unnest(${sorted.map((row) => row.key)}::text[], ${sorted.map((row) => row.windowStart)}::bigint[],
      ${sorted.map((row) => row.count)}::bigint[])
    on conflict (key, window_start) do update set count = rate_count.count + excluded.count
    returning key, count`.execute(db)
  return new Map(totals.map((row) => [row.key, row.count]))
}
