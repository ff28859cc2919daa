import type { Logger } from 'pino'
import { identityRoutes } from './access/api/routes.ts'
import type { AccessAsk, AccessDirectory } from './access/directory.ts'
import type { IdentityDirectory } from './access/identities.ts'
import { activeFaultsOf, admitRestRequests } from './admission.ts'
import { apiDocument } from './api-document.ts'
import { appExtensionRoutes, appRoutes } from './apps/api/routes.ts'
import { secretSealKey } from './apps/secrets.ts'
import { consoleApp, consoleCallback } from './apps/store/console-app.ts'
import { capabilityRoutes } from './auth/api/capabilities.ts'
import { explainRefusal } from './auth/api/errors.ts'
import { authRoutes } from './auth/api/routes.ts'
import { sessionRoutes } from './auth/api/sessions.ts'
import { type AuthContext, requestSource } from './auth/context.ts'
import { issueDayToken } from './auth/grants/demo-token.ts'
import { holdSession, moveSession, resumeSession } from './auth/grants/renew.ts'
import { isSessionAlive } from './auth/store/sessions.ts'
import { consoleRoutes } from './console/routes.ts'
import { type ConsoleDependencies, consoleDependencies } from './console/shared/dependencies.ts'
import { notFoundPage } from './console/shared/messages.ts'
import { deriveKey } from './core/crypto/keys.ts'
import { basePathOf } from './core/environment.ts'
import { dataRoutes } from './data/api/routes.ts'
import type { ImportRuns } from './data/uploads/runs.ts'
import type { Db, OpenDatabase } from './database/open.ts'
import { eventExplainers } from './events/api/explain.ts'
import { heldInstruments } from './events/api/held.ts'
import { eventRenderings } from './events/api/renderings.ts'
import { eventRoutes } from './events/api/routes.ts'
import { calendarRoutes } from './events/calendar/routes.ts'
import { subscriptionRoutes } from './events/calendar/subscription.ts'
import type { EventCatalogue } from './events/catalogue/catalogue.ts'
import { followLastElection, type LastElection } from './events/elections/last-election.ts'
import { electionRoutes } from './events/elections/routes.ts'
import { historyExtension } from './history-extension.ts'
import { type RememberedAnswers, rememberAnswers, type Source } from './http/answers/remember-answers.ts'
import { batchRoutes } from './http/batch/routes.ts'
import { diagnosticsRoutes } from './http/diagnostics.ts'
import { helpLink } from './http/explain/help-link.ts'
import { explainedPaths, explainRoutes } from './http/explain/routes.ts'
import { assetRoutes } from './http/html/assets.ts'
import { travelOf } from './http/html/layout.ts'
import { callInProcess, type InProcessCall } from './http/in-process.ts'
import { startRequestLog } from './http/request-log/request-log.ts'
import { buildServer } from './http/server.ts'
import type { Server } from './http/typed-server.ts'
import { visibleInstruments } from './instruments/api/request-view.ts'
import { instrumentRoutes } from './instruments/api/routes.ts'
import type { Catalogue } from './instruments/catalogue/catalogue.ts'
import { instrumentExplainers } from './instruments/explain/explainers.ts'
import { agentRoutes } from './mcp/routes.ts'
import { aliveRoutes, healthRoutes, metricsRoutes } from './monitoring.ts'
import { algoRoutes } from './reference/algo-routes.ts'
import { referenceRoutes } from './reference/routes.ts'
import { operatorRoutes } from './requests/api/operator.ts'
import { requestLogRoutes } from './requests/api/requests.ts'
import { explainLogged } from './requests/explain.ts'
import { type OpenLog, openLog } from './requests/open-log.ts'
import type { ActiveFaults } from './sim/active-faults.ts'
import type { SimDependencies } from './sim/api/dependencies.ts'
import { simRoutes } from './sim/api/routes.ts'
import { demoFacts } from './sim/demo/facts.ts'
import { version } from './version.ts'

export type AppDependencies = Readonly<{
  context: AuthContext
  pool: OpenDatabase['pool']
  catalogue: Catalogue
  events: EventCatalogue
  access: AccessDirectory
  identities: IdentityDirectory
  imports: ImportRuns
  /** Where positions and elections are read from: the replica or the primary database. */
  reads: Db
  masterKey: Buffer
  log: Logger
  nodeName: string
  /** How many bytes of answers to remember; 0 remembers none. */
  answerBytes?: number | undefined
  workers?: number | undefined
}>

export function buildApp(deps: AppDependencies): Server {
  const { context, log, nodeName, identities } = deps
  const { config, profile } = context
  const prefix = basePathOf(config.environment)
  const server: Server = buildServer({
    ...{ log, logFormat: config.logFormat, nodeName, trustProxy: config.trustProxy, profile, basePath: prefix },
    names: { ofApp: (key) => context.directory.nameOf(key), ofUser: (...keys) => identities.knownUserName(...keys) },
    isHttpsOnly: config.environment === 'live' && config.publicUrl.startsWith('https:'),
    missingPage: (request, reply) => notFoundPage({ deps: pages, request, reply }),
  })
  const logged = config.requestLog && startRequestLog(server, { clock: context.clock, nodeName })
  const requestLog = logged ? openLog(server, logged, deps.workers) : undefined
  const faults = activeFaultsOf(context)
  const pages = consoleOf(server, deps, faults)
  apiDocument(server, config, profile)
  healthRoutes(server, context)
  const { catalogue, access } = deps
  const source: Source<AccessAsk> = {
    nowMs: () => context.clock.nowMs(),
    data: () => catalogue.current(),
    day: (now) => catalogue.current().daysKey(now),
    viewOf: (caller, ask) => access.viewOf(caller, ask),
  }
  const answers = rememberAnswers(source, deps.answerBytes)
  const revision = () => catalogue.current().revision
  metricsRoutes(server, { config, pool: deps.pool, workers: deps.workers, revision, answers })
  server.register(assetRoutes)
  consoleRoutes(server, pages)
  authRoutes(server, context)
  const operator = { masterKey: deps.masterKey, clock: context.clock.real, consoleKey: consoleApp.AppKey }
  operatorRoutes(server, { ...operator, revision, log: requestLog })
  const eventDeps = eventDependencies(deps, followLastElection(context, deps.reads, log))
  subscriptionRoutes(server, { ...eventDeps, limiter: context.limiter, rateLimits: config.rateLimits })
  const shared = { call: callInProcess(server), answers, eventDeps, requestLog, faults }
  agentRoutes(server, context, shared.call)
  server.register(async (api: Server) => restRoutes(api, deps, shared), { prefix })
  return server
}

/** The console is an app like any other. It calls the REST API in process. */
function consoleOf(
  server: Server,
  { context, masterKey, imports }: AppDependencies,
  faults: ActiveFaults | undefined,
): ConsoleDependencies {
  const { environment, publicUrl, secrets, elections, requestLog } = context.config
  return consoleDependencies({
    environment,
    publicUrl,
    appKey: consoleApp.AppKey,
    callback: consoleCallback(publicUrl),
    sealKey: deriveKey(masterKey, 'console'),
    clock: context.clock,
    call: async (request) => callInProcess(server)(request),
    travel: () => travelOf(context.clock),
    activeFaults: (clientKey) => faults?.countOf(clientKey) ?? 0,
    secretsMode: secrets,
    acceptsElections: elections === 'accept',
    hasRequestLog: requestLog,
    uploads: imports.uploads,
    isExplained: explainedPaths(server),
    demo: context.demo && demoFacts,
  })
}

/** Holdings are read from the replica if there is one; calendars from the primary database. */
function eventDependencies({ context, reads, events }: AppDependencies, lastElection: LastElection) {
  const { db, config, clock } = context
  const renderings = eventRenderings({ host: new URL(config.publicUrl).host, version, clock })
  const replicated = reads === db ? {} : { replicated: { primary: db, lastElection } }
  const appliesDefaults = config.elections === 'accept'
  return { db, events: { db: reads, ...replicated, catalogue: events, clock, appliesDefaults }, renderings }
}

/** Gives the sim access to sessions and tokens of the authorization server. */
function simDependencies({ context, catalogue, access, masterKey }: AppDependencies): SimDependencies {
  const { db, clock, feed, config } = context
  return {
    db,
    clock,
    feed,
    masterKey,
    secrets: config.secrets,
    isDemoOn: config.demo,
    controls: config.simControls,
    isWithin: (clientKey, topClientKey) => access.isWithin(clientKey, topClientKey),
    servesRevision: (revision) => catalogue.reached(revision),
    moveSession: (trx, travel) => moveSession(trx, { context, ...travel }),
    holdSession: async (trx, caller) => {
      const held = await holdSession(trx, caller)
      return (times) => resumeSession(trx, { context, caller, ...times }, held)
    },
    isSessionAlive,
    issueDayToken: (caller, request) => issueDayToken(context, caller, requestSource(request)),
  }
}

/** Each group has its own isalive and batch operations. */
const serviceGroups = ['ref', 'ca', 'port', 'developer', 'root', 'x']

type Shared = Readonly<{
  call: InProcessCall
  answers: RememberedAnswers
  eventDeps: ReturnType<typeof eventDependencies>
  requestLog: OpenLog | undefined
  faults: ActiveFaults | undefined
}>

/** Everything under {base_url}: bearer check, rate limit, operation. */
function restRoutes(api: Server, deps: AppDependencies, shared: Shared): void {
  const { call, answers, eventDeps, requestLog } = shared
  const { context, catalogue, access, identities } = deps
  const { config, db, clock, feed, profile } = context
  const { environment, publicUrl, secrets: mode } = config
  const basePath = basePathOf(environment)
  const baseUrl = `${publicUrl}${basePath}`
  api.register(async (scope: Server) => {
    const { count, isValid } = admitRestRequests(scope, context, shared.faults, answers)
    aliveRoutes(scope, serviceGroups)
    diagnosticsRoutes(scope)
    batchRoutes(scope, serviceGroups, { publicUrl, basePath, call, nodeName: deps.nodeName, count })
    const operators = { db, environment, consoleKey: consoleApp.AppKey, baseUrl }
    const isAccepted = config.elections === 'accept'
    identityRoutes(scope, { identities, access, clock, acceptsElections: isAccepted, ...operators })
    dataRoutes(scope, { ...operators, clock, runs: deps.imports, feed, isValid, heldBy: heldInstruments(db, clock) })
    sessionRoutes(scope, context, baseUrl)
    capabilityRoutes(scope, context.db)
    referenceRoutes(scope, baseUrl, () => catalogue.current().zones, clock)
    algoRoutes(scope, baseUrl)
    const addHelp = environment === 'live' ? () => {} : helpLink(baseUrl)
    if (environment !== 'live') scope.decorate('addHelp', addHelp)
    const program = `${version} ${profile.daySuffix}`
    const instruments = { program, db, catalogue, identities, access, clock, profile, baseUrl, addHelp }
    instrumentRoutes(scope, instruments)
    const { events, renderings } = eventDeps
    eventRoutes(scope, { ...events, renderings, baseUrl, addHelp })
    historyExtension(scope, { ...operators, baseUrl, access, catalogue, events })
    const explainers = [...instrumentExplainers(instruments), ...eventExplainers(events)]
    const findLogged = explainLogged({ reader: requestLog?.reader, db, environment, explainRefusal })
    explainRoutes(scope, { basePath, explainers, findLogged })
    const elections = { db, clock, feed, isAccepted, visibleTo: visibleInstruments({ access, catalogue }) }
    electionRoutes(scope, { elections, events, baseUrl })
    calendarRoutes(scope, { db, clock, publicUrl })
    const apps = { db, clock, feed, secretKey: secretSealKey(deps.masterKey), mode, environment, publicUrl, baseUrl }
    appRoutes(scope, apps)
    appExtensionRoutes(scope, apps)
    if (requestLog) requestLogRoutes(scope, { ...requestLog, ...operators, baseUrl, isValid })
    if (environment === 'sim') simRoutes(scope, simDependencies(deps))
  })
}
