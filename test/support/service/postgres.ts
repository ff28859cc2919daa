import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedDatabase } from '../../../src/database/embedded/embedded.ts'

export type TestConnection = EmbeddedDatabase['connection']

export const template = 'refdesk_template'
/** Also contains the demo's clients, users and apps, loaded when the run began. */
export const usersTemplate = 'refdesk_users_template'
/** Also contains all demo data, loaded at `demoLoadedAt`. */
export const demoTemplate = 'refdesk_demo_template'
/** A Monday at noon. */
export const demoLoadedAt = '2026-11-16T12:00:00Z'
/** Like `usersTemplate`, but loaded when most fixed clocks begin. */
export const fixedTemplates: ReadonlyMap<string, string> = new Map([
  [demoLoadedAt, 'refdesk_noon_template'],
  ['2026-11-16T09:00:00Z', 'refdesk_morning_template'],
])

export interface TestDatabase {
  readonly connection: TestConnection
  drop(): Promise<void>
}

/** Replaces the limits of src/database/open.ts: on a busy machine a test waits, because 503 would fail it. */
const patience = {
  connectionTimeoutMillis: 240_000,
  statement_timeout: 240_000,
  query_timeout: 240_000,
  lock_timeout: 120_000,
  idle_in_transaction_session_timeout: 240_000,
}

/** A new database, empty or with the demo data, in the PostgreSQL that test/run.ts started. */
export async function testDatabase(from = template): Promise<TestDatabase> {
  const given = process.env.REFDESK_TEST_DATABASE
  if (given === undefined) throw new Error('These tests need a PostgreSQL: run them with `node test/run.ts <file>`.')
  const server = JSON.parse(given) as TestConnection
  const database = `t_${randomBytes(8).toString('hex')}`
  await createFromTemplate(server, database, from)
  return {
    connection: { ...server, database, ...patience },
    drop: () => administer(server, `drop database if exists ${database} with (force)`),
  }
}

/** PostgreSQL does not copy a database while someone is connected to it (55006). */
async function createFromTemplate(server: TestConnection, database: string, from: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await administer(server, `create database ${database} template ${from} strategy file_copy`)
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 1000) throw error
      await sleep(100)
    }
  }
}

export async function administer(server: TestConnection, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Closes a database to its users, as in an outage, or opens it again. */
export const allowConnections = (connection: TestConnection, isAllowed: boolean): Promise<void> =>
  administer(
    connection,
    `alter database ${connection.database} with allow_connections ${isAllowed}`,
    ...(isAllowed
      ? []
      : [`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${connection.database}'`]),
  )
