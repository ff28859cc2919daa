import { sql } from 'kysely'
import type { Trx } from '../open.ts'
import type { Stage } from './copy.ts'

const chunk = 1_000

/** The records that were staged, in the order of their lines, a chunk at a time. */
export async function* readStaged<Record extends object>(
  trx: Trx,
  { table, columns }: Stage,
  deletion: boolean,
): AsyncGenerator<{ key: string; record: Record }[]> {
  const key = sql.ref(Object.keys(columns)[0] ?? '')
  for (let line = 0; ; ) {
    const { rows } = await sql<{ line: number; key: string; record: Record }>`
      select line, ${key} as key, document as record from ${sql.table(table)}
      where deletion = ${deletion} and line > ${line} order by line limit ${chunk}`.execute(trx)
    if (rows.length === 0) return
    yield rows
    line = rows.at(-1)?.line ?? line
  }
}

/** Whoever has an id or a name that another record claims lets go of it first: two can swap theirs, and what is
 *  removed can be succeeded, whatever comes first. That it will be unique in the end was checked. */
export async function releaseNames(trx: Trx): Promise<void> {
  await sql`update client t set client_id = 'released ' || t.client_key from staged_client s
    where s.client_id = t.client_id and s.client_key <> t.client_key and not s.deletion`.execute(trx)
  await sql`update account t set account_id = 'released ' || t.account_key from staged_account s
    where s.account_id = t.account_id and s.account_key <> t.account_key and not s.deletion`.execute(trx)
  await sql`update service_user t set name = 'released ' || t.user_key from staged_user s
    where lower(s.name) = lower(t.name) and s.user_key <> t.user_key and not s.deletion`.execute(trx)
}
