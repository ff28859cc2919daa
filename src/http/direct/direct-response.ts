import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { limits } from '../limits/buckets.ts'
import type { InFlight } from '../limits/in-flight.ts'
import { type Counted, keepCount } from '../limits/rate-limits.ts'
import { bodyMemory } from '../output/body-memory.ts'
import { compress } from '../output/compression.ts'
import { type NodeFacts, setCommonHeaders } from '../output/correlation.ts'
import { isRead, type Observations, whenCut } from '../output/observations.ts'
import { completeResponse } from '../pipeline.ts'
import type { Server } from '../typed-server.ts'
import { WireResponse } from '../wire/wire-response.ts'
import type { DirectReply } from './direct-reply.ts'
import type { DirectRequest } from './direct-request.ts'
import type { DirectRoutes } from './direct-routes.ts'

/** The framework. */
export type Next = (raw: IncomingMessage, response: ServerResponse) => void

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

/** Bytes, or latin1 text. */
type Payload = Buffer | string | undefined
export type Exchange = Readonly<{
  request: DirectRequest
  reply: DirectReply
  response: ServerResponse
  /** The scope of the route. */
  scope: Server
  next: Next
  counted?: Counted | undefined
}>
/** A response that is ready to be written. `isAwaited`: it is known already that it cannot leave at once. */
export type ReadyResponse = Exchange & Readonly<{ payload: Payload; isAwaited: boolean }>

/** Sets the headers of a response. One that must be compressed first is sent later. */
export function finish(
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
  const sendCompressed = (bytes: Buffer) => {
    if (Buffer.isBuffer(payload)) bodyMemory.release(payload)
    send(complete(exchange, bytes, isRemembered, isAwaited))
  }
  compressing.then(sendCompressed).catch(fail)
  return 'later'
}

/** RFC 9110 §8.6. */
const withoutLength = new Set([204, 304])

function complete(exchange: Exchange, payload: Payload, isRemembered: boolean, isAwaited: boolean): ReadyResponse {
  const { request, reply, response, scope, next, counted } = exchange
  completeResponse(request, reply, payload, scope, isRemembered)
  reply.payload = payload
  if (payload !== undefined) reply.header('content-length', String(payload.length))
  // So that its end is known.
  else if (!withoutLength.has(reply.statusCode)) reply.header('content-length', '0')
  return { request, reply, response, scope, next, counted, payload, isAwaited }
}

/** Whether a response that was ended is in the hands of the system. */
const hasLeft = ({ socket }: ServerResponse): boolean => socket?.writableLength === 0

/** A change whose response has not left when its connection is closed is observed too. */
function awaitEnd({ inFlight, observations }: DirectOptions, { request, reply, response }: Exchange): void {
  inFlight.enter(request.raw, response)
  response.once('finish', () => void (reply.isCut || observations.addLater(request, reply)))
  if (isRead(request)) return
  whenCut(response, () => {
    reply.isCut = true
    observations.addLater(request, reply)
  })
}

function send({ reply, response, payload }: ReadyResponse): void {
  reply.isPayloadCopied = response instanceof WireResponse
  response.writeHead(reply.statusCode, reply.pairs)
  if (payload === undefined) response.end()
  else if (typeof payload === 'string') response.end(payload, 'latin1')
  else if (payload.length <= limits.textBytes && !(response instanceof WireResponse))
    response.end(payload.toString('latin1'), 'latin1')
  else response.end(payload)
}

/** Writes a response. If that fails, the framework answers. */
export function write(options: DirectOptions, ready: ReadyResponse): void {
  const { response, request, reply } = ready
  try {
    send(ready)
    if (ready.isAwaited) return
    if (hasLeft(response)) {
      options.observations.addLater(request, reply)
      return
    }
    reply.detachPayload()
    awaitEnd(options, ready)
  } catch (error) {
    // A bug. The framework does not count the request again.
    options.log.error({ err: error, reqId: request.id }, 'response could not be sent')
    if (ready.counted) keepCount(request.raw, ready.counted)
    if (response.headersSent) response.destroy()
    else ready.next(request.raw, response)
  }
}
