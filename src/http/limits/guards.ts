import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, unavailable } from '../../core/problem.ts'
import { isInProcess } from '../in-process.ts'
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

/** Counts the requests in progress, and sheds load with 503 instead of queueing it without limit. */
export class InFlight {
  #count = 0
  readonly #max: number

  constructor(max: number = limits.requestsInFlight) {
    this.#max = max
  }

  get count(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#count >= this.#max
  }

  admit(request: FastifyRequest, reply: FastifyReply): void {
    if (request.routeOptions.config.alwaysAnswered) return
    // An in-process request was admitted with the request that makes it.
    if (this.isFull && !isInProcess(request.raw)) throw unavailable()
    this.enter(reply.raw)
  }

  /** Counts a request until its response is sent or its caller disconnects. */
  enter(response: ServerResponse): void {
    this.#count += 1
    response.on('close', this.#leave)
  }

  readonly #leave = () => {
    this.#count -= 1
  }
}
