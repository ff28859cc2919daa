import { chmod, mkdir, realpath, rmdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '../../core/network/outage.ts'
import { locks } from '../locks.ts'
import { findBinaries } from './binaries.ts'
import { databasePassword, ensureCluster } from './cluster.ts'
import { findPostmaster } from './postmaster.ts'
import { stopPostmaster } from './process.ts'
import { chooseRunner } from './runner.ts'
import {
  acquireCluster,
  createDatabase,
  DataDirInUse,
  type EmbeddedCluster,
  endAsLastCommand,
  reach,
  type Session,
} from './session.ts'
import { ensureSocketFolder } from './socket-folder.ts'

export { DataDirInUse } from './session.ts'

export interface EmbeddedDatabase {
  /** A ClientConfig of pg: host is the folder of the socket (127.0.0.1 on Windows). */
  readonly connection: { host: string; port: number; user: string; password: string; database: string }
  /** The folder of the cluster if it is not in dataDir, because it must belong to another OS user. */
  readonly movedTo: string | undefined
  stop(): Promise<void>
}

interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

interface EmbeddedOptions {
  dataDir: string
  log: Log
  settings?: Record<string, string>
  /** Another service took the data folder while PostgreSQL was down. The caller must exit. */
  onFatal?: (error: Error) => void
}

const defaultSettings = {
  max_connections: '100',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Logs starts, stops and crashes, but no statement errors, which could quote parameters.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** Starts the bundled PostgreSQL, or adopts the one that a killed service left running. One service per dataDir.
 *  Until stop() it is restarted whenever it ends. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const cluster = await prepare(options)
  const stopping = new AbortController()
  const first = await acquireCluster(cluster, stopping.signal)
  await createDatabase(first).catch(async (error: unknown) => {
    await stopRunning(cluster)
    throw error
  })
  const kept = keepAlive(cluster, first, stopping.signal, options)
  return {
    ...handle(cluster),
    stop: () => {
      stopping.abort()
      return kept
    },
  }
}

const maxJoins = 5

/** Retries, because the last command before this one may stop the cluster just after we connect. */
async function joinCluster(cluster: EmbeddedCluster): Promise<Session> {
  for (let joins = 1; ; joins++) {
    const session = await reach(cluster, new AbortController().signal)
    try {
      await session.client.query('select pg_advisory_lock_shared($1)', [locks.embeddedCommand])
      await createDatabase(session)
      return session
    } catch (error) {
      await session.end().catch(() => undefined)
      if (!isOutage(error) || joins === maxJoins) throw error
    }
  }
}

/** For commands: uses the cluster of a running service, or starts one until the command ends. */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const cluster = await prepare(options)
  const session = await joinCluster(cluster)
  return {
    ...handle(cluster),
    stop: async () => {
      if (await endAsLastCommand(session)) await stopRunning(cluster)
      await session.end()
    },
  }
}

function handle(cluster: EmbeddedCluster): Pick<EmbeddedDatabase, 'connection' | 'movedTo'> {
  return {
    connection: { ...cluster.address, user: 'refdesk', password: cluster.password, database: 'refdesk' },
    movedTo: cluster.runner.home === cluster.dataDir ? undefined : cluster.runner.home,
  }
}

async function prepare(options: EmbeddedOptions): Promise<EmbeddedCluster> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  await chmod(options.dataDir, 0o700)
  const dataDir = await realpath(options.dataDir)
  const runner = await chooseRunner(dataDir, await findBinaries())
  const password = await databasePassword(dataDir)
  const settings: Record<string, string> = { ...defaultSettings, ...options.settings }
  const folder = await ensureCluster(runner, password, settings.fsync !== 'off')
  const address =
    process.platform === 'win32'
      ? { host: '127.0.0.1', port: (await findPostmaster(folder))?.port ?? (await freePort()) }
      : { host: await ensureSocketFolder(dataDir, runner), port: 5432 }
  return { dataDir, runner, password, settings, folder, address, logFile: join(dataDir, 'postgres.log') }
}

async function stopRunning(cluster: EmbeddedCluster): Promise<void> {
  const running = await findPostmaster(cluster.folder)
  if (running) await stopPostmaster(cluster.runner, cluster.folder, running.pid)
  if (process.platform !== 'win32') await rmdir(cluster.address.host).catch(() => undefined)
}

/** Holds the lock, and takes it again whenever its connection ends (killed, crashed, disk full). Stops the cluster
 *  while still holding the lock, so that no other service adopts it meanwhile. */
async function keepAlive(
  cluster: EmbeddedCluster,
  first: Session,
  stopping: AbortSignal,
  options: EmbeddedOptions,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve(), { once: true }))
  let session: Session | undefined = first
  while (session && !stopping.aborted) {
    await Promise.race([session.ended, stopped])
    if (stopping.aborted) break
    options.log.warn({ dataDir: cluster.dataDir }, 'PostgreSQL ended; restarting it')
    try {
      session = await reacquire(cluster, stopping, options.log)
    } catch (error) {
      return options.onFatal?.(error as DataDirInUse)
    }
  }
  await stopRunning(cluster)
  await session?.end()
}

/** Retries until it succeeds, because a full disk may stay full for long. Returns undefined when stopped. */
async function reacquire(cluster: EmbeddedCluster, stopping: AbortSignal, log: Log): Promise<Session | undefined> {
  for (let pauseMs = 100; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, 2000)) {
    try {
      const session = await acquireCluster(cluster, stopping)
      log.info({ dataDir: cluster.dataDir }, 'PostgreSQL is running again')
      return session
    } catch (error) {
      if (error instanceof DataDirInUse) throw error
      if (!stopping.aborted)
        log.error({ err: error, dataDir: cluster.dataDir }, 'PostgreSQL could not be restarted yet')
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
    }
  }
  return undefined
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
