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
import { type Connection, openDatabase } from './database/open.ts'
import { claimDatabase, writePublicUrl } from './database/service.ts'
import { readMasterKey } from './master-key.ts'
import { loadServer, type NodeDependencies, openService, startNode } from './node.ts'
import { demoApp } from './sim/demo/facts.ts'

const drainSeconds = 25

/** Treats EIO from a closed terminal like EPIPE: logging stops, the service continues. */
function standardError(): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: false })
  return stream.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EIO') error.code = 'EPIPE'
  })
}

/** Logs to standard error. Standard output contains only the start message. */
export function makeLog(config: Config, destination: DestinationStream = standardError()): Logger {
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

/** refdesk serve: opens the database, starts the service, listens, and drains on SIGTERM. */
export async function serve(config: Config): Promise<void> {
  if (cluster.isWorker) return serveAsWorker(config)
  // Registered first, so that a signal during the start also shuts down cleanly.
  const stopSignal = waitForStopSignal()
  const log = makeLog(config)
  const embedded = config.databaseUrl ? undefined : await startEmbeddedFor(config, log)
  try {
    const { deps, isEmpty } = await prepare(config, connectionOf(config, embedded), log)
    const count = processesOf(config)
    const serving = count === 1 ? await serveHere(deps) : await serveByWorkers(deps, count)
    try {
      const { token, note } = config.demo ? await firstToken(deps) : { note: isEmpty ? emptyNote : undefined }
      process.stdout.write(startMessage(config, token, notesOf(embedded, note)))
      await stopSignal
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
  // Every process needs a pool, a listener and room for commands.
  const settings = { max_connections: String(Math.max(100, 20 + 12 * processesOf(config))) }
  return startEmbedded({ dataDir: config.dataDir, log, settings, onFatal })
}

export function connectionOf(config: Config, embedded: EmbeddedDatabase | undefined): Connection {
  return embedded ? embedded.connection : { connectionString: config.databaseUrl as string }
}

async function prepare(config: Config, connection: Connection, log: Logger) {
  const masterKey = await readMasterKey(config)
  // An incomplete installation must not migrate the database.
  if (processesOf(config) === 1) await loadServer()
  const applied = await migrate(connection)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  const { db, close } = openDatabase(connection, 2)
  try {
    await claimDatabase(db, masterKey, config.environment)
    await writePublicUrl(db, config.publicUrl)
    const isEmpty = !(await hasClients(db))
    if (config.demo && isEmpty) {
      // Loaded only when needed: the module is large.
      const { loadDemo } = await import('./sim/demo/load.ts')
      if (await loadDemo(db, masterKey, systemClock.now())) log.info({}, 'demo data loaded')
    }
    return { isEmpty, deps: { config, connection, masterKey, clock: systemClock, log } }
  } finally {
    await close()
  }
}

async function serveHere(deps: NodeDependencies): Promise<{ close(): Promise<void> }> {
  await using opened = new AsyncDisposableStack()
  const node = await startNode(deps)
  opened.defer(node.close)
  await node.server.listen({ port: deps.config.port, host: deps.config.host })
  opened.move()
  return node
}

type WorkerStart = { connection: Connection; masterKey: string }

/** Runs several processes on one port. A process that exits is replaced; all drain at the end. */
async function serveByWorkers(deps: NodeDependencies, count: number): Promise<{ close(): Promise<void> }> {
  let closing = false
  const start: WorkerStart = { connection: deps.connection, masterKey: deps.masterKey.toString('base64') }
  const fork = () =>
    new Promise<void>((resolve, reject) => {
      const worker = cluster.fork()
      worker.once('online', () => worker.send(start))
      worker.once('listening', () => resolve())
      worker.once('message', (sentence: string) => reject(new Error(sentence)))
      worker.once('exit', () => {
        reject(new Error('A worker exited before it could serve requests.'))
        if (!closing) replace(worker)
      })
    })
  const replace = ({ process: { pid } }: Worker) => {
    deps.log.error({ worker: pid }, 'a worker exited and is being replaced')
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
  const stopSignal = waitForStopSignal()
  const start = await new Promise<WorkerStart>((resolve) => process.once('message', resolve))
  const masterKey = Buffer.from(start.masterKey, 'base64')
  const deps = { config, connection: start.connection, masterKey, clock: systemClock, log: makeLog(config) }
  try {
    const serving = await serveHere(deps)
    process.once('disconnect', () => process.exit(1))
    await stopSignal
    await serving.close()
  } catch (error) {
    process.send?.(explain(error))
  } finally {
    process.disconnect?.()
  }
}

/** Returns a demo token for the start message, or a note that says why there is none. */
async function firstToken(deps: NodeDependencies): Promise<{ token?: string; note?: string }> {
  const { context, close } = await openService(deps)
  try {
    return { token: await issueDemoToken(context, demoApp.AppKey, 'ada') }
  } catch (error) {
    return { note: `No token to try it with: ${explain(error)}` }
  } finally {
    await close()
  }
}

function notesOf(embedded: EmbeddedDatabase | undefined, note: string | undefined): string[] {
  const moved = embedded?.movedTo && `The database is in ${embedded.movedTo}, which its own OS user can access.`
  return [moved, note].flatMap((text) => text ?? [])
}

/** Resolves on SIGTERM, Ctrl-C or a closed terminal. A second signal, or a drain that takes too long, ends the process;
 *  a second SIGHUP does not, because terminal and shell may both send one. */
function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.once(signal, () => {
        resolve()
        setTimeout(() => process.exit(1), drainSeconds * 1_000).unref()
        process.on(signal, () => signal === 'SIGHUP' || process.exit(1))
      })
  })
}
