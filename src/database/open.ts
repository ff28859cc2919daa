import { type Driver, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { noteFailedCommit } from '../core/network/outage.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** Where a PostgreSQL is: an address, or the parts of one. */
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

const instantOid = 1184
const int8Oid = 20
const dateOid = 1082

/** Instants arrive as Temporal, identities as numbers, dates as the text they are. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format !== 'binary') {
      if (oid === instantOid) return (text: string) => Temporal.Instant.from(text.replace(' ', 'T'))
      if (oid === int8Oid) return Number
      if (oid === dateOid) return (text: string) => text
    }
    return pg.types.getTypeParser(oid, format)
  },
}

/** Every wait has an end: for a connection, for a statement, for a lock, for a forgotten transaction. */
const bounds: pg.PoolConfig = {
  // As long as for a statement: on a busy machine waiting is better than 503, and the number of calls is limited.
  connectionTimeoutMillis: 10_000,
  statement_timeout: 10_000,
  query_timeout: 12_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
  keepAlive: true,
  // Statements are short: compiling one would take longer than running it.
  options: '-c jit=off',
}

export function clientConfig(connection: Connection): pg.ClientConfig {
  return { application_name: 'refdesk', ...bounds, ...connection, types }
}

/** PostgreSQL, whose commits are known from other statements when they fail: only those leave open what became of them. */
class Dialect extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const commit = driver.commitTransaction.bind(driver)
    const rollback = driver.rollbackTransaction.bind(driver)
    const failed = new WeakMap<object, unknown>()
    driver.commitTransaction = (connection) =>
      commit(connection).catch((error: unknown) => {
        noteFailedCommit(error)
        failed.set(connection, error)
        throw error
      })
    // Kysely rolls back what could not be committed; where the connection is gone, that must not hide the first error.
    driver.rollbackTransaction = (connection) =>
      rollback(connection).catch((error: unknown) => {
        throw failed.get(connection) ?? error
      })
    return driver
  }
}

type Others = Pick<pg.PoolConfig, 'statement_timeout' | 'query_timeout'> & {
  /** Takes a connection from the pool for every use; where not every one will do, it can refuse. */
  lend?: (pool: pg.Pool) => Promise<pg.PoolClient>
}

/** The last are bounds for work that is known to take long, and who looks at connections before they are used. */
export function openDatabase(
  connection: Connection,
  maxConnections = 10,
  { lend, ...longer }: Others = {},
): OpenDatabase {
  const pool = new pg.Pool({ ...clientConfig(connection), ...longer, max: maxConnections, idleTimeoutMillis: 30_000 })
  // A connection that dies is replaced by the next query, whether it was idle (then the pool tells) or in use (then
  // the connection itself does, besides failing its query); without listeners it would end the process.
  pool.on('error', () => {})
  // The same for one that dies while it is in use: its query fails, which is all that anybody needs to know.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const lender = lend && { options: pool.options, connect: () => lend(pool), end: () => pool.end() }
  const db = new Kysely<Tables>({ dialect: new Dialect({ pool: lender ?? pool }) })
  return { db, connection, pool, close: () => db.destroy() }
}
