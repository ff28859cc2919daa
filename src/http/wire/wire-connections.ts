import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { readInto } from '../../core/network/socket-reads.ts'
import { HeaderBlocks } from './header-blocks.ts'
import { HeaderLines } from './header-lines.ts'
import { OutputBuffer } from './output-buffer.ts'
import { type ServeWire, WireConnection } from './wire-connection.ts'

const connection = Symbol('connection')
/** As much as node:net reads at once. */
const readBytes = 65_536
type Connected = Socket & { [connection]?: WireConnection }

/** Reads plain requests of all connections without the parser of node:http (docs/decisions/0027-wire.md). */
export class WireConnections {
  readonly #serve: ServeWire
  readonly #blocks = new HeaderBlocks()
  readonly #lines = new HeaderLines()
  readonly #output = new OutputBuffer()
  /** What arrived last, of any connection. */
  readonly #input = Buffer.allocUnsafeSlow(readBytes)

  constructor(serve: ServeWire) {
    this.#serve = serve
  }

  /** Reads the connections that a server accepts from now on, before its parser does. */
  watch(server: HttpServer): void {
    server.on('connection', (socket: Connected) => {
      const listeners = socket.listeners('data') as ((bytes: Buffer) => void)[]
      const [parse] = listeners
      // The connection was rejected, or the parser is not called as we know it.
      if (!parse || listeners.length > 1 || socket.destroyed) return
      const [blocks, lines, output, serve] = [this.#blocks, this.#lines, this.#output, this.#serve]
      const read = new WireConnection(server, socket, { blocks, lines, output, serve, parse })
      socket[connection] = read
      socket.off('data', parse)
      // This also takes the connection from the parser.
      socket.on('data', read.read)
      const input = this.#input
      readInto(socket, input, (length) => read.read(input, length))
    })
  }

  /** Call this with every request that node:http has read. Returns whether it was given back by `serve`. */
  receive(raw: IncomingMessage, response: ServerResponse): boolean {
    return (raw.socket as Connected | undefined)?.[connection]?.receive(raw, response) ?? false
  }
}
