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

/** Without a Host a request is invalid (RFC 9112 §3.2), although nothing here depends on its value. */
export const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion !== '1.0'

/** Rejects requests without a Host, addresses that are too long, and method overrides that are not supported. */
export function requireValidHead({ method, url, headers, raw }: FastifyRequest): void {
  if (lacksHost(raw)) throw new Problem('InvalidRequest', 'A request of HTTP/1.1 must have a Host header.')
  if (url.length > limits.urlCharacters)
    throw new Problem('UriTooLong', `An address has at most ${limits.urlCharacters} characters.`)
  // A supported override would have changed the method.
  if (method === 'POST' && headers['x-http-method-override'] !== undefined)
    throw new Problem('InvalidRequest', `X-HTTP-Method-Override must be ${overrides.join(', ')}.`)
}

export function requireFewParameters({ query }: Pick<FastifyRequest, 'query'>): void {
  if (parameterCount(query as Query) > limits.queryParameters)
    throw new Problem('InvalidRequest', `A query has at most ${limits.queryParameters} parameters.`)
}
