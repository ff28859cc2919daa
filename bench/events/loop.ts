import pg from 'pg'

/** A separate process that sends queries to PostgreSQL as fast as it answers. */
export type LoopJob = Readonly<{
  connection: pg.ClientConfig
  /** The queries, in turn. */
  statements: unknown[][]
  connections: number
  lanes: number
}>
export type LoopRound = Readonly<{ leadInMs: number; seconds: number }>

let running: ReturnType<typeof prepared> | undefined

process.on('message', async (message: { job?: LoopJob; round?: LoopRound }) => {
  try {
    if (message.job) running = prepared(message.job)
    if (message.round) process.send?.({ rate: await running?.(message.round) })
  } catch (error) {
    process.send?.({ failure: (error as Error).message })
  }
})

function prepared({ connection, statements, connections, lanes }: LoopJob) {
  const pool = new pg.Pool({ ...connection, max: connections })
  const query = pool.query.bind(pool) as (...words: unknown[]) => Promise<pg.QueryResult>
  let next = 0
  return async ({ leadInMs, seconds }: LoopRound): Promise<number> => {
    const start = performance.now() + leadInMs
    const end = start + seconds * 1_000
    let answered = 0
    let last = start
    const runLane = async () => {
      while (performance.now() < end) {
        next = (next + 1) % statements.length
        const { rows } = await query(...(statements[next] ?? []))
        if (rows.length === 0) throw new Error('A list without a row.')
        last = performance.now()
        if (last >= start) answered++
      }
    }
    await Promise.all(Array.from({ length: lanes }, runLane))
    return answered / ((last - start) / 1_000)
  }
}
