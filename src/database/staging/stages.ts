import { sql } from 'kysely'
import type { Db } from '../open.ts'
import type { Stage } from './copy.ts'

/** The tables of the stages that have rows: an import does the work only for these. */
export type Filled = ReadonlySet<string>

export const hasAny = (filled: Filled, ...tables: readonly string[]): boolean =>
  tables.some((table) => filled.has(table))

/** Creates a stage for the connection. */
export async function createStage(db: Db, stage: Stage): Promise<void> {
  await sql.raw(`create temp table ${stage.table} (${membersOf(stage)})`).execute(db)
}

/** Creates stages without rows for the connection. They are views, which cost much less than tables. */
export async function createEmptyStages(db: Db, stages: readonly Stage[]): Promise<void> {
  if (stages.length === 0) return
  const views = stages.map(({ table, columns }) => {
    const members = Object.entries({ line: 'bigint', deletion: 'boolean', ...columns })
    return `create temp view ${table} as select ${members.map(([name, type]) => `null::${type} as ${name}`).join(', ')} where false`
  })
  await sql.raw(views.join('; ')).execute(db)
}

export async function dropEmptyStage(db: Db, { table }: Stage): Promise<void> {
  await sql.raw(`drop view ${table}`).execute(db)
}

/** Creates stages for the transaction. One that exists already is emptied. */
export async function createStagesOfTransaction(db: Db, stages: readonly Stage[]): Promise<void> {
  const tables = stages.map(
    (stage) => `create temp table if not exists ${stage.table} (${membersOf(stage)}) on commit drop`,
  )
  await sql.raw([...tables, `truncate ${stages.map(({ table }) => table).join(', ')}`].join('; ')).execute(db)
}

const membersOf = ({ columns }: Stage): string =>
  [
    'line bigint not null',
    'deletion boolean not null',
    ...Object.entries(columns).map(([name, type]) => `${name} ${type}`),
  ].join(', ')

export async function findFilled(db: Db, stages: readonly Stage[]): Promise<Filled> {
  const queries = stages.map(({ table }) => `select '${table}' as name where exists (select from ${table})`)
  const { rows } = await sql.raw<{ name: string }>(queries.join(' union all ')).execute(db)
  return new Set(rows.map(({ name }) => name))
}
