import { sql } from 'kysely'
import type pg from 'pg'
import { isOutage } from '../core/network/outage.ts'
import { unavailable } from '../core/problem.ts'
import type { ChangeFeed } from './changes.ts'
import { type Db, type OpenDatabase, openDatabase, serversOf } from './open.ts'
import { DatabaseMismatch, requireSameService } from './service.ts'

type Log = { warn(detail: object, message: string): void; error(detail: object, message: string): void }
type ReplicaDependencies = Readonly<{
  config: Readonly<{ databaseReadUrl: string | undefined; environment: string }>
  masterKey: Buffer
  log: Log
}>
type Primary = Readonly<{ db: Db; feed: ChangeFeed }>

const noReplica = 'DATABASE_READ_URL is not a replica of the database of this service. Set it to one, or leave it out.'

const logEveryMilliseconds = 60_000

/** Opens the replica for corporate actions, if one is configured. It may be down at the start, and after a failover its
 *  address may lead to any database, so every new connection is checked: a wrong database prevents the start, and causes
 *  503 later. */
export async function openReplica(
  { config, masterKey, log }: ReplicaDependencies,
  primary: Primary,
): Promise<OpenDatabase | undefined> {
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
      await requireCurrentHistory(client, primary.db)
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
      if (isStarting || isDown(error)) throw error
      if (performance.now() - loggedAt >= logEveryMilliseconds) {
        loggedAt = performance.now()
        log.error({ err: error }, noReplica)
      }
      throw unavailable()
    }
  }

  const target = 'any'
  const replica = openDatabase({ connectionString }, undefined, { connect, target })
  // After a failover, what was a replica may be a server that was left behind: it is checked again.
  primary.feed.onGap(() => serversOf(replica.connection, target).dropOpenedBefore(performance.now()))
  try {
    await replica.db.connection().execute(async () => undefined)
  } catch (error) {
    if (!isDown(error)) {
      await replica.close()
      throw new DatabaseMismatch(noReplica, { cause: error })
    }
    log.warn({ err: error }, 'the replica for corporate actions is down')
  }
  isStarting = false
  return replica
}

/** An outage, unless the server answers that it has no database of this name (3D000). That is one only of the primary, where
 *  a restored database takes the place of another. Here it is probably a misspelled name. */
const isDown = (error: unknown): boolean => isOutage(error) && (error as { code?: unknown }).code !== '3D000'

type History = { is_standby: boolean; system: string; timeline: string | null }

const selectHistory = sql<History>`
  select pg_is_in_recovery() as is_standby, (select system_identifier::text from pg_control_system()) as system,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`

/** A server that was the primary before a failover, and does not follow the new one, has data that the service lost. */
async function requireCurrentHistory(client: pg.PoolClient, db: Db): Promise<void> {
  const text = selectHistory.compile(db).sql
  // Some managed PostgreSQL do not tell.
  const own = await client.query<History>(text).then(({ rows }) => rows[0], unlessOutage)
  if (!own || own.is_standby) return
  const primary = await selectHistory.execute(db).then(({ rows }) => rows[0], unlessOutage)
  if (primary?.system === own.system && (own.timeline ?? '') < (primary.timeline ?? ''))
    throw new DatabaseMismatch('This server was the primary before a failover and does not follow the new one.')
}

function unlessOutage(error: unknown): undefined {
  if (isOutage(error)) throw error
}
