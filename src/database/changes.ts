import { sql } from 'kysely'
import pg from 'pg'
import { singleFlight } from '../core/single-flight.ts'
import { type Connection, clientConfig, type Db } from './open.ts'

type Handler = (key: string) => void | Promise<void>
type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }

const pollMs = 1_000
/** Changes are kept an hour; a node that heard nothing for half of that reads everything anew. */
const gapMs = 30 * 60 * 1_000

/**
 * Tells every node what the others changed. A notification wakes it at once and a poll each second finds what a lost
 * notification did not tell. Rows are read by transaction id from the oldest transaction that was still running at
 * the poll before, so that one which commits late is not passed over.
 */
export class ChangeFeed {
  readonly #db: Db
  readonly #connection: Connection
  readonly #log: Log
  readonly #handlers = new Map<string, Handler[]>()
  readonly #gapHandlers: (() => void | Promise<void>)[] = []
  #horizon = '0'
  #seen = new Set<number>()
  #lastHeardAt = Number.NEGATIVE_INFINITY
  #heardAtDatabaseMs = 0
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

  /** Called when so much was missed that single changes no longer tell: read everything anew. */
  onGap(handler: () => void | Promise<void>): void {
    this.#gapHandlers.push(handler)
  }

  /** From here on nothing is missed; load state after this. */
  async start(): Promise<void> {
    const { horizon, databaseMs } = await readChanges(this.#db, undefined)
    this.#horizon = horizon
    this.#lastHeardAt = performance.now()
    this.#heardAtDatabaseMs = databaseMs
    await this.#listen().catch(() => {})
    this.#timer = setInterval(() => void this.poll(), pollMs)
  }

  /** Whether this node has heard from the database within so many seconds: if not, it cannot know of a revocation. */
  isCurrentWithin(seconds: number): boolean {
    return performance.now() - this.#lastHeardAt <= seconds * 1_000
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#pollNext()
    await this.#listener?.end().catch(() => {})
  }

  /** Reads what is new. Resolves after a round that began no earlier than this call, so that whoever has just
   *  committed a change knows that this node has heard of it. */
  poll(): Promise<void> {
    return this.#stopped ? Promise.resolve() : this.#pollNext()
  }

  async #pollOnce(): Promise<void> {
    if (this.#stopped) return
    const startedAt = performance.now()
    try {
      const { horizon, rows, databaseMs } = await readChanges(this.#db, this.#horizon)
      // By the database's clock: ours may have stood still with the machine.
      const missed = databaseMs - this.#heardAtDatabaseMs > gapMs
      const fresh = rows.filter((row) => !this.#seen.has(row.change_id))
      if (missed) for (const handler of this.#gapHandlers) await handler()
      else for (const row of fresh) for (const handler of this.#handlers.get(row.topic) ?? []) await handler(row.key)
      this.#horizon = horizon
      this.#seen = new Set(rows.map((row) => row.change_id))
      this.#lastHeardAt = startedAt
      this.#heardAtDatabaseMs = databaseMs
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

async function readChanges(db: Db, horizon: string | undefined) {
  // One statement, so one snapshot: the rows and the horizon belong together.
  const { rows } = await sql<{ horizon: string; database_ms: number; changes: Change[] | null }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms,
      (select json_agg(json_build_object('change_id', change_id, 'topic', topic, 'key', key) order by change_id)
       from change where transaction_id >= ${horizon ?? '9223372036854775807'}::xid8) as changes`.execute(db)
  const row = rows[0]
  if (!row) throw new Error('The database did not answer.')
  return { horizon: row.horizon, databaseMs: row.database_ms, rows: row.changes ?? [] }
}

type NewChange = { topic: string; key: string }

/** Raises changes within the caller's transaction; other nodes hear of them when it commits. */
export async function announce(db: Db, changes: NewChange[]): Promise<void> {
  if (changes.length > 0) await db.insertInto('change').values(changes).execute()
}
