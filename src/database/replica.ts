import type pg from 'pg'
import { isOutage } from '../core/network/outage.ts'
import { unavailable } from '../core/problem.ts'
import { type OpenDatabase, openDatabase } from './open.ts'
import { DatabaseMismatch, requireSameService } from './service.ts'

type Log = { warn(detail: object, message: string): void; error(detail: object, message: string): void }
type Parts = Readonly<{
  config: Readonly<{ databaseReadUrl: string | undefined; environment: string }>
  masterKey: Buffer
  log: Log
}>

const noReplica = 'DATABASE_READ_URL is no replica of the database of this service. Give the address of one, or none.'

/** Whoever looks into the log sees it, however many requests are refused meanwhile. */
const saidEveryMilliseconds = 60_000

/**
 * The replica that corporate actions are read from, where there is one. That it is away is no reason not to start; what
 * answers at its address later, or after a failover, may be any database. So every new connection is looked at before it
 * is used: what is no replica is refused at the start, and answers 503 after that.
 */
export async function openReplica({ config, masterKey, log }: Parts): Promise<OpenDatabase | undefined> {
  const { databaseReadUrl: connectionString, environment } = config
  if (connectionString === undefined) return undefined
  let isStarting = true
  let saidAt = Number.NEGATIVE_INFINITY
  const seen = new WeakSet<pg.PoolClient>()

  async function lendSeen(pool: pg.Pool): Promise<pg.PoolClient> {
    const client = await pool.connect()
    if (seen.has(client)) return client
    try {
      await requireSameService(client, masterKey, environment)
    } catch (error) {
      client.release(true)
      throw error
    }
    seen.add(client)
    return client
  }

  async function lend(pool: pg.Pool): Promise<pg.PoolClient> {
    try {
      return await lendSeen(pool)
    } catch (error) {
      if (isStarting || isOutage(error)) throw error
      if (performance.now() - saidAt >= saidEveryMilliseconds) {
        saidAt = performance.now()
        log.error({ err: error }, noReplica)
      }
      throw unavailable()
    }
  }

  const replica = openDatabase({ connectionString }, undefined, { lend })
  try {
    await replica.db.connection().execute(async () => undefined)
  } catch (error) {
    if (!isOutage(error)) {
      await replica.close()
      throw new DatabaseMismatch(noReplica, { cause: error })
    }
    log.warn({ err: error }, 'the replica for corporate actions is away')
  }
  isStarting = false
  return replica
}
