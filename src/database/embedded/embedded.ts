import { chmod, realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../core/files/make-folder.ts'
import { isOutage } from '../../core/network/outage.ts'
import { findBinaries } from './binaries.ts'
import { databasePassword, ensureCluster } from './cluster.ts'
import { startGuard } from './guard.ts'
import { findPostmaster } from './postmaster.ts'
import { stopPostmaster } from './process.ts'
import { chooseRunner } from './runner.ts'
import {
  acquireCluster,
  createDatabase,
  DataDirInUse,
  type EmbeddedCluster,
  endAsLastUser,
  joinUsers,
  reach,
  type Session,
} from './session.ts'
import { ensureSocketFolder, removeSocketFolder, socketFolderOf } from './socket-folder.ts'
import { stopUnused } from './unused.ts'

export { DataDirInUse } from './session.ts'

export interface EmbeddedDatabase {
  /** A ClientConfig of pg: host is the folder of the socket (127.0.0.1 on Windows). */
  readonly connection: { host: string; port: number; user: string; password: string; database: string }
  /** The folder of the cluster if it is not in dataDir, because it must belong to another OS user. */
  readonly movedTo: string | undefined
  /** Stops PostgreSQL, unless another process uses it. */
  stop(): Promise<void>
}

interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  settings?: Record<string, string>
  /** Ends a start that is under way. */
  signal?: AbortSignal
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

/** On Windows there is no guard. */
const whatFollows =
  process.platform === 'win32'
    ? 'it keeps running, and the next start adopts it'
    : 'when it does, it is stopped unless another process uses it'

/** How long PostgreSQL may take to answer at the end. After that the guard waits for it. */
const leaveMs = 10_000

const never = new AbortController().signal

/** Starts the bundled PostgreSQL, or adopts the one that another process left running. One service per dataDir.
 *  Until stop() it is restarted whenever it ends. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const cluster = await prepare(options)
  const stopping = new AbortController()
  const first = await guarded(cluster, async () => {
    const session = await acquireCluster(cluster, options.signal ?? never)
    await createDatabase(session).catch((error: unknown) => endAfter(cluster, session, error))
    return session
  })
  const kept = keepAlive(cluster, first, stopping.signal, options).then(cluster.guard.release, (err: unknown) => {
    options.log.warn({ err }, `PostgreSQL does not answer; ${whatFollows}`)
    cluster.guard.act()
  })
  return {
    ...handle(cluster),
    stop: () => {
      stopping.abort()
      return kept
    },
  }
}

const maxJoins = 5

/** Retries, because the last user before this one may stop the cluster just after we connect. */
async function joinCluster(cluster: EmbeddedCluster, stopping: AbortSignal): Promise<Session> {
  for (let joins = 1; ; joins++) {
    const session = await reach(cluster, stopping)
    try {
      await joinUsers(session)
      await createDatabase(session)
      return session
    } catch (error) {
      if (!isOutage(error) || joins === maxJoins) return endAfter(cluster, session, error)
      await session.end()
    }
  }
}

/** For commands: uses the cluster of a running service, or starts one until the command ends. */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const cluster = await prepare(options)
  const session = await guarded(cluster, () => joinCluster(cluster, options.signal ?? never))
  let ended: Promise<void> | undefined
  return {
    ...handle(cluster),
    stop: () => {
      ended ??= endSession(cluster, session).then(cluster.guard.release, cluster.guard.act)
      return ended
    },
  }
}

/** If this fails, PostgreSQL may be running, and the guard finds out whether it has to be stopped. */
async function guarded<T>({ guard }: Pick<EmbeddedCluster, 'guard'>, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    guard.act()
    throw error
  })
}

async function endAfter(cluster: EmbeddedCluster, session: Session, error: unknown): Promise<never> {
  await endSession(cluster, session).catch(() => undefined)
  throw error
}

/** Stops the cluster while still holding its locks, so that no one begins to use it meanwhile. */
async function endSession(cluster: EmbeddedCluster, session: Session): Promise<void> {
  try {
    if (await endAsLastUser(session)) await stopRunning(cluster)
  } finally {
    await session.end()
  }
}

function handle(cluster: EmbeddedCluster): Pick<EmbeddedDatabase, 'connection' | 'movedTo'> {
  return {
    connection: { ...cluster.address, user: 'refdesk', password: cluster.password, database: 'refdesk' },
    movedTo: cluster.runner.home === cluster.dataDir ? undefined : cluster.runner.home,
  }
}

async function prepare(options: EmbeddedOptions): Promise<EmbeddedCluster> {
  await makeFolder(options.dataDir)
  await chmod(options.dataDir, 0o700)
  const dataDir = await realpath(options.dataDir)
  const runner = await chooseRunner(dataDir, await findBinaries())
  const password = await databasePassword(dataDir)
  const settings: Record<string, string> = { ...defaultSettings, ...options.settings }
  const guard = startGuard({ dataDir, home: runner.home, socketFolder: socketFolderOf(dataDir, runner) })
  return guarded({ guard }, async () => {
    const folder = await ensureCluster(runner, password, settings.fsync !== 'off', options.signal ?? never)
    const address =
      process.platform === 'win32'
        ? { host: '127.0.0.1', port: (await findPostmaster(folder))?.port ?? (await freePort()) }
        : { host: await ensureSocketFolder(dataDir, runner), port: 5432 }
    return { dataDir, runner, password, settings, folder, address, logFile: join(dataDir, 'postgres.log'), guard }
  })
}

async function stopRunning({ folder, address, runner }: EmbeddedCluster): Promise<void> {
  const running = await findPostmaster(folder)
  if (running) await stopPostmaster(folder, running.pid, runner.binaries.pgCtl)
  if (process.platform !== 'win32') await removeSocketFolder(address.host, folder)
}

/** Holds the locks, and takes them again whenever their connection ends (killed, crashed, disk full). */
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
  await (session ? endSession(cluster, session).catch(() => leave(cluster)) : leave(cluster))
}

/** Without an answer nothing shows who else uses PostgreSQL, so another connection asks, and after this the guard. */
function leave({ folder, address, runner, password, guard: { id } }: EmbeddedCluster): Promise<void> {
  const { pgCtl } = runner.binaries
  const asked = { folder, socketFolder: address.host, pgCtl, id, askedBy: id, password: async () => password }
  return stopUnused(asked, AbortSignal.timeout(leaveMs))
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
