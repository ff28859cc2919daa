import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { WireHead } from './wire-head.ts'

/** A request without a body that was read from the wire. It has what the direct path reads of a request of node:http. */
export class WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly complete = true
  readonly socket: Socket

  constructor({ method, url, block }: WireHead, socket: Socket) {
    this.method = method
    this.url = url
    this.headers = block.headers
    this.rawHeaders = block.rawHeaders
    this.socket = socket
  }

  get destroyed(): boolean {
    return this.socket.destroyed
  }

  get asIncoming(): IncomingMessage {
    return this as unknown as IncomingMessage
  }
}
