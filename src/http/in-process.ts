import { EventEmitter } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
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
  /** What was sent. A remembered answer is the same value every time. */
  source?: Buffer | string | undefined
}>

/** Calls our own service in process, with the same checks, limits and responses as over the network. */
export type InProcessCall = (request: InProcessRequest) => MaybePromise<InProcessResponse>

/** Only code has symbols, so no request from outside can have these. */
const isOurs = Symbol('in process')
const ourCaller = Symbol('caller of a call in process')
type Marked = IncomingMessage & { [isOurs]?: true; [ourCaller]?: Caller }

export const isInProcess = (raw: IncomingMessage): boolean => (raw as Marked)[isOurs] === true

/** The caller that a call in process was made for. No request from outside has one. */
export const givenCaller = (raw: IncomingMessage): Caller | undefined => (raw as Marked)[ourCaller]

function mark(raw: Marked, caller: Caller | undefined): void {
  raw[isOurs] = true
  if (caller) raw[ourCaller] = caller
}

/** Takes the direct path if the request may. Unlike server.inject, still accepts calls while the service closes, so that
 *  requests in progress can finish. */
export function callInProcess(server: Server): InProcessCall {
  return ({ isUnlogged, caller, ...request }) => {
    const raw = PlainRequest.of(request)
    if (raw) mark(raw.asIncoming, caller)
    // The direct path has no facts.
    const direct = raw && !isUnlogged ? new DirectResponse() : undefined
    if (raw && direct && isServedDirectly(server, raw.asIncoming, direct)) return direct
    const dispatch = (incoming: IncomingMessage, outgoing: Parameters<Server['routing']>[1]) => {
      mark(incoming, caller)
      if (raw) moveCount(raw.asIncoming, incoming)
      if (isUnlogged) noteFacts({ raw: incoming }, { isUnlogged })
      server.routing(incoming, outgoing)
    }
    if (raw && !request.signal && isPlainUrl(request.url)) return answered(raw, dispatch)
    // What it returns is no promise, only like one.
    return Promise.resolve(inject(dispatch, request))
  }
}

/** Whether the parser of light-my-request would leave an address as it is: no dot segments, and nothing to encode. */
const isPlainUrl = (url: string): boolean => /^\/[\w\-.~!$&()*+,;=:@%/?]*$/.test(url) && !/\/\.|\/\/|%2e/i.test(url)

type Dispatch = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** What the framework answers, without the streams and the copies of light-my-request, which take longer than the framework. */
function answered(raw: PlainRequest, dispatch: Dispatch): Promise<InProcessResponse> {
  return new Promise((resolve, reject) => {
    const response = new KeptResponse()
    raw.onDestroy = () => response.destroy()
    response.once('finish', () => resolve(response))
    response.once('error', reject)
    response.once('close', () => {
      if (!response.writableFinished) reject(new Error('The request was cut before its response was complete.'))
    })
    dispatch(raw.asIncoming, response as unknown as ServerResponse)
  })
}

/** What is read of a request without a body. */
class PlainRequest extends EventEmitter {
  readonly method = 'GET'
  readonly httpVersion = '1.1'
  readonly aborted = false
  readonly url: string
  readonly headers: Record<string, string>
  readonly socket: Readonly<{ remoteAddress: string }>
  onDestroy: (() => void) | undefined

  private constructor(url: string, headers: Record<string, string>, remoteAddress: string) {
    super()
    this.url = url
    this.headers = headers
    this.socket = { remoteAddress }
  }

  /** Undefined if the request is not that simple. */
  static of({ method, url, headers, payload, remoteAddress, signal }: InProcessRequest): PlainRequest | undefined {
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
    return new PlainRequest(url, single, remoteAddress)
  }

  get asIncoming(): IncomingMessage {
    return this as unknown as IncomingMessage
  }

  destroy(): void {
    this.onDestroy?.()
  }
}

/** What the framework writes a response to, as to that of a connection. */
class KeptResponse extends Writable implements InProcessResponse {
  statusCode = 200
  readonly headers: Record<string, unknown> = {}
  headersSent = false
  readonly #chunks: Buffer[] = []

  get rawPayload(): Buffer {
    return this.source ?? Buffer.concat(this.#chunks)
  }

  /** Undefined if it was sent in parts. */
  get source(): Buffer | undefined {
    return this.#chunks.length === 1 ? this.#chunks[0] : undefined
  }

  get body(): string {
    return this.rawPayload.toString()
  }

  writeHead(status: number, headers: OutgoingHttpHeaders): this {
    this.statusCode = status
    for (const name in headers) this.setHeader(name, headers[name])
    this.headersSent = true
    return this
  }

  setHeader(name: string, value: OutgoingHttpHeaders[string]): this {
    this.headers[name.toLowerCase()] = Array.isArray(value) ? value : String(value)
    return this
  }

  getHeader(name: string): unknown {
    return this.headers[name.toLowerCase()]
  }

  getHeaders(): Record<string, unknown> {
    return this.headers
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined
  }

  removeHeader(name: string): void {
    delete this.headers[name.toLowerCase()]
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.headersSent = true
    this.#chunks.push(chunk)
    done()
  }
}

/** What the direct path writes a response to. */
class DirectResponse implements InProcessResponse {
  statusCode = 0
  readonly headers: Record<string, string> = {}
  /** Bytes, or text with a character per byte. */
  source: Buffer | string = ''
  headersSent = false
  hasEnded = false
  readonly socket = { writableLength: 0 }

  get rawPayload(): Buffer {
    return typeof this.source === 'string' ? Buffer.from(this.source, 'latin1') : this.source
  }

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
    if (payload !== undefined) this.source = payload
  }

  destroy(): void {}
}

function isServedDirectly(server: Server, raw: IncomingMessage, response: DirectResponse): boolean {
  server.direct(raw, response as unknown as ServerResponse, () => {})
  return response.hasEnded
}

/** Where the original request came from. Limits and logs of in-process calls apply to it. */
export type RequestSource = Readonly<{
  requestId: string
  remoteAddress: string
  /** The headers that decide whether the request is local: its Host, and what proxies add. */
  forwarded: Record<string, string>
  userAgent: string
}>

export function sourceOf(request: FastifyRequest): RequestSource {
  const { headers } = request
  // An unknown host or address must not pass as this machine.
  const forwarded: Record<string, string> = { host: headers.host ?? 'unknown' }
  for (const name in headers) if (isForwardingHeader(name)) forwarded[name] = String(headers[name])
  return {
    requestId: request.id,
    remoteAddress: request.socket.remoteAddress ?? '0.0.0.0',
    forwarded,
    userAgent: headers['user-agent'] ?? '',
  }
}
