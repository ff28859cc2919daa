import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { isLocked } from '../core/network/outage.ts'
import { locks } from './locks.ts'
import { type Connection, newClient } from './open.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

type Migration = Readonly<{ version: number; name: string; sql: string }>

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{3}_.*\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => ({
      version: Number(name.slice(0, 3)),
      name,
      sql: await readFile(`${folder}${name}`, 'utf8'),
    })),
  )
}

/** Applies each migration once, in order. A lock makes nodes that start together wait for the first one. Returns the names
 *  of the applied migrations. */
export async function migrate(connection: Connection): Promise<string[]> {
  const migrations = await readMigrations()
  const unlimited = { statement_timeout: 0, query_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 }
  const client = newClient(connection, unlimited)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [locks.migration])
    await client.query(`create table if not exists migration (
      version integer primary key, name text not null, applied_at timestamptz not null default clock_timestamp())`)
    const { rows } = await client.query<{ version: number; name: string }>('select version, name from migration')
    requireKnown(rows, migrations)
    const done = new Set(rows.map((row) => row.version))
    const open = migrations.filter((migration) => !done.has(migration.version))
    for (const migration of open) await applyPatiently(client, migration)
    return open.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Compares the database with the migrations of this version. Changes nothing. */
export async function inspectMigrations(connection: Connection) {
  const migrations = await readMigrations()
  const client = newClient(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ version: number; name: string }>('select version, name from migration')
    const done = new Set(rows.map((row) => row.version))
    return {
      applied: rows.length,
      open: migrations.filter(({ version }) => !done.has(version)).map(({ name }) => name),
      unknown: newerThan(migrations, rows).map(({ name }) => name),
    }
  } finally {
    await client.end()
  }
}

function newerThan(known: readonly Migration[], applied: readonly { version: number; name: string }[]) {
  const newest = known.at(-1)?.version ?? 0
  return applied.filter((row) => row.version > newest)
}

function requireKnown(applied: { version: number; name: string }[], known: Migration[]): void {
  const newer = newerThan(known, applied)
  if (newer.length === 0) return
  throw new Error(
    `The database is newer than this refdesk (it has ${newer.map((row) => row.name).join(', ')}). ` +
      'Start the version of refdesk that made it, or a later one.',
  )
}

const lockTimeoutMs = 2_000

/** Retries until the tables are free, also after a deadlock with their users. A migration that waits for a table makes all others wait for it too, so it never
 *  waits for long. */
async function applyPatiently(client: pg.Client, migration: Migration): Promise<void> {
  for (;;) {
    try {
      return await apply(client, migration)
    } catch (error) {
      if (!isLocked((error as Error).cause)) throw error
      await sleep(lockTimeoutMs)
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(migration.sql)
    await client.query('insert into migration (version, name) values ($1, $2)', [migration.version, migration.name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`Migration ${migration.name} failed and was undone: ${(error as Error).message}`, { cause: error })
  }
}
