import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedDatabase } from '../../../src/database/embedded/embedded.ts'

export type TestConnection = EmbeddedDatabase['connection']

export const template = 'refdesk_template'
/** The same with all demo data in it, as of `demoLoadedAt`. */
export const demoTemplate = 'refdesk_demo_template'
/** A Monday at noon. */
export const demoLoadedAt = '2026-11-16T12:00:00Z'

export interface TestDatabase {
  readonly connection: TestConnection
  drop(): Promise<void>
}

/** A database of the caller's own, migrated and empty or with the demo data, in the PostgreSQL that test/run.ts started. */
export async function testDatabase(from = template): Promise<TestDatabase> {
  const given = process.env.REFDESK_TEST_DATABASE
  if (given === undefined) throw new Error('These tests need their PostgreSQL: run them by `node test/run.ts <file>`.')
  const server = JSON.parse(given) as TestConnection
  const database = `t_${randomBytes(8).toString('hex')}`
  await createFromTemplate(server, database, from)
  return {
    connection: { ...server, database },
    drop: () => administer(server, `drop database if exists ${database} with (force)`),
  }
}

/** PostgreSQL refuses to copy a database that someone is connected to (55006), be it for a moment. */
async function createFromTemplate(server: TestConnection, database: string, from: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await administer(server, `create database ${database} template ${from}`)
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error
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
