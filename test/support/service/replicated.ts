import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from '../../../src/database/embedded/binaries.ts'
import { ensureCluster } from '../../../src/database/embedded/cluster.ts'
import { isAlive } from '../../../src/database/embedded/postmaster.ts'
import { chooseRunner, type Runner } from '../../../src/database/embedded/runner.ts'
import { noteSecret } from '../runner/log-check.ts'
import { copyCluster } from './base-backup.ts'
import { childrenOf, freePort } from './system.ts'

/** One PostgreSQL of a pair. The roles move with `promote`; the port of a server never changes. */
export interface PostgresServer {
  readonly name: 'a' | 'b'
  readonly host: string
  readonly port: number
  /** PostgreSQL's folder. */
  readonly folder: string
  readonly runner: Runner
}

type Address = Readonly<{ host: string; port: number }>

const login = { user: 'refdesk', password: 'replicated-test', database: 'refdesk' }

const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '32MB',
  timezone: 'UTC',
  wal_keep_size: '512MB',
  wal_receiver_timeout: '5s',
  wal_sender_timeout: '5s',
  wal_retrieve_retry_interval: '200ms',
  // Every fault here is one of processes, so nothing needs to reach the disk.
  fsync: 'off',
}

/** A primary with a streaming replica, from the bundled binaries, on ports of 127.0.0.1. */
export async function startReplicated(options: { folder: string; synchronous?: boolean }): Promise<Replicated> {
  noteSecret('password of the replicated database', login.password)
  const binaries = await findBinaries()
  const server = async (name: 'a' | 'b'): Promise<PostgresServer> => {
    const home = join(options.folder, name)
    await mkdir(home, { recursive: true, mode: 0o700 })
    const runner = await chooseRunner(home, binaries)
    return { name, host: '127.0.0.1', port: await freePort(), folder: join(runner.home, 'postgres'), runner }
  }
  const [primary, replica] = [await server('a'), await server('b')]
  await ensureCluster(primary.runner, login.password, false)
  const replicated = new Replicated(primary, replica, options.synchronous ?? false)
  try {
    await replicated.start(primary)
    await replicated.query(primary, 'create database refdesk', 'postgres')
    await replicated.rebuild()
  } catch (error) {
    await replicated.stop()
    throw error
  }
  return replicated
}

export class Replicated {
  #primary: PostgresServer
  #replica: PostgresServer
  #isSynchronous: boolean
  /** By the server's name. Its file is no help: the folder may be removed before the server is stopped. */
  readonly #postmasters = new Map<string, number>()

  constructor(primary: PostgresServer, replica: PostgresServer, isSynchronous: boolean) {
    this.#primary = primary
    this.#replica = replica
    this.#isSynchronous = isSynchronous
  }

  get primary(): PostgresServer {
    return this.#primary
  }

  get replica(): PostgresServer {
    return this.#replica
  }

  /** DATABASE_URL of these addresses, in this order: servers, or proxies in front of them. */
  urlOf(addresses: readonly Address[], query = 'target_session_attrs=read-write'): string {
    const hosts = addresses.map(({ host, port }) => `${host}:${port}`).join(',')
    return `postgres://${login.user}:${login.password}@${hosts}/${login.database}${query === '' ? '' : `?${query}`}`
  }

  /** Whether its postmaster runs: it may be recovering from a crash and accept no connections yet. */
  async isRunning(server: PostgresServer): Promise<boolean> {
    const postmaster = this.#postmasters.get(server.name)
    return postmaster !== undefined && someRuns([postmaster])
  }

  /** Starts a server that is down, in the role that its folder has. Resolves when it accepts connections. */
  async start(server: PostgresServer): Promise<void> {
    const args = Object.entries({ ...settings, port: String(server.port) }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const log = await open(join(server.runner.home, 'postgres.log'), 'a', 0o600)
    const child = server.runner.spawn(
      server.runner.binaries.postgres,
      ['-D', server.folder, ...args],
      ['ignore', log.fd, log.fd],
    )
    await log.close()
    if (child.pid !== undefined) this.#postmasters.set(server.name, child.pid)
    let hasExited = false
    child
      .on('error', () => (hasExited = true))
      .on('exit', () => (hasExited = true))
      .unref()
    await until(async () => {
      if (hasExited) throw new Error(`PostgreSQL did not start: see ${server.runner.home}/postgres.log`)
      return this.query(server, 'select 1', 'postgres').then(
        () => true,
        () => false,
      )
    })
  }

  /** Sends the signal to every process of the server. After SIGKILL, resolves when all have ended. */
  async kill(server: PostgresServer, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const postmaster = this.#postmasters.get(server.name)
    if (postmaster === undefined || !(await this.isRunning(server))) return
    // A stopped postmaster starts no further processes.
    if (signal !== 'SIGCONT') process.kill(postmaster, 'SIGSTOP')
    const pids = [...(await childrenOf(postmaster)), postmaster]
    for (const pid of pids) sendTo(pid, signal)
    if (signal === 'SIGKILL') await until(async () => !(await someRuns(pids)))
  }

  /** Makes the replica the primary, as a failover does. The old primary is not touched: kill or stop it before. Resolves
   *  when the new primary accepts writes. */
  async promote(): Promise<void> {
    const [old, next] = [this.#primary, this.#replica]
    await this.#waitForReplica(next, false)
    await this.query(next, 'select pg_promote(true, 60)')
    await until(() => this.query(next, 'select pg_is_in_recovery() as standby').then(([row]) => row?.standby === false))
    this.#primary = next
    this.#replica = old
  }

  /** Replaces whatever the other server has by a copy of the primary, which it then follows. Writes wait for it from then
   *  on if the pair is synchronous. */
  async rebuild(): Promise<void> {
    const { primary, replica } = this
    await this.kill(replica, 'SIGKILL')
    await this.#waitForReplica(primary, false)
    await copyCluster(primary, replica, login)
    await this.start(replica)
    await until(
      async () => (await this.query(primary, "select 1 from pg_stat_replication where state = 'streaming'")).length > 0,
    )
    if (this.#isSynchronous) await this.#waitForReplica(primary, true)
  }

  /** Whether commits wait for the replica, now and after a rebuild. */
  async synchronize(isSynchronous: boolean): Promise<void> {
    this.#isSynchronous = isSynchronous
    await this.#waitForReplica(this.#primary, isSynchronous)
  }

  /** The replica receives nothing any more: promoted, it lacks what was written since. */
  async detachReplica(): Promise<void> {
    await this.query(this.#replica, "alter system set primary_conninfo = ''")
    await this.query(this.#replica, 'select pg_reload_conf()')
    await until(async () => (await this.query(this.#primary, 'select 1 from pg_stat_replication')).length === 0)
  }

  /** How far the replica is behind, in bytes that it has not replayed. */
  async lagBytes(): Promise<number> {
    const lag = 'select pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as lag from pg_stat_replication'
    const [row] = await this.query(this.primary, lag)
    return typeof row?.lag === 'number' ? row.lag : Number.POSITIVE_INFINITY
  }

  async query(
    { host, port }: Address,
    text: string,
    database: string = login.database,
  ): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ host, port, ...login, database, connectionTimeoutMillis: 10_000 })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  /** Ends both servers, frozen or not. Their folders stay. */
  async stop(): Promise<void> {
    await Promise.all([this.kill(this.#primary, 'SIGKILL'), this.kill(this.#replica, 'SIGKILL')])
  }

  /** Whether commits wait for a replica. A new primary must not wait before it has one. */
  async #waitForReplica(server: PostgresServer, waits: boolean): Promise<void> {
    await this.query(server, `alter system set synchronous_standby_names = '${waits ? '*' : ''}'`)
    await this.query(server, 'select pg_reload_conf()')
    if (!waits) return
    await until(
      async () => (await this.query(server, "select 1 from pg_stat_replication where sync_state = 'sync'")).length > 0,
    )
  }
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A process that has ended but was not collected yet has an id and no command line. */
async function someRuns(pids: readonly number[]): Promise<boolean> {
  const alive = pids.filter(isAlive)
  if (process.platform !== 'linux') return alive.length > 0
  const lines = await Promise.all(alive.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.some((line) => line !== '')
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    if (await isSo()) return
    await sleep(20)
  }
  throw new Error('the PostgreSQL pair did not reach the expected state')
}
