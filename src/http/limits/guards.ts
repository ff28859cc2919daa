import type { IncomingMessage } from 'node:http'
import { Problem, unavailable } from '../../core/problem.ts'
import { isInProcess } from '../in-process.ts'
import { parameterCount, type Query } from '../input/query.ts'
import type { Server } from '../typed-server.ts'
import { limits } from './buckets.ts'

const overrides = ['PATCH', 'PUT', 'DELETE']

/** For clients that can only POST (§2.8). Runs before routing. */
export function applyMethodOverride(raw: IncomingMessage): void {
  const wanted = raw.headers['x-http-method-override']
  if (raw.method !== 'POST' || typeof wanted !== 'string') return
  const method = wanted.trim().toUpperCase()
  if (overrides.includes(method)) raw.method = method
}

/** Rejects addresses that are too long, and method overrides that are not supported. */
export function limitAddressLength(server: Server): void {
  server.addHook('onRequest', ({ method, url, headers }, _reply, done) => {
    if (url.length > limits.urlCharacters)
      return done(new Problem('UriTooLong', `An address has at most ${limits.urlCharacters} characters.`))
    // A supported override would have changed the method.
    if (method === 'POST' && headers['x-http-method-override'] !== undefined)
      return done(new Problem('InvalidRequest', `X-HTTP-Method-Override must be ${overrides.join(', ')}.`))
    done()
  })
}

/** A hook of its own, after the check of the path: the query of an unknown path is not parsed. */
export function limitQueryParameters(server: Server): void {
  server.addHook('onRequest', ({ query }, _reply, done) => {
    if (parameterCount(query as Query) > limits.queryParameters)
      return done(new Problem('InvalidRequest', `A query has at most ${limits.queryParameters} parameters.`))
    done()
  })
}

/** Sheds load with 503 instead of queueing it without limit. */
export function limitRequestsInFlight(server: Server, max: number): void {
  let inFlight = 0
  server.decorate('requestsInFlight', { getter: () => inFlight })
  const leave = () => {
    inFlight -= 1
  }
  server.addHook('onRequest', ({ routeOptions, raw }, reply, done) => {
    if (routeOptions.config.alwaysAnswered) return done()
    // An in-process request was admitted with the request that makes it.
    if (inFlight >= max && !isInProcess(raw)) return done(unavailable())
    inFlight += 1
    // Unlike onResponse, this also runs if the caller disconnects.
    reply.raw.once('close', leave)
    done()
  })
}
