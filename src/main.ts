import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { hasOperators } from './access/store/identities.ts'
import { issueDemoToken } from './auth/grants/demo-token.ts'
import { explain } from './cli/explain.ts'
import { emptyNote, noOperatorNote, publicOperatorNotes, startMessage } from './cli/start-message.ts'
import { type Config, sizeThreadPool } from './config.ts'
import { systemClock } from './core/clock.ts'
import { collectGarbage } from './core/process/garbage.ts'
import { type DataOrigin, holdsData, readOrigin } from './data/store/origin.ts'
import { type EmbeddedDatabase, startEmbedded } from './database/embedded/embedded.ts'
import { runUntilStopped } from './database/embedded/stopping.ts'
import { migrate } from './database/migrate.ts'
import { type Connection, type Db, openDatabase, patientTimeouts } from './database/open.ts'
import { claimDatabase, writePublicUrl } from './database/service.ts'
import { listen, requireFreeAddress } from './http/listening.ts'
import { makeLog, releaseLog } from './log.ts'
import { readMasterKey } from './master-key.ts'
import { loadServer, type NodeDependencies, type Serving, startNode } from './node.ts'
import { demoApp } from './sim/demo/facts.ts'
import { isOriginUnknown, unknownOrigin } from './sim/rules/reset.ts'

/** refdesk serve: opens the database, starts the service, listens, and drains on SIGTERM. */
export async function serve(config: Config): Promise<void> {
  const count = countWorkers(config)
  if (count > 1) sizeThreadPool(count)
  const log = makeLog(config, true)
  await requireFreeAddress(config)
  await runUntilStopped(
    async (stopping) => (config.databaseUrl ? undefined : startEmbeddedFor(config, log, stopping)),
    (embedded, stopping) => serveUntilStopped(config, embedded, log, count, stopping),
  )
}

async function serveUntilStopped(
  config: Config,
  embedded: EmbeddedDatabase | undefined,
  log: Logger,
  count: number,
  stopping: AbortSignal,
): Promise<void> {
  const { deps, notes, hasDemo } = await prepare(config, connectionOf(config, embedded), log)
  if (config.workers !== 1 && !sharesPorts) log.warn({}, 'WORKERS has no effect on this platform; one thread serves')
  stopping.throwIfAborted()
  const serving = count === 1 ? await serveHere(deps) : await (await loadWorkers()).serveByWorkers(deps, count)
  try {
    const { token, note } = hasDemo ? await firstToken(serving.context) : {}
    process.stdout.write(startMessage({ ...config, demo: hasDemo }, token, notesOf(embedded, [...notes, note])))
    releaseLog()
    if (!stopping.aborted) await once(stopping, 'abort')
    log.info({}, 'closing')
  } finally {
    await serving.close()
  }
}

/** Platforms on which several threads can listen on one port (Node.js, `reusePort`). Elsewhere one serves. */
const sharesPorts = ['linux', 'freebsd', 'dragonfly', 'sunos', 'aix'].includes(process.platform)

export function countWorkers({ workers }: Config): number {
  if (!sharesPorts) return 1
  return workers === 'auto' ? availableParallelism() : workers
}

const loadWorkers = () => import('./workers.ts')

function startEmbeddedFor(config: Config, log: Logger, signal: AbortSignal): Promise<EmbeddedDatabase> {
  const onFatal = (error: Error) => {
    log.fatal({}, error.message)
    process.exit(1)
  }
  // Every worker needs a pool and a listener; the rest is for the main thread and for commands.
  const settings = { max_connections: String(Math.max(100, 20 + 12 * countWorkers(config))) }
  return startEmbedded({ dataDir: config.dataDir, log, settings, signal, onFatal })
}

export function connectionOf(config: Config, embedded: EmbeddedDatabase | undefined): Connection {
  return embedded ? embedded.connection : { connectionString: config.databaseUrl as string }
}

async function prepare(config: Config, connection: Connection, log: Logger) {
  const masterKey = await readMasterKey(config)
  // An incomplete installation must not migrate the database.
  await Promise.all([loadServer(), ...(countWorkers(config) > 1 ? [loadWorkers()] : [])])
  const applied = await migrate(connection)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  const { db, close } = openDatabase(connection, 2, patientTimeouts)
  try {
    await claimDatabase(db, masterKey, config.environment)
    const otherUrl = await writePublicUrl(db, config.publicUrl)
    if (otherUrl !== undefined)
      log.warn(
        { publicUrl: config.publicUrl, otherUrl },
        'PUBLIC_URL differs from the last start; all nodes need the same',
      )
    if (config.demo && !(await holdsData(db))) {
      // Loaded only when needed: the module is large.
      const { loadDemo } = await import('./sim/demo/load.ts')
      if (await loadDemo(db, masterKey, systemClock.now())) log.info({}, 'demo data loaded')
    }
    if (config.environment === 'live') await (await import('./sim/demo/credentials.ts')).refuseDemoCredentials(db)
    const origin = await readOrigin(db)
    const notes = await notesOn(db, config, origin)
    const deps = { config, connection, masterKey, clock: systemClock, log }
    return { notes, hasDemo: config.demo && origin.isDemo, deps }
  } finally {
    await close()
  }
}

/** What an operator should know of the data. */
async function notesOn(db: Db, { environment, demo, simControls }: Config, origin: DataOrigin): Promise<string[]> {
  if (!origin.hasClients) return [emptyNote]
  if (environment !== 'sim') return []
  return [
    ...(demo && isOriginUnknown(origin) ? [unknownOrigin] : []),
    ...(simControls === 'operators' ? await operatorNotes(db) : []),
  ]
}

async function operatorNotes(db: Db): Promise<string[]> {
  if (!(await hasOperators(db))) return [noOperatorNote]
  const { listPublicOperators } = await import('./sim/demo/credentials.ts')
  return publicOperatorNotes(await listPublicOperators(db))
}

async function serveHere(deps: NodeDependencies): Promise<Serving> {
  await using opened = new AsyncDisposableStack()
  const node = await startNode(deps)
  opened.defer(node.close)
  await collectGarbage()
  await listen(node.server, { port: deps.config.port, host: deps.config.host })
  opened.move()
  return node
}

/** Returns a demo token for the start message, or a note that says why there is none. */
async function firstToken(context: Serving['context']): Promise<{ token?: string; note?: string }> {
  try {
    return { token: await issueDemoToken(context, demoApp.AppKey, 'ada') }
  } catch (error) {
    return { note: `No token to try it with: ${explain(error)}` }
  }
}

function notesOf(embedded: EmbeddedDatabase | undefined, notes: readonly (string | undefined)[]): string[] {
  const moved = embedded?.movedTo && `The database is in ${embedded.movedTo}, which its own OS user can access.`
  return [moved, ...notes].flatMap((text) => text ?? [])
}
