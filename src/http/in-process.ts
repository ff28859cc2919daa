import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import inject from 'light-my-request'
import type { MaybePromise } from '../core/async/maybe-promise.ts'
import type { Caller } from '../core/caller.ts'
import { isForwardingHeader } from '../core/network/forwarded.ts'
import { moveCount } from './limits/rate-limits.ts'
import { noteFacts } from './request-log/facts.ts'
import type { Server } from './typed-server.ts'

type InProcessRequest = Readonly<{
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string | string[]>
  payload?: string | Buffer
  remoteAddress: string
  /** Ends the request as if the caller had disconnected. */
  signal?: AbortSignal
  /** Keeps it out of the request log. */
  isUnlogged?: boolean
  /** The caller, if the token was checked before; instead of an Authorization header. */
  caller?: Caller
}>

type InProcessResponse = Readonly<{
  statusCode: number
  headers: Record<string, unknown>
  body: string
  rawPayload: Buffer
}>

/** Calls our own service in process, with the same checks, limits and responses as over the network. */
export type InProcessCall = (request: InProcessRequest) => MaybePromise<InProcessResponse>

const inProcess = new WeakSet<IncomingMessage>()

const givenCallers = new WeakMap<IncomingMessage, Caller>()

export const isInProcess = (raw: IncomingMessage): boolean => inProcess.has(raw)

/** The caller that a call in process was made for. No request from outside has one. */
export const givenCaller = (raw: IncomingMessage): Caller | undefined => givenCallers.get(raw)

/** Takes the direct path if the request may. Unlike server.inject, still accepts calls while the service closes, so that
 *  requests in progress can finish. */
export function callInProcess(server: Server): InProcessCall {
  return ({ isUnlogged, caller, ...request }) => {
    // The direct path has no facts.
    const raw = isUnlogged ? undefined : directRequest(request)
    if (raw && caller) givenCallers.set(raw, caller)
    const response = raw && new DirectResponse()
    if (raw && response && isServedDirectly(server, raw, response)) return response
    const dispatch = (incoming: IncomingMessage, outgoing: Parameters<Server['routing']>[1]) => {
      inProcess.add(incoming)
      if (caller) givenCallers.set(incoming, caller)
      if (raw) moveCount(raw, incoming)
      if (isUnlogged) noteFacts({ raw: incoming }, { isUnlogged })
      server.routing(incoming, outgoing)
    }
    // What it returns is no promise, only like one.
    return Promise.resolve(inject(dispatch, request))
  }
}

/** What the direct path reads of a request; undefined if it cannot serve it. */
function directRequest({ method, url, headers, payload, remoteAddress, signal }: InProcessRequest) {
  if (method !== 'GET' || payload !== undefined || signal?.aborted) return undefined
  // As of a request that the framework gets in process.
  const single: Record<string, string> = { host: 'localhost:80' }
  for (const name in headers) {
    const values = headers[name]
    const value = typeof values === 'string' || values?.length !== 1 ? values : values[0]
    if (typeof value !== 'string') return undefined
    single[name] = value
  }
  // Compressed responses are not made at once.
  if (single['accept-encoding'] !== undefined) return undefined
  return { method, url, headers: single, socket: { remoteAddress } } as unknown as IncomingMessage
}

/** What the direct path writes a response to. */
class DirectResponse implements InProcessResponse {
  statusCode = 0
  readonly headers: Record<string, string> = {}
  rawPayload: Buffer = Buffer.alloc(0)
  headersSent = false
  hasEnded = false
  readonly socket = { writableLength: 0 }

  get body(): string {
    return this.rawPayload.toString()
  }

  writeHead(status: number, pairs: readonly string[]): this {
    this.statusCode = status
    this.headersSent = true
    for (let at = 0; at < pairs.length; at += 2) this.headers[pairs[at] as string] = pairs[at + 1] as string
    return this
  }

  end(payload?: Buffer | string): void {
    this.hasEnded = true
    if (payload !== undefined) this.rawPayload = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload
  }

  destroy(): void {}
}

function isServedDirectly(server: Server, raw: IncomingMessage, response: DirectResponse): boolean {
  inProcess.add(raw)
  server.direct(raw, response as unknown as ServerResponse, () => {})
  return response.hasEnded
}

/** Where the original request came from. Limits and logs of in-process calls apply to it. */
export type RequestSource = Readonly<{
  requestId: string
  remoteAddress: string
  forwarded: Record<string, string>
  userAgent: string
}>

export function sourceOf(request: FastifyRequest): RequestSource {
  const { headers } = request
  const forwarded: Record<string, string> = {}
  for (const name in headers) if (isForwardingHeader(name)) forwarded[name] = String(headers[name])
  return {
    requestId: request.id,
    // An unknown address must not pass as loopback.
    remoteAddress: request.socket.remoteAddress ?? '0.0.0.0',
    forwarded,
    userAgent: headers['user-agent'] ?? '',
  }
}
