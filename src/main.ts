import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import { hasClients } from './access/store/import.ts'
import { issueDemoToken } from './auth/grants/demo-token.ts'
import { explain } from './cli/explain.ts'
import { emptyNote, startMessage } from './cli/start-message.ts'
import type { Config } from './config.ts'
import { systemClock } from './core/clock.ts'
import { type EmbeddedDatabase, startEmbedded } from './database/embedded/embedded.ts'
import { migrate } from './database/migrate.ts'
import { type Connection, type Db, openDatabase } from './database/open.ts'
import { claimDatabase, writePublicUrl } from './database/service.ts'
import { readMasterKey } from './master-key.ts'
import { type NodeParts, openService, startNode } from './node.ts'
import { demoApp } from './sim/demo-records.ts'

const drainSeconds = 25

/** A terminal that closed is to the log what a pipe is that nobody reads: there it goes no more, and all else goes on. */
function standardError(): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: false })
  return stream.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EIO') error.code = 'EPIPE'
  })
}

/** The log goes to standard error; standard output has the start message and nothing else. */
export function makeLog(config: Config, destination: DestinationStream = standardError()): Logger {
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

/** refdesk serve: configuration → database → service → listen; drains on SIGTERM. */
export async function serve(config: Config): Promise<void> {
  if (cluster.isWorker) return serveAsWorker(config)
  // From the first moment on: who is told to stop while starting finishes and closes as well as later.
  const toldToStop = untilToldToStop()
  const log = makeLog(config)
  const embedded = config.databaseUrl ? undefined : await startEmbeddedFor(config, log)
  try {
    const parts = await prepare(config, connectionOf(config, embedded), log)
    const count = processesOf(config)
    const serving = count === 1 ? await serveHere(parts) : await serveByWorkers(parts, count)
    try {
      const { token, note } = await firstToken(parts)
      process.stdout.write(startMessage(config, token, notesOf(embedded, note)))
      await toldToStop
      log.info({}, 'closing')
    } finally {
      await serving.close()
    }
  } finally {
    await embedded?.stop()
  }
}

const processesOf = ({ workers }: Config): number => (workers === 'auto' ? availableParallelism() : workers)

function startEmbeddedFor(config: Config, log: Logger): Promise<EmbeddedDatabase> {
  const onFatal = (error: Error) => {
    log.fatal({}, error.message)
    process.exit(1)
  }
  // A pool, a listener and the occasional command for every process.
  const settings = { max_connections: String(Math.max(100, 20 + 12 * processesOf(config))) }
  return startEmbedded({ dataDir: config.dataDir, log, settings, onFatal })
}

export function connectionOf(config: Config, embedded: EmbeddedDatabase | undefined): Connection {
  return embedded ? embedded.connection : { connectionString: config.databaseUrl as string }
}

/** Schema, key check and demo data: once per start, before anything serves. */
async function prepare(config: Config, connection: Connection, log: Logger): Promise<NodeParts> {
  const masterKey = await readMasterKey(config)
  const applied = await migrate(connection)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  const { db, close } = openDatabase(connection, 2)
  try {
    await claimDatabase(db, masterKey, config.environment)
    await writePublicUrl(db, config.publicUrl)
    if (config.demo && !(await hasClients(db))) await addDemo(db, masterKey, log)
  } finally {
    await close()
  }
  return { config, connection, masterKey, clock: systemClock, log }
}

/** The demo data is much to read and needed once: it is read when it is needed. */
async function addDemo(db: Db, masterKey: Buffer, log: Logger): Promise<void> {
  const { loadDemo } = await import('./sim/demo.ts')
  if (await loadDemo(db, masterKey, systemClock.now())) log.info({}, 'demo data loaded')
}

async function serveHere(parts: NodeParts): Promise<{ close(): Promise<void> }> {
  const node = await startNode(parts)
  try {
    await node.server.listen({ port: parts.config.port, host: parts.config.host })
  } catch (error) {
    await node.close()
    throw error
  }
  return node
}

type WorkerStart = { connection: Connection; masterKey: string }

/** Several processes on one port; one that dies is replaced, and all are told to drain at the end. */
async function serveByWorkers(parts: NodeParts, count: number): Promise<{ close(): Promise<void> }> {
  let closing = false
  const start: WorkerStart = { connection: parts.connection, masterKey: parts.masterKey.toString('base64') }
  const fork = () =>
    new Promise<void>((resolve, reject) => {
      const worker = cluster.fork()
      worker.once('online', () => worker.send(start))
      worker.once('listening', () => resolve())
      worker.once('message', (sentence: string) => reject(new Error(sentence)))
      worker.once('exit', () => {
        reject(new Error('A worker ended before it could serve.'))
        if (!closing) replace(worker)
      })
    })
  const replace = ({ process: { pid } }: Worker) => {
    parts.log.error({ worker: pid }, 'a worker died and is replaced')
    setTimeout(() => closing || fork().catch(() => {}), 1_000)
  }
  const close = async () => {
    closing = true
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? [])
    const gone = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    for (const worker of workers) worker.kill('SIGTERM')
    await Promise.all(gone)
  }
  try {
    await Promise.all(Array.from({ length: count }, fork))
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

async function serveAsWorker(config: Config): Promise<void> {
  const toldToStop = untilToldToStop()
  const start = await new Promise<WorkerStart>((resolve) => process.once('message', resolve))
  const masterKey = Buffer.from(start.masterKey, 'base64')
  const parts = { config, connection: start.connection, masterKey, clock: systemClock, log: makeLog(config) }
  try {
    const serving = await serveHere(parts)
    process.once('disconnect', () => process.exit(1))
    await toldToStop
    await serving.close()
  } catch (error) {
    process.send?.(explain(error))
  } finally {
    process.disconnect?.()
  }
}

/** A token to try the service with; where there is none, what to know of that. */
async function firstToken(parts: NodeParts): Promise<{ token?: string; note?: string }> {
  if (!parts.config.demo) return (await isEmpty(parts)) ? { note: emptyNote } : {}
  const { context, close } = await openService(parts)
  try {
    return { token: await issueDemoToken(context, demoApp.AppKey, 'ada') }
  } catch (error) {
    return { note: `There is no token to try it with: ${explain(error)}` }
  } finally {
    await close()
  }
}

async function isEmpty({ connection }: NodeParts): Promise<boolean> {
  const { db, close } = openDatabase(connection, 1)
  try {
    return !(await hasClients(db))
  } finally {
    await close()
  }
}

function notesOf(embedded: EmbeddedDatabase | undefined, note: string | undefined): string[] {
  const moved = embedded?.movedTo && `The database lives in ${embedded.movedTo}, where its own user can reach it.`
  return [moved, note].flatMap((text) => text ?? [])
}

/** SIGTERM, Ctrl-C or a terminal that closes begins the drain; a second one, or a drain that takes too long, ends it.
 *  But a terminal that closes may say so twice, by itself and by its shell. */
function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.once(signal, () => {
        resolve()
        setTimeout(() => process.exit(1), drainSeconds * 1_000).unref()
        process.on(signal, () => signal === 'SIGHUP' || process.exit(1))
      })
  })
}
