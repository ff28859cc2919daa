import { type DatabaseConnection, type Driver, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { noteFailedCommit } from '../core/network/outage.ts'
import { ServerClient, type ServerClientConfig } from './servers/client.ts'
import { Servers } from './servers/servers.ts'
import type { Target } from './servers/url.ts'
import type { Tables } from './tables/tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'application_name'
>

export interface OpenDatabase {
  readonly db: Db
  readonly connection: Connection
  readonly pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>
  close(): Promise<void>
}

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format !== 'binary') {
      const { TIMESTAMPTZ, INT8, DATE } = pg.types.builtins
      if (oid === TIMESTAMPTZ) return (text: string) => Temporal.Instant.from(text.replace(' ', 'T'))
      if (oid === INT8) return Number
      if (oid === DATE) return (text: string) => text
    }
    return pg.types.getTypeParser(oid, format)
  },
}

/** Statements are short: compiling one would take longer than running it. */
export const serverOptions = '-c jit=off'

const bounds: pg.PoolConfig = {
  // As long as for a statement: on a busy machine waiting is better than 503, and the number of calls is limited.
  connectionTimeoutMillis: 10_000,
  statement_timeout: 10_000,
  query_timeout: 12_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
  keepAlive: true,
  options: serverOptions,
}

const known = new Map<string, Servers>()

/** One for all connections of a thread to one URL, so that all of them move together. */
export function serversOf(connection: Connection, target: Target = 'read-write'): Servers {
  const { host, port, database, connectionString } = connection
  return known.getOrInsertComputed(
    JSON.stringify([connectionString, host, port, database, target]),
    () => new Servers({ application_name: 'refdesk check', ...bounds, ...connection }, target),
  )
}

/** A connection of its own, outside the pool. */
export function newClient(connection: Connection, bounds: pg.ClientConfig = {}): pg.Client {
  return new ServerClient({ ...clientConfig(connection), ...bounds })
}

/** The target counts if the URL names none. */
function clientConfig(connection: Connection, target?: Target): ServerClientConfig {
  const servers = serversOf(connection, target)
  const url = servers.anyUrl
  const address = url === undefined ? connection : { ...connection, connectionString: url }
  return { application_name: 'refdesk', ...bounds, ...address, types, servers }
}

/** Marks errors of commits, and of single statements that write, which PostgreSQL commits by itself: only after those it
 *  is unknown whether the change was made. */
class Dialect extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    const begin = driver.beginTransaction.bind(driver)
    const commit = driver.commitTransaction.bind(driver)
    const rollback = driver.rollbackTransaction.bind(driver)
    const watched = new WeakSet<DatabaseConnection>()
    const inTransaction = new WeakSet<DatabaseConnection>()
    const failed = new WeakMap<object, unknown>()
    const watch = (connection: DatabaseConnection): void => {
      watched.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query, options) =>
        execute<never>(query, options).catch((error: unknown) => {
          if (!inTransaction.has(connection) && writes.test(query.sql)) noteFailedCommit(error)
          throw error
        })
    }
    driver.acquireConnection = async (options) => {
      const connection = await acquire(options)
      if (!watched.has(connection)) watch(connection)
      return connection
    }
    driver.beginTransaction = (connection, settings) => {
      inTransaction.add(connection)
      failed.delete(connection)
      return begin(connection, settings)
    }
    driver.commitTransaction = (connection) =>
      commit(connection).then(
        () => void inTransaction.delete(connection),
        (error: unknown) => {
          noteFailedCommit(error)
          failed.set(connection, error)
          throw error
        },
      )
    // Kysely rolls back after a failed commit. On a lost connection that fails too and must not hide the first error.
    driver.rollbackTransaction = (connection) =>
      rollback(connection).then(
        () => void inTransaction.delete(connection),
        (error: unknown) => {
          throw failed.get(connection) ?? error
        },
      )
    return driver
  }
}

const writes = /\b(insert into|update|delete from|merge into)\b/i

/** For work in one long transaction: builds of the catalogue, the demo data. On a busy machine it pauses for long. */
export const patientTimeouts = {
  statement_timeout: 120_000,
  query_timeout: 125_000,
  idle_in_transaction_session_timeout: 120_000,
}

type Timeouts = 'statement_timeout' | 'query_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout'
type Options = Pick<pg.PoolConfig, Timeouts> & {
  target?: Target
  /** Takes a connection from the pool for every use, and can reject it. */
  connect?: (pool: pg.Pool) => Promise<pg.PoolClient>
}

export function openDatabase(
  connection: Connection,
  maxConnections = 10,
  { connect, target, ...timeouts }: Options = {},
): OpenDatabase {
  const pool = new pg.Pool({
    ...clientConfig(connection, target),
    ...timeouts,
    max: maxConnections,
    idleTimeoutMillis: 30_000,
    Client: ServerClient as unknown as new () => pg.ClientBase,
  })
  // Without a listener, a lost connection would end the process. The pool replaces it, and a running query fails anyway.
  pool.on('error', () => {})
  const checkedPool = connect && { options: pool.options, connect: () => connect(pool), end: () => pool.end() }
  const db = new Kysely<Tables>({ dialect: new Dialect({ pool: checkedPool ?? pool }) })
  return { db, connection, pool, close: () => db.destroy() }
}

/** Runs `work` on one snapshot of the database. */
export const inSnapshot = <Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> =>
  db.isTransaction
    ? work(db)
    : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
