import { finished } from 'node:stream/promises'
import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { locks } from '../locks.ts'
import { type Connection, type Db, newClient, serverOptions } from '../open.ts'
import type { Tables } from '../tables/tables.ts'

/** A temporary table for records of one kind: its columns besides `line` and `deletion`, the `keys` (default 1) key
 *  columns first. */
export type Stage = Readonly<{ table: string; columns: Readonly<Record<string, string>>; keys?: number }>

export type ReportError = (field: string, reason: string) => void

export type CopyValue = string | number | boolean | null | readonly string[] | readonly number[]

const special = /[\\\n\r\t]/
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export function copyText(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return escaped(`{${value.map((item) => (typeof item === 'number' ? item : quoted(item))).join(',')}}`)
}

const escaped = (text: string): string =>
  special.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (character) => escapes[character] ?? '') : text

const quoted = (text: string): string => (/["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`)

/** PostgreSQL reads a piece as a whole, and reports each. */
const pieceBytes = 262_144

/** Copies rows in COPY's text format, each ended by a line feed. */
export async function copyRows(client: pg.Client, stage: Stage, bytes: Buffer): Promise<void> {
  const columns = ['line', 'deletion', ...Object.keys(stage.columns)].join(', ')
  const stream = client.query(copyFrom(`copy ${stage.table} (${columns}) from stdin`))
  for (let from = 0; from < bytes.length; from += pieceBytes) stream.write(bytes.subarray(from, from + pieceBytes))
  stream.end()
  await finished(stream)
}

const keyColumns = ({ columns, keys = 1 }: Stage): string[] => Object.keys(columns).slice(0, keys)

/** Autovacuum does not analyze temporary tables, so the planner needs this. Keys are unique, so a small sample is enough. */
export async function analyzeStages(db: Db, stages: readonly Stage[], onStep: () => void): Promise<void> {
  await sql`set default_statistics_target = 10`.execute(db)
  for (const stage of stages) {
    await sql.raw(`analyze ${stage.table} (line, deletion, ${keyColumns(stage).join(', ')})`).execute(db)
    onStep()
  }
  await sql`reset default_statistics_target`.execute(db)
}

type StagedRow = Readonly<{ line: number; deletion?: boolean; values: readonly CopyValue[] }>

/** Fills a stage in a pooled transaction, where COPY is not available. */
export async function insertStaged(db: Db, stage: Stage, rows: readonly StagedRow[]): Promise<void> {
  const columns = Object.entries(stage.columns)
  const texts = rows.map(({ line, deletion = false, values }) => {
    // A document is already JSON.
    const members = columns.map(([name, type], at) => {
      const value = values[at] ?? null
      return `"${name}":${type === 'json' && typeof value === 'string' ? value : JSON.stringify(value)}`
    })
    return `{"line":${line},"deletion":${deletion},${members.join(',')}}`
  })
  await sql`insert into ${sql.table(stage.table)}
    select * from json_populate_recordset(null::${sql.table(stage.table)}, ${`[${texts.join(',')}]`}::json)`.execute(db)
}

/** An error found by comparing records. `{line}` in its reason is replaced by the line of `other`. */
export type StagedError = Readonly<{
  line: number
  kind: string
  key: string
  field: string
  reason: string
  other: number | null
}>
/** The first errors of one check, by line, and the total. */
export type StagedErrors = Readonly<{ listed: readonly StagedError[]; total: number }>

/** Runs a check: a query for line, kind, key, field, reason and other. */
export async function findStagedErrors(db: Db, check: RawBuilder<unknown>): Promise<StagedErrors> {
  const { rows } = await sql<StagedError & { total: number }>`
    select found.*, count(*) over () as total from (${check}) as found (line, kind, key, field, reason, other)
    order by line, field limit 100`.execute(db)
  return { listed: rows, total: rows[0]?.total ?? 0 }
}

export function findDuplicateKeys(db: Db, kind: string, stage: Stage): Promise<StagedErrors> {
  const key = sql.join(keyColumns(stage).map((name) => sql.ref(name)))
  return findStagedErrors(
    db,
    sql`select max(line), ${kind}::text, concat_ws(' ', ${key}), '', 'Is a duplicate of {line}; send each key once.',
        min(line)
      from ${sql.table(stage.table)} group by ${key} having count(*) > 1`,
  )
}

/** Acquires the import lock for the connection. Returns false if another import holds it. */
export async function tryImportLock(db: Db): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${locks.import}) as taken`.execute(db)
  return rows[0]?.taken ?? false
}

export async function lockImport(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.import})`.execute(trx)
}

/** Reads the rows of a query without parameters, in batches from one snapshot. */
export async function* readByCursor<Row>(trx: Db, query: RawBuilder<Row>, chunk: number): AsyncGenerator<Row[]> {
  await sql`declare reading no scroll cursor for ${query}`.execute(trx)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(chunk)} from reading`.execute(trx)
    if (rows.length === 0) break
    yield rows
  }
  await sql`close reading`.execute(trx)
}

const hour = 3_600_000

/** Stages, and the joins with them, are rarely larger. */
const memory = '-c work_mem=64MB -c temp_buffers=64MB'

const bounds: pg.ClientConfig = {
  statement_timeout: 2 * hour,
  query_timeout: 2 * hour + 60_000,
  lock_timeout: 30_000,
  idle_in_transaction_session_timeout: hour,
  options: `${serverOptions} ${memory}`,
}

/** Opens a connection of its own for long work, outside the request pool. Kysely uses the same one. */
export async function withOwnConnection<T>(
  connection: Connection,
  work: (db: Db, client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = newClient(connection, bounds)
  await client.connect()
  const pooled = Object.assign(client, { release: () => {} })
  const pool = { connect: async () => pooled, end: async () => {}, options: {} }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await work(db, client)
  } finally {
    await client.end().catch(() => {})
  }
}
