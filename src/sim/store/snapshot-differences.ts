import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../database/open.ts'
import { hashOf, listReferring, type SnapshotTable } from './snapshot-tables.ts'

/** The next revisions, which changed rows get. */
export type Revisions = Readonly<{ reference: number; events: number }>

/** Rows with a revision, by which nodes find what has changed: the name of a deletion's kind, and the key. */
export const referenceTables = [
  { name: 'trading_calendar', kind: 'calendar', key: 'calendar_id' },
  { name: 'exchange', kind: 'exchange', key: 'exchange_id' },
  { name: 'instrument', kind: 'instrument', key: 'uic' },
  { name: 'option_root', kind: 'optionRoot', key: 'option_root_id' },
]

/** What a restore changed: the names of the tables, and how many rows it inserted. */
export type Written = Readonly<{ changed: ReadonlySet<string>; inserted: number }>

/** Makes the tables what they were. The number of statements does not depend on how many tables there are, and rows that
 *  did not change are read once. The tables must be locked. */
export async function writeDifferences(
  trx: Trx,
  id: number,
  tables: readonly SnapshotTable[],
  revisions: Revisions,
): Promise<Written> {
  await sql`create temporary table difference (table_name text not null, present tid, saved tid) on commit drop`.execute(
    trx,
  )
  const changed = new Set<string>()
  const missing = new Map<string, number>()
  // All deletions come first: a row may take the place of another. They cascade, so tables that refer to them are compared
  // again, until none has a row that the snapshot does not have.
  for (let compared = [...tables]; compared.length > 0; ) {
    const counts = await compare(trx, id, compared)
    for (const { name } of compared) missing.set(name, counts.get(name)?.missing ?? 0)
    for (const name of counts.keys()) changed.add(name)
    const others = compared.filter(({ name }) => (counts.get(name)?.others ?? 0) > 0)
    if (others.length > 0) await deleteOthers(trx, others, revisions)
    compared = listReferring(tables, new Set(others.map(({ name }) => name)))
  }
  const incomplete = tables.filter(({ name }) => (missing.get(name) ?? 0) > 0)
  if (incomplete.length > 0) await insertMissing(trx, incomplete, revisions)
  return { changed, inserted: [...missing.values()].reduce((sum, count) => sum + count, 0) }
}

type Counts = Readonly<{ others: number; missing: number }>

/** Notes in `difference` where the rows are that only one side has. Returns the tables that differ. */
async function compare(trx: Trx, id: number, tables: readonly SnapshotTable[]): Promise<Map<string, Counts>> {
  const names = tables.map(({ name }) => name)
  const present = tables.map(
    ({ name, content, rows }) =>
      sql`select ${name}::text as table_name, t.ctid as place, ${hashOf(content)} as hash from ${rows}`,
  )
  const { rows } = await sql<Counts & { name: string }>`
    with former as (delete from difference where table_name = any(${names})),
      found as (
        insert into difference (table_name, present, saved)
        select table_name, p.place, s.place
        from (${sql.join(present, sql` union all `)}) p
        full join (
          select table_name, ctid as place, coalesce(hash, ${hashOf(sql`content`)}) as hash
          from snapshot_row where snapshot_id = ${id} and table_name = any(${names})) s using (table_name, hash)
        where p.place is null or s.place is null
        returning table_name, present, saved)
    select table_name as name, count(present)::int as others, count(saved)::int as missing
    from found group by table_name`.execute(trx)
  return new Map(rows.map(({ name, ...counts }) => [name, counts]))
}

const placesOf = (side: 'present' | 'saved', { name }: SnapshotTable) =>
  sql`any(array(select ${sql.ref(side)} from difference where table_name = ${name} and ${sql.ref(side)} is not null))`

/** Deletes the rows that the snapshot does not have as they are. */
async function deleteOthers(trx: Trx, tables: readonly SnapshotTable[], revisions: Revisions): Promise<void> {
  const deletions = tables.flatMap((table) => {
    const { name } = table
    const others = sql`delete from ${sql.table(name)} t where t.ctid = ${placesOf('present', table)}`
    const reference = referenceTables.find((one) => one.name === name)
    if (reference)
      return [
        named(name, sql`${others} returning ${sql.ref(`t.${reference.key}`)}::text as key`),
        named(
          `${name}_noted`,
          sql`insert into reference_deletion (kind, key, revision)
            select ${reference.kind}::text, key, ${revisions.reference}::bigint from ${sql.id(`${name}_rows`)}
            on conflict (kind, key) do update set revision = excluded.revision`,
        ),
      ]
    if (name === 'event')
      return [
        named(name, sql`${others} returning t.event_id`),
        named(
          'event_noted',
          sql`insert into event_deletion (event_id, revision)
            select event_id, ${revisions.events}::bigint from event_rows
            on conflict (event_id) do update set revision = excluded.revision`,
        ),
      ]
    return [named(name, others)]
  })
  await sql`with ${sql.join(deletions)} select`.execute(trx)
}

/** Inserts the rows of the snapshot that the tables do not have. Foreign keys are checked after all of them. */
async function insertMissing(trx: Trx, tables: readonly SnapshotTable[], revisions: Revisions): Promise<void> {
  const insertions = tables.flatMap((table) => {
    const { name, columns } = table
    const reference = referenceTables.find((one) => one.name === name)
    const revision = reference ? revisions.reference : revisions.events
    const values = columns.map((column) =>
      column === 'revision' ? sql`${revision}::bigint` : sql`(r).${sql.ref(column)}`,
    )
    const insertion = sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      overriding system value
      select ${sql.join(values)} from (
        select s.content::${sql.table(name)} as r from snapshot_row s where s.ctid = ${placesOf('saved', table)}
        offset 0) missing`
    if (!reference) return [named(name, insertion)]
    return [
      named(name, sql`${insertion} returning ${sql.ref(reference.key)}::text as key`),
      // A record that was added again is no longer removed.
      named(
        `${name}_noted`,
        sql`delete from reference_deletion d using ${sql.id(`${name}_rows`)} n
          where d.kind = ${reference.kind} and d.key = n.key`,
      ),
    ]
  })
  await sql`with ${sql.join(insertions)} select`.execute(trx)
}

const named = (name: string, statement: RawBuilder<unknown>) => sql`${sql.id(`${name}_rows`)} as (${statement})`
