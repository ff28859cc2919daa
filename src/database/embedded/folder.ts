import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { sha256 } from '../../core/crypto/keys.ts'
import { isOutage } from '../../core/network/outage.ts'
import { ensureSocketFolder } from './cluster.ts'
import { findPostmaster, removeStaleLocks } from './postmaster.ts'
import { type Launched, launch, stopPostmaster } from './process.ts'
import type { Runner } from './runner.ts'

/** All that is known of one cluster before it runs. */
export interface Place {
  readonly dataDir: string
  readonly runner: Runner
  readonly cluster: string
  readonly address: { readonly host: string; readonly port: number }
  readonly password: string
  readonly settings: Record<string, string>
  readonly logFile: string
  readonly locks: { readonly service: number; readonly command: number }
}

export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`The data folder ${dataDir} is in use by another refdesk: stop that one, or set DATA_DIR to another folder.`)
    this.name = 'DataDirInUse'
  }
}

/** A connection to the cluster's own database, which is always there. */
export interface Session {
  readonly client: Client
  /** Resolves when the connection is gone, whoever ended it. */
  readonly ended: Promise<void>
  end(): Promise<void>
}

const startSeconds = 120
const silentSeconds = 10
/** Refusals to start that pass: another start is quicker, or a killed PostgreSQL's processes are still ending. */
const passing = /still in use|already exists|could not create lock file|is empty/

/** Finds the running cluster or starts it; resolves when it answers. */
export async function reach(place: Place, stopping: AbortSignal): Promise<Session> {
  const since = performance.now()
  const secondsGone = () => (performance.now() - since) / 1000
  let launched: Launched | undefined
  let lastWord: unknown
  while (secondsGone() < startSeconds) {
    if (stopping.aborted) {
      await launched?.end()
      throw stopping.reason
    }
    const running = await findPostmaster(place.cluster)
    if (running) {
      const answer = await connect(place, running).catch((error: unknown) => error)
      if (!(answer instanceof Error)) return answer as Session
      if (!isOutage(answer)) throw answer
      lastWord = answer
      const isSilent = !/^57P/.test(String((answer as { code?: string }).code))
      if (isSilent && secondsGone() > silentSeconds) await stopPostmaster(place.runner, place.cluster, running.pid)
    } else if (!launched) {
      launched = await start(place)
    } else if (launched.hasExited()) {
      lastWord = new Error(`PostgreSQL did not start: ${await launched.said()}`)
      if (!passing.test(String(lastWord)) || secondsGone() > silentSeconds) throw lastWord
      launched = undefined
    }
    await sleep(Math.min(25 + secondsGone() * 50, 250))
  }
  throw new Error(`PostgreSQL in ${place.cluster} did not answer in ${startSeconds} seconds`, { cause: lastWord })
}

async function start(place: Place): Promise<Launched> {
  const { host, port } = place.address
  // Whoever keeps the temporary folder clean may have taken ours away.
  if (process.platform !== 'win32') await ensureSocketFolder(place.dataDir, place.runner)
  await removeStaleLocks(place.cluster, host)
  const listening: Record<string, string> =
    process.platform === 'win32'
      ? { listen_addresses: host, unix_socket_directories: '' }
      : { listen_addresses: '', unix_socket_directories: `"${host}"`, unix_socket_permissions: '0700' }
  const settings = { ...place.settings, ...listening, 'refdesk.start': fingerprint(place) }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return launch(place.runner, ['-D', place.cluster, '-p', String(port), ...args], place.logFile)
}

/** Tells a PostgreSQL started as we would start it from one started otherwise. */
function fingerprint({ cluster, address, settings, runner }: Place): string {
  return sha256(JSON.stringify([cluster, address, settings, runner.binaries.postgres, runner.binaries.version]))
    .toString('hex')
    .slice(0, 16)
}

async function connect(place: Place, { host, port }: { host: string; port: number }): Promise<Session> {
  const { password } = place
  const client = new Client({
    host,
    port,
    user: 'refdesk',
    password,
    database: 'postgres',
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  await client.connect()
  return { client, ended, end: () => client.end().catch(() => undefined) }
}

/** Reaches the cluster and takes its lock. The lock is a session's: it goes when the service goes, however that ends. */
export async function takePlace(place: Place, stopping: AbortSignal): Promise<Session> {
  for (let attempt = 1; ; attempt++) {
    const session = await reach(place, stopping)
    try {
      if (!(await lock(place, session))) throw new DataDirInUse(place.dataDir)
      const { rows } = await session.client.query("select current_setting('refdesk.start', true) as start")
      if (rows[0]?.start === fingerprint(place)) return session
      const running = await findPostmaster(place.cluster)
      if (running) await stopPostmaster(place.runner, place.cluster, running.pid)
      await session.end()
    } catch (error) {
      await session.end()
      if (!isOutage(error) || attempt >= 5) throw error
    }
  }
}

/** Patient for half a second: a service that was just killed, or a command that is just ending, may still hold it. */
async function lock(place: Place, { client }: Session): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [place.locks.service])
    if (rows[0]?.taken === true) return true
    await sleep(100)
  }
  return false
}

/** True when neither a service nor another command uses the cluster: then it is ours to stop. Our own share is given
 *  back first, so that of commands that end at the same moment exactly the last one finds nobody left. */
export async function endAsLastCommand(place: Place, { client }: Session): Promise<boolean> {
  const { service, command } = place.locks
  const isTaken = async (how: string, lock: number) =>
    (await client.query(`select ${how}($1) as taken`, [lock])).rows[0]?.taken === true
  try {
    await isTaken('pg_advisory_unlock_shared', command)
    return (await isTaken('pg_try_advisory_lock', command)) && (await isTaken('pg_try_advisory_lock', service))
  } catch {
    return false
  }
}

export async function createDatabase({ client }: Session): Promise<void> {
  const { rows } = await client.query("select 1 from pg_database where datname = 'refdesk'")
  if (rows.length > 0) return
  await client.query('create database refdesk').catch((error: { code?: string }) => {
    if (error.code !== '42P04') throw error
  })
}
