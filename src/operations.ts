import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { AuthContext } from './auth/context.ts'
import type { Config } from './config.ts'
import { equalInConstantTime, sha256 } from './core/keys.ts'
import { Problem } from './core/problem.ts'
import { isLoopback } from './http/rate-limits.ts'
import type { Server } from './http/typed-server.ts'

/** live: the process answers. ready: it may be sent work, that is it hears from its database and is not closing. */
export function healthRoutes(server: Server, context: AuthContext): void {
  const notStored = { 'cache-control': 'no-store' }
  server.get('/health/live', { schema: { hide: true }, config: { alwaysAnswered: true } }, async (_request, reply) =>
    reply.headers(notStored).send({ Status: 'Live' }),
  )
  server.get('/health/ready', { schema: { hide: true }, config: { alwaysAnswered: true } }, async (_request, reply) => {
    const database = context.feed.heardWithin(3)
    const ready = database && !server.draining
    return reply
      .code(ready ? 200 : 503)
      .headers(notStored)
      .send({ Status: ready ? 'Ready' : server.draining ? 'Closing' : 'NotReady', Database: database ? 'Up' : 'Away' })
  })
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
