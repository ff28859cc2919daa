import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { AccessDirectory } from './access/directory.ts'
import { IdentityDirectory } from './access/identities.ts'
import { AppDirectory } from './apps/directory.ts'
import { LastUsed } from './apps/last-used.ts'
import { ensureConsoleApp } from './apps/store/console-app.ts'
import { writeLastUses } from './apps/store/last-used.ts'
import { appendAudits } from './audit/append.ts'
import { startChaining } from './audit/chain.ts'
import { Refusals } from './audit/refusals.ts'
import { AttemptGuard } from './auth/attempts.ts'
import type { AuthContext } from './auth/context.ts'
import { EndedSessions } from './auth/ended-sessions.ts'
import { startHousekeeping } from './auth/housekeeping.ts'
import { resourcesOf } from './auth/rules/resource.ts'
import { type Rotation, readRefreshTokens, rotateRefreshTokens } from './auth/store/refresh-tokens.ts'
import { AccessTokens } from './auth/tokens.ts'
import type { Config } from './config.ts'
import { type Clock, TravelClock } from './core/clock.ts'
import { deriveKey } from './core/crypto/keys.ts'
import { Passwords } from './core/crypto/passwords.ts'
import { nonePublished } from './core/crypto/published.ts'
import { basePathOf } from './core/environment.ts'
import { wireProfiles } from './core/wire-profile.ts'
import { startPruning } from './data/history/pruning.ts'
import { readOrigin } from './data/store/origin.ts'
import { ImportRuns } from './data/uploads/runs.ts'
import { ChangeFeed } from './database/changes.ts'
import { type Connection, openDatabase } from './database/open.ts'
import { QueryBatcher } from './database/query-batcher.ts'
import { addRateCounts } from './database/rate-counts.ts'
import { openReplica } from './database/replica.ts'
import { claimDatabase } from './database/service.ts'
import { RateLimiter } from './http/limits/rate-limiter.ts'
import type { Threads } from './instruments/catalogue/build/run-thread.ts'
import type { CatalogueSource } from './instruments/catalogue/source.ts'
import { permissionsOfTools, toolsOf } from './mcp/tools.ts'
import { followClock } from './sim/clock-sync.ts'
import { demoFacts } from './sim/demo/facts.ts'

export type NodeDependencies = Readonly<{
  config: Config
  connection: Connection
  masterKey: Buffer
  /** Real time, or a fixed clock in tests. */
  clock: Clock
  log: Logger
  /** How many bytes of answers and of event documents to keep, if not the default. */
  answerBytes?: number
  documentBytes?: number
  /** Where the threads that build catalogues come from, if each is not a new one. */
  threads?: Threads
  /** How many workers there are, if this node is one of them. */
  workers?: number
}>

export const auditKey = (masterKey: Buffer): Buffer => deriveKey(masterKey, 'audit')

export async function openService(deps: NodeDependencies) {
  const { config, connection, masterKey, log } = deps
  await using opened = new AsyncDisposableStack()
  const { db, pool, close } = openDatabase(connection)
  opened.defer(close)
  const feed = new ChangeFeed(db, connection, log)
  opened.defer(() => feed.stop())
  const clock = new TravelClock(deps.clock)
  await claimDatabase(db, masterKey, config.environment)
  // The first subscriber of the change feed, so that the others see a clock change already applied.
  const loadClock = config.environment === 'sim' ? followClock(db, clock, feed) : undefined
  const audiences = resourcesOf(config.publicUrl, basePathOf(config.environment))
  const addresses = { issuer: config.publicUrl, audience: audiences.rest }
  const context: AuthContext = {
    config,
    demo: config.demo && (await readOrigin(db)).isDemo ? demoFacts : undefined,
    rejectedPasswords: new Set(config.environment === 'live' ? [demoFacts.password] : []),
    profile: wireProfiles[config.compat],
    resources: audiences,
    agentPermissions: permissionsOfTools(toolsOf(config.environment)),
    db,
    clock,
    feed,
    directory: new AppDirectory(db, feed),
    lastUsed: new LastUsed((uses) => writeLastUses(db, uses, clock.now())),
    tokens: new AccessTokens(db, clock, masterKey, addresses, feed),
    ended: new EndedSessions(db, clock, feed),
    passwords: new Passwords(),
    guard: new AttemptGuard(db, clock.real, masterKey),
    limiter: new RateLimiter({ shared: { add: (rows) => addRateCounts(db, rows) } }),
    refusals: new Refusals((entries) => appendAudits(db, entries), clock),
    refreshes: {
      recent: new LRUCache({ max: 50_000 }),
      read: new QueryBatcher((hashes: string[]) => readRefreshTokens(db, hashes)),
      rotate: new QueryBatcher((rotations: Rotation[]) => rotateRefreshTokens(db, rotations)),
    },
  }
  feed.on('clock', () => context.refreshes.recent.clear())
  feed.onGap(() => context.refreshes.recent.clear())
  // Start the feed first, so that changes during loading are not missed.
  await feed.start()
  await loadClock?.()
  await Promise.all([context.directory.load(), context.tokens.load(), context.ended.load()])
  const resources = opened.move()
  return { context, pool, close: () => resources.disposeAsync() }
}

/** Large modules, which commands do not need. */
export const loadServer = () =>
  Promise.all([
    import('./app.ts'),
    import('./instruments/catalogue/catalogue.ts'),
    import('./instruments/catalogue/builder.ts'),
    import('./events/catalogue/catalogue.ts'),
    import('./events/catalogue/documents.ts'),
  ])

export type RunningNode = Awaited<ReturnType<typeof startNode>>
/** The service while it serves, with one thread or several. */
export type Serving = Pick<RunningNode, 'context' | 'close'>

/** Starts a node. It serves requests after `server.listen`. Closing it finishes the requests in progress first.
 *  It builds its own catalogue, unless `sourceFrom` chooses another source. */
export async function startNode(
  deps: NodeDependencies,
  sourceFrom: (build: () => CatalogueSource) => CatalogueSource = (build) => build(),
) {
  const { config, connection, masterKey, log } = deps
  const [{ buildApp }, { Catalogue }, { CatalogueBuilder }, { EventCatalogue }, { DocumentCache }] = await loadServer()
  await using opened = new AsyncDisposableStack()
  const { context, pool, close } = await openService(deps)
  opened.defer(close)
  await ensureConsoleApp(context.db, config.publicUrl, context.clock.now())
  const { db, feed, profile } = context
  const reading = EventCatalogue.start({ db, profile, log, documents: new DocumentCache(deps.documentBytes) }, feed)
  // The other catalogue may fail first; then this one is not awaited.
  reading.catch(() => {})
  const { threads } = deps
  const build = () => new CatalogueBuilder({ db, connection, feed, log, folder: config.dataDir, threads })
  const catalogue = await Catalogue.start(sourceFrom(build))
  opened.defer(() => catalogue.stop())
  const events = await reading
  const reads = await openReplica(deps, context)
  opened.defer(async () => reads?.close())
  const access = new AccessDirectory(context.db, context.feed)
  const identities = new IdentityDirectory(context.db, context.feed)
  const imports = new ImportRuns({
    ...{ db, connection, masterKey, secrets: config.secrets, log },
    published: async () => {
      const { readDemoCredentials } = await import('./sim/demo/credentials.ts')
      return config.environment === 'live' ? readDemoCredentials() : nonePublished
    },
  })
  opened.defer(() => imports.stop())
  const nodeName = randomBytes(3).toString('hex')
  const parts = { context, pool, catalogue, events, access, identities, imports, masterKey, log, nodeName }
  const { answerBytes, workers } = deps
  const server = buildApp({ ...parts, reads: reads?.db ?? context.db, answerBytes, workers })
  if (config.rateLimits !== 'off') context.limiter.start()
  const chaining = startChaining({ db: context.db, key: auditKey(masterKey), log })
  const housekeeping = startHousekeeping(context, log)
  context.lastUsed.start(log)
  context.refusals.start(log)
  const pruning = startPruning(context.db, config.historyDays, log)
  const background = [context.limiter, chaining, housekeeping, pruning, context.lastUsed]
  opened.defer(async () => void (await Promise.all(background.map((each) => each.stop()))))
  // Before the end of chaining, which seals what this writes.
  opened.defer(() => context.refusals.stop())
  opened.defer(() => server.close())
  const resources = opened.move()
  return { server, context, catalogue, events, imports, close: () => resources.disposeAsync() }
}
