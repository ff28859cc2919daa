import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { EmbeddedDatabase } from '../../src/database/embedded/embedded.ts'

export async function query(
  database: Pick<EmbeddedDatabase, 'connection'>,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...database.connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

export function spawnService(dataDir: string, path = process.env.PATH): ChildProcess {
  const script = fileURLToPath(new URL('embedded-service.ts', import.meta.url))
  const env = { ...process.env, PATH: path }
  return spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'], env })
}

type Answer = Partial<Pick<EmbeddedDatabase, 'connection' | 'movedTo'>> & { refused?: string }

export async function firstLine({ stdout }: ChildProcess): Promise<Answer> {
  assert.ok(stdout)
  const [line] = await once(createInterface(stdout), 'line')
  return JSON.parse(line)
}

export async function killService(service: ChildProcess): Promise<void> {
  const exited = once(service, 'exit')
  service.kill('SIGKILL')
  await exited
}

export const postmasterOf = async (home: string) =>
  Number((await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
