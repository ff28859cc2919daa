import { sql } from 'kysely'
import type { Trx } from '../../database/open.ts'
import type { Stage } from '../../database/staging/copy.ts'
import type { Kind } from '../kind.ts'

const tableOf = ({ table }: Stage): string => (table === 'staged_user' ? 'service_user' : table.replace(/^staged_/, ''))

/** Deletions of one kind: how many records exist, how many do not, and the first of the latter. */
export type Deletions = Readonly<{ kind: string; present: number; absent: number; named: readonly string[] }>

/** Must run before anything is applied, because removing a record may remove others. */
export async function findDeletions(trx: Trx, { name, key, stage }: Kind, max: number): Promise<Deletions> {
  const none = { kind: name, present: 0, absent: 0, named: [] }
  // Access rights have no key.
  if (key.length === 0) return none
  const columns = Object.entries(stage.columns).slice(0, key.length)
  // A missing day means since ever.
  const given = columns.map(([column, type]) =>
    type === 'date' ? sql`coalesce(s.${sql.ref(column)}, '-infinity')` : sql`s.${sql.ref(column)}`,
  )
  const { rows } = await sql<Omit<Deletions, 'kind'>>`
    select count(*) filter (where is_there) as present, count(*) filter (where not is_there) as absent,
      coalesce((array_agg(key order by line) filter (where not is_there))[1:${sql.lit(max)}], '{}') as named
    from (select line, concat_ws(' ', ${sql.join(columns.map(([column]) => sql`s.${sql.ref(column)}`))}) as key,
        exists (select from ${sql.table(tableOf(stage))} t
          where (${sql.join(columns.map(([column]) => sql`t.${sql.ref(column)}`))}) = (${sql.join(given)})) as is_there
      from ${sql.table(stage.table)} s where deletion) as found`.execute(trx)
  return { ...none, ...rows[0] }
}
