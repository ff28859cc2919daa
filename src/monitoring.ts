import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel, threadId } from 'node:worker_threads'
import type { FastifyRequest } from 'fastify'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  type PrometheusContentType,
  Registry,
} from 'prom-client'
import { Type } from 'typebox'
import type { AuthContext } from './auth/context.ts'
import type { Config } from './config.ts'
import { equalInConstantTime, sha256 } from './core/crypto/keys.ts'
import { unknownAddress } from './core/problem.ts'
import { describe, oneOf } from './core/schema.ts'
import type { OpenDatabase } from './database/open.ts'
import type { RememberedAnswers } from './http/answers/remember-answers.ts'
import { isLocal } from './http/limits/rate-limits.ts'
import { addOperation, operation } from './http/operation.ts'
import type { Server } from './http/typed-server.ts'

const noStore = { 'cache-control': 'no-store' }
const documented = { withoutToken: true }
const config = { alwaysAnswered: true, unlogged: true }
const tags = ['health']

const Liveness = Type.Object(
  { Status: describe(oneOf('Live'), 'Always `Live`.') },
  { title: 'Liveness', examples: [{ Status: 'Live' }] },
)
const Readiness = Type.Object(
  {
    Status: describe(
      oneOf('Ready', 'NotReady', 'Closing'),
      'While `Closing`, the node still answers requests and then stops.',
    ),
    Database: describe(oneOf('Up', 'Away'), 'Whether the database responded within the last seconds.'),
  },
  { title: 'Readiness', examples: [{ Status: 'Ready', Database: 'Up' }] },
)

export const getLiveness = operation({
  method: 'GET',
  path: '/health/live',
  operationId: 'getLiveness',
  summary: 'Check that the process is running',
  description: 'Returns 200 even while the database is down, because a restart would not bring it back.',
  responses: { 200: Liveness },
  ...{ tags, documented, config },
})

export const getReadiness = operation({
  method: 'GET',
  path: '/health/ready',
  operationId: 'getReadiness',
  summary: 'Check that this node accepts requests',
  description: 'Returns 503 while the node is closing or cannot reach its database.',
  responses: { 200: Readiness, 503: describe(Readiness, 'Send requests to other nodes.') },
  ...{ tags, documented, config },
})

export function healthRoutes(server: Server, context: AuthContext): void {
  addOperation(server, getLiveness, (_request, reply) => reply.headers(noStore).send({ Status: 'Live' }))
  addOperation(server, getReadiness, (_request, reply) => {
    const database = context.feed.isCurrentWithin(3)
    const isReady = database && !server.draining
    return reply
      .code(isReady ? 200 : 503)
      .headers(noStore)
      .send({
        Status: isReady ? 'Ready' : server.draining ? 'Closing' : 'NotReady',
        Database: database ? 'Up' : 'Away',
      })
  })
}

const aliveText = 'Service is alive'

const checkGroup = (group: string) =>
  operation({
    method: 'GET',
    path: `/${group}/isalive`,
    operationId: `${group}IsAlive`,
    summary: `Check that ${group} is alive`,
    description: 'Returns a constant text as long as the process is running.',
    tags,
    documented: {
      ...documented,
      responses: { 200: { description: 'Alive.', type: 'text/plain', example: aliveText } },
    },
    config: { withoutToken: true, unlogged: true },
  })

/** For load balancers, which send no token. */
export function aliveRoutes(api: Server, groups: readonly string[]): void {
  for (const group of groups)
    addOperation(api, checkGroup(group), (_request, reply) =>
      reply.header('content-type', 'text/plain; charset=utf-8').headers(noStore).send(aliveText),
    )
}

type Measured = Readonly<{
  config: Pick<Config, 'metricsToken'>
  pool?: OpenDatabase['pool']
  revision?: () => number
  answers?: Pick<RememberedAnswers, 'hits' | 'bytes'>
  /** How many workers there are, if this server is one of them. */
  workers?: number | undefined
}>

/** /metrics in the Prometheus format, for callers on this machine or with METRICS_TOKEN. */
export function metricsRoutes(server: Server, measured: Measured): void {
  const registry = new Registry()
  countRequests(server, registry)
  countClientErrors(server, registry)
  addGauges(server, registry, measured)
  const ofWorkers = measured.workers && new WorkerMetrics(measured.workers, () => registry.getMetricsAsJSON())
  if (ofWorkers) server.addHook('onClose', async () => ofWorkers.close())
  server.get('/metrics', { schema: { hide: true }, config: { unlogged: true } }, async (request, reply) => {
    if (!mayRead(measured.config.metricsToken, request)) throw unknownAddress()
    const counted = ofWorkers ? AggregatorRegistry.aggregate<PrometheusContentType>(await ofWorkers.ofAll()) : registry
    const all = Registry.merge([counted, processMetrics()])
    return reply.header('content-type', all.contentType).send(await all.metrics())
  })
}

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

function countRequests(server: Server, registry: Registry): void {
  const registers = [registry]
  const labelNames = ['method', 'route', 'status']
  const total = new Counter({ name: 'refdesk_requests_total', help: 'Responses sent.', labelNames, registers })
  const seconds = new Histogram({
    name: 'refdesk_request_seconds',
    help: 'Time from request to response, by operation (`page` for pages and files).',
    labelNames: ['operation', 'status'],
    buckets: durationBuckets,
    registers,
  })
  server.observeResponses(({ method, is404, routeOptions }, { statusCode: status }, milliseconds) => {
    const { url: route = 'unknown', schema } = is404 ? {} : routeOptions
    total.inc({ method, route, status })
    const operation = route === 'unknown' ? route : (schema?.operationId ?? 'page')
    seconds.observe({ operation, status }, milliseconds / 1_000)
  })
}

/** They have no route or method, so they are not among the responses. */
function countClientErrors(server: Server, registry: Registry): void {
  new Counter({
    name: 'refdesk_unreadable_requests_total',
    help: 'Responses to what is not HTTP, is too large or took too long to arrive.',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [status, count] of server.clientErrors) this.inc({ status }, count)
    },
  })
}

function addGauges(server: Server, registry: Registry, { pool, revision, answers }: Measured): void {
  const gauge = (name: string, help: string, read: () => number, aggregator: 'sum' | 'min' | 'max' = 'sum') =>
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  gauge('refdesk_requests_in_flight', 'Requests in progress, including this one.', () => server.requestsInFlight)
  gauge('refdesk_connections', 'Open connections.', () => server.connections.count)
  total('refdesk_connections_rejected_total', 'Connections over a limit.', () => server.connections.rejected)
  gauge(
    'refdesk_event_loop_delay_seconds_max',
    'Longest event-loop delay since the last scrape.',
    longestDelay(server),
    'max',
  )
  if (revision)
    gauge('refdesk_catalogue_revision', 'Revision of the reference data that is being served.', revision, 'min')
  if (answers) {
    const { hits, bytes } = answers
    total('refdesk_remembered_answers_total', 'Requests that were answered from memory.', hits)
    gauge('refdesk_remembered_answers_bytes', 'Memory that remembered answers take.', bytes)
  }
  if (!pool) return
  gauge('refdesk_pool_connections', 'Open database connections.', () => pool.totalCount)
  gauge('refdesk_pool_idle_connections', 'Database connections that are not in use.', () => pool.idleCount)
  gauge('refdesk_pool_waiting_requests', 'Requests waiting for a database connection.', () => pool.waitingCount)
}

const resolutionMs = 5

/** The histogram measures the time between two ticks that are 5 ms apart, in nanoseconds. */
function longestDelay(server: Server): () => number {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  server.addHook('onClose', async () => void delay.disable())
  return () => {
    const longest = Math.max(0, delay.max / 1e9 - resolutionMs / 1e3)
    delay.reset()
    return longest
  }
}

let processRegistry: Registry | undefined

/** CPU and memory of the process, garbage collection and event-loop lag of this thread. */
function processMetrics(): Registry {
  if (processRegistry) return processRegistry
  processRegistry = new Registry()
  collectDefaultMetrics({ register: processRegistry })
  return processRegistry
}

function mayRead(metricsToken: string | undefined, request: FastifyRequest): boolean {
  if (isLocal(request)) return true
  const { authorization } = request.headers
  if (metricsToken === undefined || authorization === undefined) return false
  return equalInConstantTime(sha256(`Bearer ${metricsToken}`), sha256(authorization))
}

type Metrics = MetricObjectWithValues<MetricValue<string>>[]
type Message = Readonly<{ scrape: string; metrics?: Metrics }>

/** A worker that is being replaced does not answer. */
const maxWaitMs = 500

/** The metrics of all workers, which ask each other: a scrape reaches any of them. */
class WorkerMetrics {
  readonly #channel = new BroadcastChannel('refdesk-metrics')
  readonly #own: () => Promise<Metrics>
  readonly #others: number
  readonly #open = new Map<string, (metrics: Metrics) => void>()
  #scrapes = 0

  constructor(count: number, own: () => Promise<Metrics>) {
    this.#others = count - 1
    this.#own = own
    this.#channel.onmessage = (event: unknown) => void this.#receive((event as { data: Message }).data)
    this.#channel.unref()
  }

  async ofAll(): Promise<Metrics[]> {
    const found: Metrics[] = []
    const scrape = `${threadId}-${this.#scrapes++}`
    const answered = new Promise<void>((resolve) => {
      this.#open.set(scrape, (metrics) => {
        if (found.push(metrics) === this.#others) resolve()
      })
    })
    this.#channel.postMessage({ scrape } satisfies Message)
    const own = await this.#own()
    await Promise.race([answered, sleep(maxWaitMs)])
    this.#open.delete(scrape)
    return [own, ...found]
  }

  close(): void {
    this.#channel.close()
  }

  async #receive({ scrape, metrics }: Message): Promise<void> {
    if (metrics) this.#open.get(scrape)?.(metrics)
    else this.#channel.postMessage({ scrape, metrics: await this.#own() } satisfies Message)
  }
}
