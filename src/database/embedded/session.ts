import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { sha256 } from '../../core/crypto/keys.ts'
import { isOutage } from '../../core/network/outage.ts'
import { locks } from '../locks.ts'
import type { Guard } from './guard.ts'
import { findPostmaster, removeStaleLocks } from './postmaster.ts'
import { type Launched, launch, stopPostmaster } from './process.ts'
import type { Runner } from './runner.ts'
import { ensureSocketFolder } from './socket-folder.ts'

export interface EmbeddedCluster {
  readonly dataDir: string
  readonly runner: Runner
  readonly folder: string
  readonly address: { readonly host: string; readonly port: number }
  readonly password: string
  readonly settings: Record<string, string>
  readonly logFile: string
  readonly guard: Guard
}

export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`The data folder ${dataDir} is in use by another refdesk: stop it, or set DATA_DIR to another folder.`)
    this.name = 'DataDirInUse'
  }
}

/** A connection to the database `postgres`, which always exists. */
export interface Session {
  readonly client: Client
  readonly ended: Promise<void>
  end(): Promise<void>
}

const startSeconds = 300
/** A PostgreSQL that accepts no connection for this long is stopped. Long, because the machine may be busy. */
export const silentSeconds = 60
const retrySeconds = 30
/** Short, because locks are taken and released at once by a PostgreSQL that works. */
export const lockTimeout = { query_timeout: 10_000 }
/** Start errors that pass: another start is faster, or the processes of a killed PostgreSQL are still ending. */
const passing = /still in use|already exists|could not create lock file|is empty/

export async function reach(cluster: EmbeddedCluster, stopping: AbortSignal): Promise<Session> {
  const since = performance.now()
  const elapsedSeconds = () => (performance.now() - since) / 1000
  let launched: Launched | undefined
  let lastError: unknown
  while (elapsedSeconds() < startSeconds) {
    if (stopping.aborted) {
      await launched?.end()
      throw stopping.reason
    }
    const running = await findPostmaster(cluster.folder)
    if (running) {
      const answer = await connect(cluster, running).catch((error: unknown) => error)
      if (!(answer instanceof Error)) return answer as Session
      if (!isOutage(answer)) throw answer
      lastError = answer
      if (isSilent(answer) && elapsedSeconds() > silentSeconds)
        await stopPostmaster(cluster.folder, running.pid, cluster.runner.binaries.pgCtl)
    } else if (!launched) {
      launched = await start(cluster)
    } else if (launched.hasExited()) {
      lastError = new Error(`PostgreSQL did not start: ${await launched.reason()}`)
      // The guard of a killed process may have stopped it before we connected.
      const passes = launched.wasStopped() || passing.test(String(lastError))
      if (!passes || elapsedSeconds() > retrySeconds) throw lastError
      launched = undefined
    }
    await sleep(Math.min(25 + elapsedSeconds() * 50, 250))
  }
  throw new Error(`PostgreSQL in ${cluster.folder} accepted no connection for ${startSeconds} seconds`, {
    cause: lastError,
  })
}

/** False for a PostgreSQL that answers, such as that it is starting, stopping or full. */
export const isSilent = (error: unknown): boolean => !(error instanceof Error && 'severity' in error)

async function start(cluster: EmbeddedCluster): Promise<Launched> {
  const { host, port } = cluster.address
  // A clean-up of temporary files may have removed it.
  if (process.platform !== 'win32') await ensureSocketFolder(cluster.dataDir, cluster.runner)
  await removeStaleLocks(cluster.folder, host)
  const listening: Record<string, string> =
    process.platform === 'win32'
      ? { listen_addresses: host, unix_socket_directories: '' }
      : { listen_addresses: '', unix_socket_directories: `"${host}"`, unix_socket_permissions: '0700' }
  const settings = { ...cluster.settings, ...listening, 'refdesk.start': fingerprint(cluster) }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return launch(cluster.runner, ['-D', cluster.folder, '-p', String(port), ...args], cluster.logFile)
}

/** Identifies a PostgreSQL that was started with these settings and binaries. */
function fingerprint({ folder, address, settings, runner }: EmbeddedCluster): string {
  const { postgres, version } = runner.binaries
  return sha256(JSON.stringify([folder, address, settings, postgres, version]))
    .toString('hex')
    .slice(0, 16)
}

type Login = Readonly<{ password: string; guard: Pick<Guard, 'id'> }>

export async function connect(
  { password, guard }: Login,
  { host, port }: Readonly<{ host: string; port: number }>,
): Promise<Session> {
  const login = { user: 'refdesk', password, database: 'postgres', application_name: guard.id }
  const client = new Client({ host, port, ...login, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  await client.connect()
  return { client, ended, end: () => client.end().catch(() => undefined) }
}

/** Connects and takes the locks of a service. PostgreSQL releases them when the session ends, however the service ends. */
export async function acquireCluster(cluster: EmbeddedCluster, stopping: AbortSignal): Promise<Session> {
  for (let attempt = 1; ; attempt++) {
    const session = await reach(cluster, stopping)
    try {
      if (!(await lockCluster(session))) throw new DataDirInUse(cluster.dataDir)
      await joinUsers(session)
      const { rows } = await session.client.query("select current_setting('refdesk.start', true) as start")
      if (rows[0]?.start === fingerprint(cluster)) return session
      const running = await findPostmaster(cluster.folder)
      if (running) await stopPostmaster(cluster.folder, running.pid, cluster.runner.binaries.pgCtl)
      await session.end()
    } catch (error) {
      await session.end()
      if (!isOutage(error) || attempt >= 5) throw error
    }
  }
}

/** Retries for two seconds: a service that was just killed, or a command that is ending, may still hold the lock. */
async function lockCluster({ client }: Session): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [locks.embeddedService])
    if (rows[0]?.taken === true) return true
    await sleep(100)
  }
  return false
}

/** While this is held, no one else stops the cluster. Fails if it is being stopped. */
export async function joinUsers({ client }: Session): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [locks.embeddedUse])
}

/** True if no one else uses the cluster, so the caller must stop it. Releases the caller's own share first, so that of
 *  several users that end at the same moment exactly one is the last. */
export async function endAsLastUser({ client }: Pick<Session, 'client'>): Promise<boolean> {
  await client.query({ text: 'select pg_advisory_unlock_shared($1)', values: [locks.embeddedUse], ...lockTimeout })
  return isUnused({ client })
}

/** True if no one else uses the cluster. Then no one else can begin to, until this session ends. */
export async function isUnused({ client }: Pick<Session, 'client'>): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1) as taken'
  const { rows } = await client.query({ text, values: [locks.embeddedUse], ...lockTimeout })
  return rows[0]?.taken === true
}

export async function createDatabase({ client }: Session): Promise<void> {
  const { rows } = await client.query("select 1 from pg_database where datname = 'refdesk'")
  if (rows.length > 0) return
  await client.query('create database refdesk').catch((error: { code?: string }) => {
    if (error.code !== '42P04') throw error
  })
}
