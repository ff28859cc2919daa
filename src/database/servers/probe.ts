import pg from 'pg'
import type { ServerState } from './url.ts'

/** How long one server may take, so that one that is gone does not delay the search for another. */
export const probeMs = 3_000

/** What PostgreSQL says of a session. */
export type SessionState = Readonly<{
  state: string | null
  /** Whether PostgreSQL waits for more from the client. */
  isReading: boolean
  /** The bytes of a COPY that have arrived. */
  copied: number | null
}>

export type Probed = ServerState &
  Readonly<{
    /** By process id; undefined behind a pooler, which has ids of its own. */
    sessions: ReadonlyMap<number, SessionState> | undefined
  }>

const stateOf = `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "isWritable"`
const sessionsOf = `select pid, state, coalesce(wait_event = 'ClientRead', false) as "isReading",
  bytes_processed::float as copied, pg_backend_pid() as own
  from pg_stat_activity left join pg_stat_progress_copy using (pid) where pid = any($1)`

/** Asks a server, over a connection of its own, for its state and for what it knows of some sessions. */
export async function probe(config: pg.ClientConfig, pids: readonly number[]): Promise<Probed> {
  const bounds = { connectionTimeoutMillis: probeMs, query_timeout: probeMs, statement_timeout: probeMs }
  const client = new pg.Client({ ...config, ...bounds })
  client.on('error', () => {})
  try {
    await client.connect()
    const isWritable = await isServerWritable(client)
    const timeline = isWritable ? await readTimeline(client) : 0
    return { isWritable, timeline, sessions: await readSessions(client, pids) }
  } finally {
    void client.end().catch(() => {})
  }
}

export async function isServerWritable(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isWritable: boolean }>(stateOf)
  return rows[0]?.isWritable === true
}

/** The first eight digits of a log file's name. Some managed PostgreSQL do not tell: then every timeline is the same. */
async function readTimeline(client: pg.ClientBase): Promise<number> {
  const asked = client.query<{ file: string }>('select pg_walfile_name(pg_current_wal_lsn()) as file')
  return asked.then(
    ({ rows }) => Number.parseInt(rows[0]?.file.slice(0, 8) ?? '0', 16),
    () => 0,
  )
}

async function readSessions(client: pg.Client, pids: readonly number[]): Promise<Probed['sessions']> {
  if (pids.length === 0) return undefined
  const { processID } = client as unknown as { processID: number }
  type Row = SessionState & { pid: number; own: number }
  const { rows } = await client.query<Row>(sessionsOf, [[processID, ...pids]])
  if (!rows.some(({ pid, own }) => pid === processID && own === processID)) return undefined
  return new Map(rows.map((row) => [row.pid, row]))
}
