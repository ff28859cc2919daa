import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'

/** What a snapshot does not have (§11.8): logs, keys, limits and uploads stay, as do the counters, which only grow. The clock is
 *  kept in the snapshot itself. Every other table is part of it, also one that a later migration adds. */
export const keptTables = [
  ...[
    'audit_inbox',
    'audit_log',
    'audit_archive',
    'signing_key',
    'failed_attempt',
    'rate_count',
    'change',
    'migration',
  ],
  ...['reference_data', 'reference_deletion', 'reference_history', 'event_data', 'event_deletion', 'event_history'],
  ...['service', 'sim_clock', 'election_count', 'removed_session', 'snapshot', 'snapshot_row'],
  ...['import_upload', 'import_upload_part'],
  ...['history', 'history_run', 'record_version', 'account_version'],
]

/** Columns that a restore does not bring back: revisions only grow, and no one becomes an operator. */
const constants: Readonly<Record<string, RawBuilder<unknown>>> = {
  revision: sql`0::bigint`,
  is_operator: sql`false`,
}

/** The service's own app stays as this service has made it. */
const conditions: Readonly<Record<string, RawBuilder<unknown>>> = {
  app: sql`t.client_key is not null`,
  redirect_uri: sql`t.app_key in (select app_key from app where client_key is not null)`,
}

type FoundTable = Readonly<{ name: string; columns: readonly string[]; parents: readonly string[] }>

export type SnapshotTable = FoundTable &
  Readonly<{
    /** `name t where ...`: the rows that belong to a snapshot. */
    rows: RawBuilder<unknown>
    /** The text of the row `t`. */
    content: RawBuilder<string>
  }>

/** What rows are compared by. */
export const hashOf = (content: RawBuilder<string>): RawBuilder<Buffer> => sql`sha256(convert_to(${content}, 'UTF8'))`

/** The tables of a snapshot. One that refers to another comes after it. */
export async function listTables(db: Db): Promise<SnapshotTable[]> {
  const { rows } = await sql<FoundTable>`
    select c.relname::text as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      array(select distinct p.relname::text from pg_constraint k join pg_class p on p.oid = k.confrelid
       where k.conrelid = c.oid and k.contype = 'f') as parents
    from pg_class c
    where c.relnamespace = (select relnamespace from pg_class where oid = 'snapshot'::regclass)
      and c.relkind = 'r' and c.relname::text <> all(${keptTables}) order by c.relname`.execute(db)
  return parentsFirst(rows).map(({ name, columns, parents }) => ({
    name,
    columns,
    parents,
    rows: sql`${sql.table(name)} t where ${conditions[name] ?? sql`true`}`,
    content: sql`row(${sql.join(columns.map((column) => constants[column] ?? sql.ref(`t.${column}`)))})::text`,
  }))
}

function parentsFirst(tables: readonly FoundTable[]): FoundTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const ordered = new Set<FoundTable>()
  const add = (table: FoundTable): void => {
    for (const parent of table.parents) {
      const found = byName.get(parent)
      if (found && found !== table && !ordered.has(found)) add(found)
    }
    ordered.add(table)
  }
  for (const table of tables) add(table)
  return [...ordered]
}

/** The tables whose rows a deletion in the named ones can remove or change: those that refer to them, also by others. */
export function listReferring(tables: readonly SnapshotTable[], names: ReadonlySet<string>): SnapshotTable[] {
  const reached = new Set(names)
  return tables.filter(({ name, parents }) => {
    const isReferring = parents.some((parent) => reached.has(parent))
    if (isReferring) reached.add(name)
    return isReferring
  })
}
