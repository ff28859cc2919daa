import { sql } from 'kysely'
import type { Trx } from '../open.ts'
import type { Stage } from './copy.ts'

const chunk = 1_000

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
