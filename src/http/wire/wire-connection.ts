import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setResponseOn } from '../../core/network/node-http.ts'
import { moveCount } from '../limits/rate-limits.ts'
import type { HeaderBlock, HeaderBlocks } from './header-blocks.ts'
import type { HeaderLines } from './header-lines.ts'
import type { OutputBuffer } from './output-buffer.ts'
import { readWireHead, type WireHead } from './wire-head.ts'
import { WireRequest } from './wire-request.ts'
import { WireResponse } from './wire-response.ts'

/** Starts to serve a request; returns false if it cannot. `giveBack` lets node:http read the request after all. */
export type ServeWire = (request: WireRequest, response: WireResponse, giveBack: () => void) => boolean

/** Longer requests are for the parser of node:http. */
const maxBytes = 8_192
/** The headers of a longer one are not kept for the next one: they keep all of it in memory, for each connection. */
const maxKeptBytes = 2_048

/**
 * Who reads what arrives:
 * - `new`: the first request is read by node:http, which otherwise takes the connection for one that sends nothing;
 * - `idle`: we do;
 * - `serving`: no one, until our response has left;
 * - `lent`: node:http serves one whole request, and knows of no part of another;
 * - `given`: node:http, as long as the connection is open.
 */
type State = 'new' | 'idle' | 'serving' | 'lent' | 'given'

type Pending = Readonly<{ request: WireRequest; response: WireResponse; text: string }>

type Options = Readonly<{
  blocks: HeaderBlocks
  lines: HeaderLines
  output: OutputBuffer
  serve: ServeWire
  parse: (bytes: Buffer) => void
}>

/** A connection on which plain requests are read without the parser of node:http. It gets every byte that is not served here. */
export class WireConnection {
  readonly socket: Socket
  readonly lines: HeaderLines
  readonly output: OutputBuffer
  readonly #server: HttpServer
  readonly #blocks: HeaderBlocks
  readonly #serve: ServeWire
  readonly #parse: (bytes: Buffer) => void
  #state: State = 'new'
  #last: HeaderBlock | undefined
  #pending: Pending | undefined
  #held: Buffer | undefined
  #givenBack: WireRequest | undefined

  /** `parse` hands bytes to the parser of node:http. */
  constructor(server: HttpServer, socket: Socket, { blocks, lines, output, serve, parse }: Options) {
    this.#server = server
    this.#blocks = blocks
    this.socket = socket
    this.lines = lines
    this.output = output
    this.#serve = serve
    this.#parse = parse
    socket.once('close', () => this.#pending?.response.abort())
  }

  get keepAliveSeconds(): number {
    return Math.floor(this.#server.keepAliveTimeout / 1_000)
  }

  /** Reads the first `length` bytes. The buffer is used again after the call, so what is kept is copied. */
  readonly read = (buffer: Buffer, length = buffer.length): void => {
    if (this.#state === 'serving') {
      this.#hold(buffer.subarray(0, length))
      return
    }
    const isBetween = this.#state === 'new' || this.#state === 'idle'
    const text = isBetween && length <= maxBytes ? buffer.toString('latin1', 0, length) : undefined
    const head = text === undefined ? undefined : readWireHead(text, this.#blocks, this.#last)
    this.#last = length <= maxKeptBytes ? head?.block : undefined
    if (head && this.#state === 'idle' && this.#begins(head, text as string)) return
    this.#state = head ? 'lent' : 'given'
    this.#parse(Buffer.from(buffer.subarray(0, length)))
  }

  #begins(head: WireHead, text: string): boolean {
    if (head.method !== 'GET' || head.block.headers['content-length'] !== undefined) return false
    const request = new WireRequest(head, this.socket)
    const response = new WireResponse(this)
    if (!this.#serve(request, response, this.#giveBack)) return false
    this.#state = 'serving'
    this.#pending = { request, response, text }
    setResponseOn(this.socket, response.asOutgoing)
    return true
  }

  /** A caller that does not wait for the response. It is read no further until that has left. */
  #hold(bytes: Buffer): void {
    this.#held = Buffer.concat(this.#held ? [this.#held, bytes] : [bytes])
    this.socket.pause()
  }

  readonly #readHeld = (): void => {
    const held = this.#held
    if (!held || this.socket.destroyed) return
    this.#held = undefined
    this.socket.resume()
    this.read(held)
  }

  readonly #giveBack = (): void => {
    const { request, text } = this.#pending as Pending
    this.#pending = undefined
    setResponseOn(this.socket, null)
    if (this.socket.destroyed) return
    this.#state = 'lent'
    this.#givenBack = request
    this.#parse(Buffer.from(text, 'latin1'))
    this.#givenBack = undefined
    this.#readHeld()
  }

  /** A request that node:http has read. Returns whether it was given back. */
  receive(raw: IncomingMessage, response: ServerResponse): boolean {
    if (this.#state === 'lent')
      response.once('close', () => {
        if (this.#state === 'lent' && raw.complete) this.#state = 'idle'
      })
    const before = this.#givenBack
    if (!before) return false
    this.#givenBack = undefined
    moveCount(before.asIncoming, raw)
    return true
  }

  /** The caller may take as long as with a response of node:http. */
  onStall(): void {
    this.socket.setTimeout(this.#server.timeout)
  }

  onClose(isLast: boolean): void {
    const { socket } = this
    this.#pending = undefined
    setResponseOn(socket, null)
    if (socket.destroyed) return
    // Once the server closes, it does not look for idle connections again.
    if (isLast || !this.#server.listening) return void socket.destroySoon()
    this.#state = 'idle'
    const { keepAliveTimeout, keepAliveTimeoutBuffer } = this.#server
    const idleMs = keepAliveTimeout + keepAliveTimeoutBuffer
    if (keepAliveTimeout > 0 && socket.timeout !== idleMs) socket.setTimeout(idleMs)
    // After the caller of `end` has looked at the socket: the next response may be written immediately.
    if (this.#held) queueMicrotask(this.#readHeld)
  }
}
