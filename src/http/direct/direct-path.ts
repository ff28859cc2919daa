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
import { Cohorts } from './cohorts.ts'
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

/** A request that the direct path may serve, and when it arrived. */
type PendingRequest = Readonly<{
  match: Match
  raw: IncomingMessage
  response: ServerResponse
  next: Next
  start: number
}>

/** Bytes, or latin1 text of a remembered response. */
type Payload = Buffer | string | undefined
type Exchange = Readonly<{
  request: DirectRequest
  reply: DirectReply
  response: ServerResponse
  route: DirectRoute
  next: Next
  counted: Counted | undefined
}>
/** A response that is ready to be written. `isAwaited`: it is known already that it cannot leave at once. */
type ReadyResponse = Exchange & Readonly<{ payload: Payload; isAwaited: boolean }>

/**
 * Serves the most frequent requests without the framework: GET of an operation that is in memory, by a caller whose token is
 * known (docs/decisions/0016-direct-path.md). They pass the same steps as all others. Everything unusual, such as an error,
 * goes to `next`, the framework, which answers as if the direct path did not exist.
 */
export class DirectPath {
  readonly #options: DirectOptions
  readonly #cohorts = new Cohorts<PendingRequest, ReadyResponse>(
    // A request whose client has left has no one to answer.
    (pending) => (pending.raw.destroyed ? undefined : this.#prepare(pending)),
    (ready) => this.#write(ready),
  )

  constructor(options: DirectOptions) {
    this.#options = options
  }

  /** Serves a request together with others that arrive at the same time. */
  receive(raw: IncomingMessage, response: ServerResponse, next: Next): void {
    const match = matchOf(this.#options, raw)
    if (match) this.#cohorts.add({ match, raw, response, next, start: performance.now() })
    else next(raw, response)
  }

  /** Serves a request at once. */
  readonly serve = (raw: IncomingMessage, response: ServerResponse, next: Next): void => {
    const match = matchOf(this.#options, raw)
    const ready = match && this.#prepare({ match, raw, response, next, start: performance.now() })
    if (ready) this.#write(ready)
    else if (!match) next(raw, response)
  }

  /** Returns undefined if the response is written later or by the framework. */
  #prepare(pending: PendingRequest): ReadyResponse | undefined {
    const { raw, response, next } = pending
    try {
      const ready = serve(this.#options, pending)
      if (ready) return ready === 'later' ? undefined : ready
    } catch (error) {
      // A bug. The framework may succeed, or answers with 500.
      this.#options.log.error({ err: error }, 'unexpected error')
    }
    next(raw, response)
    return undefined
  }

  #write(ready: ReadyResponse): void {
    const { response, request, reply } = ready
    try {
      send(ready)
      if (ready.isAwaited) return
      if (hasLeft(response)) this.#options.observations.addLater(request, reply)
      else awaitEnd(this.#options, ready)
    } catch (error) {
      // A bug, as above. The framework does not count the request again.
      this.#options.log.error({ err: error, reqId: request.id }, 'response could not be sent')
      if (ready.counted) keepCount(request.raw, ready.counted)
      if (response.headersSent) response.destroy()
      else ready.next(request.raw, response)
    }
  }
}

function matchOf({ routes }: DirectOptions, raw: IncomingMessage): Match | undefined {
  const { method, url = '', headers } = raw
  if (method !== 'GET' || url.length > limits.urlCharacters) return undefined
  if (headers.host === undefined) return undefined
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody ? undefined : routes.find(url)
}

/** Undefined if the framework must serve the request. */
type Outcome = ReadyResponse | 'later' | undefined

function serve(options: DirectOptions, { match, raw, response, next, start }: PendingRequest): Outcome {
  if (options.inFlight.isFullFor(raw)) return undefined
  const { route } = match
  const { steps = {} } = route.scope
  const request = new DirectRequest(raw, route, options.addressOf)
  const reply = new DirectReply(start)
  if (!steps.admitKnown?.(request)) return undefined
  const counted = steps.count?.(request)
  let outcome: Outcome
  try {
    if (!counted?.problem) outcome = answer(options, match, { request, reply, response, route, next, counted })
  } finally {
    // The framework does not count it again, not even after a bug.
    if (counted && !outcome) keepCount(raw, counted)
  }
  return outcome
}

/** Takes a remembered response, or makes one. */
function answer(options: DirectOptions, match: Match, exchange: Exchange): Outcome {
  const { request, reply, route, counted } = exchange
  if (counted) reply.headers(counted.headers)
  const remembered = attempt(options, () => route.scope.steps?.answer?.(request))
  if (remembered) {
    reply.code(remembered.status).headers(remembered.headers)
    reply.sharesPayload = true
    return finish(options, exchange, remembered.body, true)
  }
  const payload = readParameters(request, match) ? attempt(options, () => route.handle(request, reply)) : undefined
  if (payload === undefined || payload instanceof Promise) {
    // The framework makes it again.
    payload?.catch(() => {})
    return undefined
  }
  return finish(options, exchange, payload === reply ? undefined : (payload as Buffer), false)
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

function finish(
  options: DirectOptions,
  exchange: Exchange,
  payload: Payload,
  isRemembered: boolean,
): ReadyResponse | 'later' {
  const { request, reply, response } = exchange
  setCommonHeaders(request, reply, options.node, options.isDraining())
  // What is remembered was compressed before.
  const compressing = isRemembered ? undefined : compress(request, reply, payload)
  // In a pipeline, behind other responses, it has no socket yet.
  const isAwaited = compressing !== undefined || response.socket === null
  if (isAwaited) awaitEnd(options, exchange)
  if (!compressing) return complete(exchange, payload, isRemembered, isAwaited)
  reply.sharesPayload = false
  const fail = (error: unknown) => {
    options.log.error({ err: error, reqId: request.id }, 'response could not be sent')
    response.destroy()
  }
  compressing.then((bytes) => send(complete(exchange, bytes, isRemembered, isAwaited))).catch(fail)
  return 'later'
}

function complete(exchange: Exchange, payload: Payload, isRemembered: boolean, isAwaited: boolean): ReadyResponse {
  const { request, reply, response, route, next, counted } = exchange
  completeResponse(request, reply, payload, route.scope, isRemembered)
  reply.payload = payload
  if (payload !== undefined) reply.header('content-length', String(payload.length))
  return { request, reply, response, route, next, counted, payload, isAwaited }
}

/** Whether a response that was ended is in the hands of the system. */
const hasLeft = ({ socket }: ServerResponse): boolean => socket?.writableLength === 0

function awaitEnd({ inFlight, observations }: DirectOptions, { request, reply, response }: Exchange): void {
  inFlight.enter(request.raw, response)
  response.on('finish', () => observations.addLater(request, reply))
}

function send({ reply, response, payload }: ReadyResponse): void {
  response.writeHead(reply.statusCode, reply.pairs)
  if (payload === undefined) response.end()
  else if (typeof payload === 'string') response.end(payload, 'latin1')
  else if (payload.length <= limits.textBytes) response.end(payload.toString('latin1'), 'latin1')
  else response.end(payload)
}
