import type { IncomingMessage } from 'node:http'
import { Problem, unavailable } from '../../core/problem.ts'
import { isInProcess } from '../in-process.ts'
import { parameterCount, type Query } from '../input/query.ts'
import type { Server } from '../typed-server.ts'
import { limits } from './buckets.ts'

const overrides = ['PATCH', 'PUT', 'DELETE']

/** For clients that can only POST (contract §3). Runs before routing, which then sees the method that was meant. */
export function applyMethodOverride(raw: IncomingMessage): void {
  const wanted = raw.headers['x-http-method-override']
  if (raw.method !== 'POST' || typeof wanted !== 'string') return
  const method = wanted.trim().toUpperCase()
  if (overrides.includes(method)) raw.method = method
}

/** Refuses what no route should have to look at: an endless address or query, an override we do not honour. */
export function refuseUnreasonableRequests(server: Server): void {
  server.addHook('onRequest', ({ method, url, headers }, _reply, done) => {
    if (url.length > limits.urlCharacters)
      return done(new Problem('UriTooLong', `An address has at most ${limits.urlCharacters} characters.`))
    // Still a POST, so the override was not one that is honoured.
    if (method === 'POST' && headers['x-http-method-override'] !== undefined)
      return done(new Problem('InvalidRequest', `X-HTTP-Method-Override can be ${overrides.join(', ')}.`))
    done()
  })
}

/** Apart from the above, because the query of an unknown path never went through our parser. */
export function refuseEndlessQueries(server: Server): void {
  server.addHook('onRequest', ({ query }, _reply, done) => {
    if (parameterCount(query as Query) > limits.queryParameters)
      return done(new Problem('InvalidRequest', `A query has at most ${limits.queryParameters} parameters.`))
    done()
  })
}

/** Sheds load instead of queueing it without end: better a quick "later" than a late answer nobody waits for. */
export function boundRequestsInFlight(server: Server, most: number): void {
  let inFlight = 0
  server.decorate('requestsInFlight', { getter: () => inFlight })
  const leave = () => {
    inFlight -= 1
  }
  server.addHook('onRequest', ({ routeOptions, raw }, reply, done) => {
    if (routeOptions.config.alwaysAnswered) return done()
    // What another request makes in process was admitted with it.
    if (inFlight >= most && !isInProcess(raw)) return done(unavailable())
    inFlight += 1
    // Also when the caller hangs up, where onResponse would never come.
    reply.raw.once('close', leave)
    done()
  })
}
