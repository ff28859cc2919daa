import type pg from 'pg'
import { isOutage } from '../core/network/outage.ts'
import { unavailable } from '../core/problem.ts'
import { type OpenDatabase, openDatabase } from './open.ts'
import { DatabaseMismatch, requireSameService } from './service.ts'

type Log = { warn(detail: object, message: string): void; error(detail: object, message: string): void }
type ReplicaDependencies = Readonly<{
  config: Readonly<{ databaseReadUrl: string | undefined; environment: string }>
  masterKey: Buffer
  log: Log
}>

const noReplica = 'DATABASE_READ_URL is not a replica of the database of this service. Set it to one, or leave it out.'

const logEveryMilliseconds = 60_000

/** Opens the replica for corporate actions, if one is configured. It may be down at the start, and after a failover its
 *  address may lead to any database, so every new connection is checked: a wrong database prevents the start, and causes
 *  503 later. */
export async function openReplica({ config, masterKey, log }: ReplicaDependencies): Promise<OpenDatabase | undefined> {
  const { databaseReadUrl: connectionString, environment } = config
  if (connectionString === undefined) return undefined
  let isStarting = true
  let loggedAt = Number.NEGATIVE_INFINITY
  const checked = new WeakSet<pg.PoolClient>()

  async function connectChecked(pool: pg.Pool): Promise<pg.PoolClient> {
    const client = await pool.connect()
    if (checked.has(client)) return client
    try {
      await requireSameService(client, masterKey, environment)
    } catch (error) {
      client.release(true)
      throw error
    }
    checked.add(client)
    return client
  }

  async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
    try {
      return await connectChecked(pool)
    } catch (error) {
      if (isStarting || isOutage(error)) throw error
      if (performance.now() - loggedAt >= logEveryMilliseconds) {
        loggedAt = performance.now()
        log.error({ err: error }, noReplica)
      }
      throw unavailable()
    }
  }

  const replica = openDatabase({ connectionString }, undefined, { connect })
  try {
    await replica.db.connection().execute(async () => undefined)
  } catch (error) {
    if (!isOutage(error)) {
      await replica.close()
      throw new DatabaseMismatch(noReplica, { cause: error })
    }
    log.warn({ err: error }, 'the replica for corporate actions is down')
  }
  isStarting = false
  return replica
}
