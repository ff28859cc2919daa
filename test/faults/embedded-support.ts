import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, afterEach } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { type EmbeddedDatabase, startEmbedded } from '../../src/database/embedded/embedded.ts'
import { childrenOf } from '../support/service/process.ts'

const run = promisify(execFile)

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

function spawnService(dataDir: string, path = process.env.PATH): ChildProcess {
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

/** The process that stops PostgreSQL when this one is killed. */
export async function guardOf(pid: number): Promise<number> {
  for (const child of await childrenOf(pid)) {
    const { stdout } = await run('ps', ['-ww', '-o', 'args=', '-p', String(child)])
    if (stdout.includes('refdesk-guard')) return child
  }
  throw new Error(`process ${pid} has no guard`)
}

/** Kills a service together with its guard, so that its PostgreSQL is left running. */
export async function killWithGuard(service: ChildProcess): Promise<void> {
  process.kill(await guardOf(service.pid ?? 0), 'SIGKILL')
  await killService(service)
}

export const postmasterOf = async (home: string) =>
  Number((await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

type StartedDatabase = EmbeddedDatabase & { said: string[] }
type Embedded = {
  newDataDir(): string
  /** A new cluster in which a start has made the table `kept`, and which was then stopped. */
  firstCluster(): Promise<{ dataDir: string } & Pick<EmbeddedDatabase, 'connection'>>
  /** The folder of a copy of it. */
  usedDataDir(): Promise<string>
  /** Starts a database in this process. `said` collects what it logs. */
  start(dataDir: string, settings?: Record<string, string>): Promise<StartedDatabase>
  /** Starts a service in a process of its own. */
  launchService(dataDir: string, path?: string): ChildProcess
}

/** Databases and services that end after each test, in a folder that is removed when the tests of the file are over. */
export async function embeddedForFile(): Promise<Embedded> {
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-embedded-'))
  const started: EmbeddedDatabase[] = []
  const services: ChildProcess[] = []
  let nextFolder = 0
  let made: ReturnType<typeof makeCluster> | undefined

  afterEach(async () => {
    for (const service of services.splice(0)) service.kill('SIGTERM')
    await Promise.all(started.splice(0).map((database) => database.stop()))
  })
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

  const newDataDir = () => join(folder, `data-${nextFolder++}`)

  async function start(dataDir: string, settings: Record<string, string> = {}): Promise<StartedDatabase> {
    const said: string[] = []
    const say = (_fields: object, message: string) => said.push(message)
    const fast = { fsync: 'off', shared_buffers: '16MB', ...settings }
    const database = await startEmbedded({ dataDir, log: { info: say, warn: say, error: say }, settings: fast })
    started.push(database)
    return { ...database, said }
  }

  async function makeCluster() {
    const dataDir = newDataDir()
    const database = await start(dataDir)
    await query(database, 'create table kept as select 42 as answer')
    await database.stop()
    return { dataDir, connection: database.connection }
  }

  function firstCluster() {
    made ??= makeCluster()
    return made
  }

  /** Copying a cluster is quicker than making one. */
  async function usedDataDir(): Promise<string> {
    const dataDir = newDataDir()
    await cp((await firstCluster()).dataDir, dataDir, { recursive: true })
    return dataDir
  }

  function launchService(dataDir: string, path?: string): ChildProcess {
    const service = spawnService(dataDir, path)
    services.push(service)
    return service
  }

  return { newDataDir, firstCluster, usedDataDir, start, launchService }
}
