import { type RawBuilder, sql } from 'kysely'

/**
 * What was refused on its own, so that nobody else is told that it is missing. A record that was refused stands in its
 * kind's stage as one to be deleted: what it would have been, nobody knows. Without a key it may have been any of its
 * kind, and without a kind anything.
 */
export const rejectedStage = { table: 'staged_rejected', columns: { kind: 'text', key: 'text' } }

/** Whether a record of the kind and key was refused, or may have been. Neither part looks at the row at hand, so that
 *  each is worked out once. */
export function wasRejected(kind: string, key: RawBuilder<unknown>): RawBuilder<unknown> {
  const name = sql.lit(kind)
  return sql`(${key}::text in (select key from staged_rejected where kind = ${name} and key is not null)
    or ${anyWasRejected(kind)})`
}

/** Whether a record of the kind was refused of which nobody knows the key. */
export function anyWasRejected(kind: string): RawBuilder<unknown> {
  return sql`exists (select from staged_rejected where kind = '' or (kind = ${sql.lit(kind)} and key is null))`
}
