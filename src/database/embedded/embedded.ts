import { chmod, mkdir, realpath, rmdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '../../core/network/outage.ts'
import { locks } from '../locks.ts'
import { findBinaries } from './binaries.ts'
import { databasePassword, ensureCluster, ensureSocketFolder } from './cluster.ts'
import { createDatabase, DataDirInUse, endAsLastCommand, type Place, reach, type Session, takePlace } from './folder.ts'
import { findPostmaster } from './postmaster.ts'
import { stopPostmaster } from './process.ts'
import { chooseRunner } from './runner.ts'

export { DataDirInUse } from './folder.ts'

export interface EmbeddedDatabase {
  /** Usable as pg's ClientConfig: host is the folder of the socket (127.0.0.1 on Windows). */
  readonly connection: { host: string; port: number; user: string; password: string; database: string }
  /** Where the cluster lives when it could not live in dataDir, because it has to belong to another OS user. */
  readonly movedTo: string | undefined
  stop(): Promise<void>
}

export interface EmbeddedLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface EmbeddedOptions {
  dataDir: string
  log: EmbeddedLog
  /** PostgreSQL settings that differ from ours. */
  settings?: Record<string, string>
  /** The data folder was lost to another service while ours was down: nothing is left but to end. */
  onFatal?: (error: Error) => void
}

const ourSettings = {
  max_connections: '100',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Starts, stops and crashes; not the errors of single statements, which could quote what they were given.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** Starts the bundled PostgreSQL, or adopts the one that a killed service left running, for one service per dataDir.
 *  It is kept alive until stop: whatever ends it, it is brought back. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const place = await prepare(options)
  const stopping = new AbortController()
  const first = await takePlace(place, stopping.signal)
  await createDatabase(first).catch(async (error: unknown) => {
    await stopRunning(place)
    throw error
  })
  const kept = keepAlive(place, first, stopping.signal, options)
  return {
    ...handle(place),
    stop: () => {
      stopping.abort()
      return kept
    },
  }
}

const mostJoins = 5

/** Whoever comes while the last command before is about to stop the cluster loses it again, and has another. */
async function joinPlace(place: Place): Promise<Session> {
  for (let joins = 1; ; joins++) {
    const session = await reach(place, new AbortController().signal)
    try {
      await session.client.query('select pg_advisory_lock_shared($1)', [place.locks.command])
      await createDatabase(session)
      return session
    } catch (error) {
      await session.end().catch(() => undefined)
      if (!isOutage(error) || joins === mostJoins) throw error
    }
  }
}

/** For commands: joins the cluster of a running service, else has one for the length of the command. */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const place = await prepare(options)
  const session = await joinPlace(place)
  return {
    ...handle(place),
    stop: async () => {
      if (await endAsLastCommand(place, session)) await stopRunning(place)
      await session.end()
    },
  }
}

function handle(place: Place): Pick<EmbeddedDatabase, 'connection' | 'movedTo'> {
  return {
    connection: { ...place.address, user: 'refdesk', password: place.password, database: 'refdesk' },
    movedTo: place.runner.home === place.dataDir ? undefined : place.runner.home,
  }
}

async function prepare(options: EmbeddedOptions): Promise<Place> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  await chmod(options.dataDir, 0o700)
  const dataDir = await realpath(options.dataDir)
  const runner = await chooseRunner(dataDir, await findBinaries())
  const password = await databasePassword(dataDir)
  const settings: Record<string, string> = { ...ourSettings, ...options.settings }
  const cluster = await ensureCluster(runner, password, settings.fsync !== 'off')
  const address =
    process.platform === 'win32'
      ? { host: '127.0.0.1', port: (await findPostmaster(cluster))?.port ?? (await freePort()) }
      : { host: await ensureSocketFolder(dataDir, runner), port: 5432 }
  const logFile = join(dataDir, 'postgres.log')
  return {
    dataDir,
    runner,
    password,
    settings,
    cluster,
    address,
    logFile,
    locks: { service: locks.embeddedService, command: locks.embeddedCommand },
  }
}

async function stopRunning(place: Place): Promise<void> {
  const running = await findPostmaster(place.cluster)
  if (running) await stopPostmaster(place.runner, place.cluster, running.pid)
  if (process.platform !== 'win32') await rmdir(place.address.host).catch(() => undefined)
}

/** Holds the lock, and takes it again whenever its connection ends: killed, crashed, out of disk. Ends by stopping
 *  the cluster, the lock still held, so that nobody adopts what is about to end. */
async function keepAlive(place: Place, first: Session, stopping: AbortSignal, options: EmbeddedOptions): Promise<void> {
  const stopped = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve(), { once: true }))
  let session: Session | undefined = first
  while (session && !stopping.aborted) {
    await Promise.race([session.ended, stopped])
    if (stopping.aborted) break
    options.log.warn({ dataDir: place.dataDir }, 'the database ended; bringing it back')
    try {
      session = await takeAgain(place, stopping, options.log)
    } catch (error) {
      return options.onFatal?.(error as DataDirInUse)
    }
  }
  await stopRunning(place)
  await session?.end()
}

/** Tries until it is back, for a full disk may take long; undefined when stopped, DataDirInUse when another has it. */
async function takeAgain(place: Place, stopping: AbortSignal, log: EmbeddedLog): Promise<Session | undefined> {
  for (let pauseMs = 100; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, 2000)) {
    try {
      const session = await takePlace(place, stopping)
      log.info({ dataDir: place.dataDir }, 'the database is back')
      return session
    } catch (error) {
      if (error instanceof DataDirInUse) throw error
      if (!stopping.aborted) log.error({ err: error, dataDir: place.dataDir }, 'the database is not back yet')
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
