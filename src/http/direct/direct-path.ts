import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { limits } from '../limits/buckets.ts'
import type { InFlight } from '../limits/in-flight.ts'
import { type Counted, keepCount } from '../limits/rate-limits.ts'
import { compress } from '../output/compression.ts'
import { type NodeFacts, setCommonHeaders } from '../output/correlation.ts'
import type { Observations } from '../output/observations.ts'
import { completeResponse } from '../pipeline.ts'
import { DirectReply } from './direct-reply.ts'
import { DirectRequest } from './direct-request.ts'
import { type DirectRoute, type DirectRoutes, type Match, readParameters } from './direct-routes.ts'

type Next = (raw: IncomingMessage, response: ServerResponse) => void

export type DirectOptions = Readonly<{
  routes: DirectRoutes
  inFlight: InFlight
  node: NodeFacts
  isDraining(): boolean
  /** The caller's address, behind trusted proxies too. */
  addressOf(raw: IncomingMessage): string | undefined
  observations: Observations
  log: FastifyBaseLogger
}>

/**
 * Serves the most frequent requests without the framework: GET of an operation that is in memory, by a caller whose token is
 * known (docs/decisions/0016-direct-path.md). They pass the same steps as all others. Everything unusual, such as an error,
 * goes to `next`, the framework, which answers as if the direct path did not exist.
 */
export function directPath(
  options: DirectOptions,
): (raw: IncomingMessage, response: ServerResponse, next: Next) => void {
  return (raw, response, next) => {
    try {
      const match = matchOf(options, raw)
      if (match && serve(options, match, raw, response)) return
    } catch (error) {
      // A bug. The framework may succeed, or answers with 500.
      options.log.error({ err: error }, 'unexpected error')
      if (response.headersSent) {
        response.destroy()
        return
      }
    }
    next(raw, response)
  }
}

function matchOf({ routes, inFlight }: DirectOptions, raw: IncomingMessage): Match | undefined {
  const { method, url = '', headers } = raw
  if (method !== 'GET' || url.length > limits.urlCharacters || inFlight.isFullFor(raw)) return undefined
  if (headers.host === undefined) return undefined
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody ? undefined : routes.find(url)
}

/** Returns false if the framework must serve the request. */
function serve(options: DirectOptions, match: Match, raw: IncomingMessage, response: ServerResponse): boolean {
  const { route } = match
  const { steps = {} } = route.scope
  const request = new DirectRequest(raw, route, options.addressOf)
  const reply = new DirectReply(performance.now())
  if (!steps.admitKnown?.(request)) return false
  const counted = steps.count?.(request)
  let isServed = false
  try {
    isServed = !counted?.problem && answer(options, match, { request, reply, response, route }, counted)
  } finally {
    // The framework does not count it again, not even after a bug.
    if (counted && !isServed) keepCount(raw, counted)
  }
  return isServed
}

/** Sends a remembered response, or has one made. */
function answer(options: DirectOptions, match: Match, exchange: Exchange, counted: Counted | undefined): boolean {
  const { request, reply, route } = exchange
  if (counted) reply.headers(counted.headers)
  const remembered = attempt(options, () => route.scope.steps?.answer?.(request))
  if (remembered) {
    reply.code(remembered.status).headers(remembered.headers)
    reply.sharesPayload = true
    finish(options, exchange, remembered.body, true)
    return true
  }
  const made = readParameters(request, match) ? attempt(options, () => route.handle(request, reply)) : undefined
  if (made === undefined || made instanceof Promise) {
    // The framework has it made again.
    made?.catch(() => {})
    return false
  }
  finish(options, exchange, made === reply ? undefined : (made as Buffer), false)
  return true
}

/** The framework makes the same error and sends it. */
function attempt<Result>({ log }: DirectOptions, make: () => Result): Result | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof Problem)) log.debug({ err: error }, 'error on the direct path')
    return undefined
  }
}

/** Bytes, or latin1 text of a remembered response. */
type Payload = Buffer | string | undefined
type Exchange = Readonly<{ request: DirectRequest; reply: DirectReply; response: ServerResponse; route: DirectRoute }>

function finish(options: DirectOptions, exchange: Exchange, payload: Payload, isRemembered: boolean): void {
  const { request, reply, response } = exchange
  setCommonHeaders(request, reply, options.node, options.isDraining())
  // What is remembered was compressed before.
  const compressing = isRemembered ? undefined : compress(request, reply, payload)
  if (!compressing) {
    send(exchange, payload, isRemembered)
    if (hasLeft(response)) options.observations.addLater(request, reply)
    else awaitEnd(options, exchange)
    return
  }
  reply.sharesPayload = false
  awaitEnd(options, exchange)
  const fail = (error: unknown) => {
    options.log.error({ err: error, reqId: request.id }, 'response could not be sent')
    response.destroy()
  }
  compressing.then((bytes) => send(exchange, bytes, isRemembered)).catch(fail)
}

/** Whether a response that was ended is in the hands of the system. */
const hasLeft = ({ socket }: ServerResponse): boolean => socket?.writableLength === 0

function awaitEnd({ inFlight, observations }: DirectOptions, { request, reply, response }: Exchange): void {
  inFlight.enter(request.raw, response)
  response.on('finish', () => observations.addLater(request, reply))
}

function send(exchange: Exchange, payload: Payload, isRemembered: boolean): void {
  const { request, reply, response, route } = exchange
  completeResponse(request, reply, payload, route.scope, isRemembered)
  reply.payload = payload
  if (payload === undefined) {
    response.writeHead(reply.statusCode, reply.pairs).end()
    return
  }
  reply.header('content-length', String(payload.length))
  response.writeHead(reply.statusCode, reply.pairs)
  if (typeof payload === 'string') response.end(payload, 'latin1')
  else if (payload.length <= limits.textBytes) response.end(payload.toString('latin1'), 'latin1')
  else response.end(payload)
}
