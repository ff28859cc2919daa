import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { parameterCount, type Query } from '../input/query.ts'
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
