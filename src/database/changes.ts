import { sql } from 'kysely'
import pg from 'pg'
import { singleFlight } from '../core/async/single-flight.ts'
import { type Connection, clientConfig, type Db } from './open.ts'
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
  #horizon = '0'
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

  /** Called if changes may have been missed: the handler must reload everything. */
  onGap(handler: () => void | Promise<void>): void {
    this.#gapHandlers.push(handler)
  }

  /** No change is missed from here on, so load state after this. */
  async start(): Promise<void> {
    const { horizon, databaseMs } = await readChanges(this.#db, undefined)
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
    for (const handler of this.#handlers.get(topic) ?? []) await handler(key)
  }

  async #pollOnce(): Promise<void> {
    if (this.#stopped) return
    const startedAt = performance.now()
    try {
      const { horizon, rows, databaseMs } = await readChanges(this.#db, this.#horizon)
      // By the database's clock: ours stands still while the machine sleeps.
      const missed = databaseMs - this.#readAtDatabaseMs > gapMs
      const fresh = rows.filter((row) => !this.#seen.has(row.change_id))
      if (missed) for (const handler of this.#gapHandlers) await handler()
      else for (const row of fresh) await this.deliver(row.topic, row.key)
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

  async #listen(): Promise<void> {
    const client = new pg.Client({ ...clientConfig(this.#connection), statement_timeout: 0, query_timeout: 5_000 })
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

type ReadChanges = { horizon: string; database_ms: number; changes: Change[] | null }

/** One statement, so that the rows and the horizon are from the same snapshot. */
const selectChanges = prepared(
  (_db, { since }: { since: string }) => sql<ReadChanges>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms,
      (select json_agg(json_build_object('change_id', change_id, 'topic', topic, 'key', key) order by change_id)
       from change where transaction_id >= ${since}::xid8) as changes`,
)

async function readChanges(db: Db, horizon: string | undefined) {
  const [row] = await selectChanges(db, { since: horizon ?? '9223372036854775807' })
  if (!row) throw new Error('The database did not answer.')
  return { horizon: row.horizon, databaseMs: row.database_ms, rows: row.changes ?? [] }
}

/** Adds changes in the caller's transaction. All nodes receive them when it commits. */
export async function announce(db: Db, changes: { topic: string; key: string }[]): Promise<void> {
  if (changes.length > 0) await db.insertInto('change').values(changes).execute()
}
