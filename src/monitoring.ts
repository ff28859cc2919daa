import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Type } from 'typebox'
import type { AuthContext } from './auth/context.ts'
import type { Config } from './config.ts'
import { equalInConstantTime, sha256 } from './core/crypto/keys.ts'
import { Problem } from './core/problem.ts'
import { describe, oneOf } from './core/schema.ts'
import { isLoopback } from './http/limits/rate-limits.ts'
import type { Server } from './http/typed-server.ts'

const notStored = { 'cache-control': 'no-store' }
const documented = { withoutToken: true }
const tags = ['health']

const Liveness = Type.Object(
  { Status: describe(oneOf('Live'), 'Always this.') },
  { title: 'Liveness', examples: [{ Status: 'Live' }] },
)
const Readiness = Type.Object(
  {
    Status: describe(oneOf('Ready', 'NotReady', 'Closing'), 'Closing: it answers what still comes, and then ends.'),
    Database: describe(oneOf('Up', 'Away'), 'Whether the database was heard of in the last seconds.'),
  },
  { title: 'Readiness', examples: [{ Status: 'Ready', Database: 'Up' }] },
)

/** live: the process answers. ready: it may be sent work, that is it hears from its database and is not closing. */
export function healthRoutes(server: Server, context: AuthContext): void {
  const config = { alwaysAnswered: true }
  const live = {
    operationId: 'getLiveness',
    summary: 'Whether the process answers',
    description: 'Also while the database is away: starting anew would not bring it back.',
    tags,
    documented,
    response: { 200: Liveness },
  }
  server.get('/health/live', { schema: live, config }, async (_request, reply) =>
    reply.headers(notStored).send({ Status: 'Live' }),
  )
  const ready = {
    operationId: 'getReadiness',
    summary: 'Whether this node may be sent work',
    description: 'Not while it is closing, nor while it does not hear from its database.',
    tags,
    documented,
    response: { 200: Readiness, 503: describe(Readiness, 'Send requests to other nodes meanwhile.') },
  }
  server.get('/health/ready', { schema: ready, config }, async (_request, reply) => {
    const database = context.feed.isCurrentWithin(3)
    const isReady = database && !server.draining
    return reply
      .code(isReady ? 200 : 503)
      .headers(notStored)
      .send({
        Status: isReady ? 'Ready' : server.draining ? 'Closing' : 'NotReady',
        Database: database ? 'Up' : 'Away',
      })
  })
}

/** Load balancers ask these; they carry no token. */
export function aliveRoutes(api: Server, groups: readonly string[]): void {
  const example = 'Service is alive'
  for (const group of groups) {
    const schema = {
      operationId: `${group}IsAlive`,
      summary: `Whether ${group} is alive`,
      description: 'A text that is always the same, as long as the process answers.',
      tags,
      documented: { ...documented, answers: { 200: { description: 'It is.', type: 'text/plain', example } } },
    }
    api.get(`/${group}/isalive`, { schema, config: { withoutToken: true } }, async (_request, reply) =>
      reply.header('content-type', 'text/plain; charset=utf-8').headers(notStored).send(example),
    )
  }
}

/** Prometheus text; for this machine, or for whoever has the token. */
export function metricsRoutes(server: Server, config: Config): void {
  const counts = new Map<string, number>()
  let totalSeconds = 0
  let answered = 0
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  server.addHook('onClose', async () => void delay.disable())
  server.addHook('onResponse', (request, reply, done) => {
    answered++
    totalSeconds += reply.elapsedTime / 1_000
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    const key = `method="${request.method}",route="${route}",status="${reply.statusCode}"`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    done()
  })
  server.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(config, isLoopback(request), request.headers.authorization))
      throw new Problem('NoResultFound', 'There is nothing at this address.')
    const lines = [
      '# HELP refdesk_requests_total Requests answered.',
      '# TYPE refdesk_requests_total counter',
      ...[...counts].map(([labels, count]) => `refdesk_requests_total{${labels}} ${count}`),
      '# HELP refdesk_requests_in_flight Requests being answered, this one among them.',
      '# TYPE refdesk_requests_in_flight gauge',
      `refdesk_requests_in_flight ${server.requestsInFlight}`,
      '# HELP refdesk_request_seconds Time from request to answer.',
      '# TYPE refdesk_request_seconds summary',
      `refdesk_request_seconds_sum ${totalSeconds}`,
      `refdesk_request_seconds_count ${answered}`,
      '# HELP refdesk_event_loop_delay_seconds_max The longest that the event loop stood still since the last look.',
      '# TYPE refdesk_event_loop_delay_seconds_max gauge',
      `refdesk_event_loop_delay_seconds_max ${longestDelaySeconds(delay)}`,
      '# HELP process_resident_memory_bytes Memory in use.',
      '# TYPE process_resident_memory_bytes gauge',
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    ]
    return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}

/** The histogram counts the time between two ticks that are 5 ms apart, in nanoseconds. */
function longestDelaySeconds(delay: ReturnType<typeof monitorEventLoopDelay>): number {
  const longest = Math.max(0, delay.max / 1e9 - 0.005)
  delay.reset()
  return longest
}

function mayRead(config: Config, fromThisMachine: boolean, authorization: string | undefined): boolean {
  if (fromThisMachine) return true
  if (config.metricsToken === undefined || authorization === undefined) return false
  return equalInConstantTime(sha256(`Bearer ${config.metricsToken}`), sha256(authorization))
}
