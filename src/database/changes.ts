import { sql } from 'kysely'
import type pg from 'pg'
import { singleFlight } from '../core/async/single-flight.ts'
import { type Connection, type Db, newClient, serversOf } from './open.ts'
import { prepared } from './prepared.ts'

type Handler = (key: string) => void | Promise<void>
type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }

const pollMs = 1_000
/** Changes are kept for an hour. A node that was cut off for half of that reloads everything. */
const gapMs = 30 * 60 * 1_000

/**
 * Delivers changes to every node: immediately by notification, and by a poll every second in case a notification is lost.
 * Sign-ins are not notified, because they are frequent and can wait for the poll.
 * Each poll reads from the oldest transaction that was still running at the previous one, so late commits are not missed.
 */
export class ChangeFeed {
  readonly #db: Db
  readonly #connection: Connection
  readonly #log: Log
  readonly #handlers = new Map<string, Handler[]>()
  readonly #gapHandlers: (() => void | Promise<void>)[] = []
  /** The server and the tables that were read last. */
  #source = ''
  #horizon = 0n
  #seen = new Set<number>()
  #lastReadAt = Number.NEGATIVE_INFINITY
  #readAtDatabaseMs = 0
  #listener: pg.Client | undefined
  readonly #pollNext = singleFlight(() => this.#pollOnce())
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #away = false

  constructor(db: Db, connection: Connection, log: Log) {
    this.#db = db
    this.#connection = connection
    this.#log = log
  }

  on(topic: string, handler: Handler): void {
    this.#handlers.set(topic, [...(this.#handlers.get(topic) ?? []), handler])
  }

  /** Called if changes may have been missed, and after the restore of a snapshot (the topic `everything`): the handler must
   *  reload everything. */
  onGap(handler: () => void | Promise<void>): void {
    this.#gapHandlers.push(handler)
  }

  /** No change is missed from here on, so load state after this. */
  async start(): Promise<void> {
    const { horizon, databaseMs, source } = await this.#read(undefined)
    this.#source = source
    this.#horizon = horizon
    this.#lastReadAt = performance.now()
    this.#readAtDatabaseMs = databaseMs
    await this.#listen().catch(() => {})
    this.#timer = setInterval(() => void this.poll(), pollMs)
  }

  /** Whether this node has read changes within so many seconds. If not, it may have missed a revocation. */
  isCurrentWithin(seconds: number): boolean {
    return performance.now() - this.#lastReadAt <= seconds * 1_000
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#pollNext()
    await this.#listener?.end().catch(() => {})
  }

  /** Reads new changes. Resolves after a read that began after this call, so it includes what the caller has committed. */
  poll(): Promise<void> {
    return this.#stopped ? Promise.resolve() : this.#pollNext()
  }

  /** Handles a change that this node has committed, without waiting for a poll. */
  async deliver(topic: string, key: string): Promise<void> {
    if (topic === 'everything') for (const handler of this.#gapHandlers) await handler()
    for (const handler of this.#handlers.get(topic) ?? []) await handler(key)
  }

  async #pollOnce(): Promise<void> {
    if (this.#stopped) return
    const startedAt = performance.now()
    try {
      const { horizon, rows, databaseMs, source } = await this.#read(this.#horizon)
      const isOther = source !== this.#source
      if (isOther) this.#leave(source)
      // By the database's clock: ours stands still while the machine sleeps.
      const missed = isOther || horizon < this.#horizon || databaseMs - this.#readAtDatabaseMs > gapMs
      const fresh = rows.filter((row) => !this.#seen.has(row.change_id))
      if (missed) for (const handler of this.#gapHandlers) await handler()
      else for (const row of fresh) await this.deliver(row.topic, row.key)
      this.#source = source
      this.#horizon = horizon
      this.#seen = new Set(rows.map((row) => row.change_id))
      this.#lastReadAt = startedAt
      this.#readAtDatabaseMs = databaseMs
      if (this.#away) this.#log.info({}, 'database back')
      this.#away = false
      if (!this.#listener && !this.#stopped) await this.#listen().catch(() => {})
    } catch (error) {
      if (!this.#away && !this.#stopped) this.#log.warn({ reason: (error as Error).message }, 'database away')
      this.#away = true
    }
  }

  async #read(since: bigint | undefined) {
    const read = await readChanges(this.#db, since)
    if (!read.isStandby) return read
    const servers = serversOf(this.#connection)
    servers.dropOpenedBefore(performance.now())
    servers.suspect()
    throw new Error('the server is a standby: another one is the primary, or will be')
  }

  /** After a restart, a failover or a restore, the database may have lost what this node has read: everything is read
   *  again. Connections from before may still lead to another server. */
  #leave(source: string): void {
    const serverOf = (text: string) => text.split(' ')[0]
    if (serverOf(source) !== serverOf(this.#source)) serversOf(this.#connection).dropOpenedBefore(this.#lastReadAt)
    this.#log.info({}, 'the database was restarted or replaced; reading everything again')
  }

  async #listen(): Promise<void> {
    const client = newClient(this.#connection, { statement_timeout: 0, query_timeout: 5_000 })
    const lost = () => {
      if (this.#listener === client) this.#listener = undefined
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', () => void this.poll())
    try {
      await client.connect()
      await client.query('listen refdesk_change')
      this.#listener = client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }
}

type Change = { change_id: number; topic: string; key: string }

type ReadChanges = {
  horizon: string
  database_ms: number
  is_standby: boolean
  source: string
  changes: Change[] | null
}

/** One statement, so that the rows and the horizon are from the same snapshot. The source differs after a restart, after a
 *  failover, and in tables that were restored. */
const selectChanges = prepared(
  (_db, { since }: { since: string }) => sql<ReadChanges>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms,
      pg_is_in_recovery() as is_standby,
      concat_ws(' ', extract(epoch from pg_postmaster_start_time()), (select oid from pg_database
        where datname = current_database()), pg_relation_filenode('change')) as source,
      (select json_agg(json_build_object('change_id', change_id, 'topic', topic, 'key', key) order by change_id)
       from change where transaction_id >= ${since}::xid8) as changes`,
)

async function readChanges(db: Db, horizon: bigint | undefined) {
  const [row] = await selectChanges(db, { since: String(horizon ?? 9223372036854775807n) })
  if (!row) throw new Error('The database did not answer.')
  return {
    horizon: BigInt(row.horizon),
    databaseMs: row.database_ms,
    isStandby: row.is_standby,
    source: row.source,
    rows: row.changes ?? [],
  }
}

/** Adds changes in the caller's transaction. All nodes receive them when it commits. */
export async function announce(db: Db, changes: { topic: string; key: string }[]): Promise<void> {
  if (changes.length > 0) await db.insertInto('change').values(changes).execute()
}
