import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
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
export function requireShortAddress({ method, url, headers }: FastifyRequest): void {
  if (url.length > limits.urlCharacters)
    throw new Problem('UriTooLong', `An address has at most ${limits.urlCharacters} characters.`)
  // A supported override would have changed the method.
  if (method === 'POST' && headers['x-http-method-override'] !== undefined)
    throw new Problem('InvalidRequest', `X-HTTP-Method-Override must be ${overrides.join(', ')}.`)
}

export function requireFewParameters({ query }: FastifyRequest): void {
  if (parameterCount(query as Query) > limits.queryParameters)
    throw new Problem('InvalidRequest', `A query has at most ${limits.queryParameters} parameters.`)
}

/** Sheds load with 503 instead of queueing it without limit. Returns the step that counts a request in. */
export function admitInFlight(server: Server, max: number): (request: FastifyRequest, reply: FastifyReply) => void {
  let inFlight = 0
  server.decorate('requestsInFlight', { getter: () => inFlight })
  const leave = () => {
    inFlight -= 1
  }
  return (request, reply) => {
    if (request.routeOptions.config.alwaysAnswered) return
    // An in-process request was admitted with the request that makes it.
    if (inFlight >= max && !isInProcess(request.raw)) throw unavailable()
    inFlight += 1
    // Unlike onResponse, this also runs if the caller disconnects. It runs once.
    reply.raw.on('close', leave)
  }
}
