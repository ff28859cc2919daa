import type { ColumnType } from 'kysely'

/** Instants are written as ISO text and read as Temporal. */
export type Instant = ColumnType<Temporal.Instant, string, string>
export type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>

/** Read as a value, written as JSON text. */
export type Document = ColumnType<Record<string, unknown>, string, string>
