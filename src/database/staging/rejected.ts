import { type RawBuilder, sql } from 'kysely'

/** Rejected records, so that references to them are not reported as missing too. Without a key it may have been any
 *  record of its kind; without a kind, any record. */
export const rejectedStage = { table: 'staged_rejected', columns: { kind: 'text', key: 'text' } }

/** Whether a record with this kind and key was, or may have been, rejected. Both subqueries are uncorrelated, so they
 *  run once. */
export function wasRejected(kind: string, key: RawBuilder<unknown>): RawBuilder<unknown> {
  const name = sql.lit(kind)
  return sql`(${key}::text in (select key from staged_rejected where kind = ${name} and key is not null)
    or ${anyWasRejected(kind)})`
}

/** Whether a record of this kind with an unreadable key was rejected. */
export function anyWasRejected(kind: string): RawBuilder<unknown> {
  return sql`exists (select from staged_rejected where kind = '' or (kind = ${sql.lit(kind)} and key is null))`
}
