import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { reasonPhrases } from '../../core/network/node-http.ts'
import type { HeaderLines } from './header-lines.ts'
import type { OutputBuffer } from './output-buffer.ts'

/** What a response needs of its connection. */
type Connection = Readonly<{
  socket: Socket
  lines: HeaderLines
  output: OutputBuffer
  keepAliveSeconds: number
  /** The caller does not take the response at once. */
  onStall(): void
  onClose(isLast: boolean): void
}>

/** The response to a request that was read from the wire. It has what the direct path uses of a response of node:http, and emits
 *  `finish` and `close` like that. Names of headers are in lower case. */
export class WireResponse extends EventEmitter {
  headersSent = false
  /** While it is false, node:http does not close the connection as an idle one when the service stops. */
  finished = false
  closed = false
  readonly socket: Socket
  readonly #connection: Connection
  #head = ''
  #isLast = false

  constructor(connection: Connection) {
    super()
    this.socket = connection.socket
    this.#connection = connection
  }

  get asOutgoing(): ServerResponse {
    return this as unknown as ServerResponse
  }

  /** Throws an error if a value has a character that could end its line (header-lines.ts). */
  writeHead(status: number, pairs: readonly string[]): this {
    const { lines, keepAliveSeconds } = this.#connection
    const connection = valueOf('connection', pairs)
    this.#isLast = connection === 'close'
    const kept = connection ? '' : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`
    this.#head = `HTTP/1.1 ${status} ${reasonPhrases[status] ?? 'unknown'}\r\n${lines.write(pairs)}${lines.date()}${kept}\r\n`
    this.headersSent = true
    return this
  }

  /** Text has a character per byte. */
  end(payload: Buffer | string = ''): void {
    const { socket } = this
    // The caller has closed its side, as node:http understands it: the whole connection.
    if (!socket.writable) {
      this.abort()
      return
    }
    const { output } = this.#connection
    const bytes = output.join(this.#head, payload)
    if (bytes) socket.write(bytes)
    else {
      socket.cork()
      socket.write(this.#head, 'latin1')
      socket.write(payload, 'latin1')
      socket.uncork()
    }
    if (socket.writableLength === 0) {
      this.#close('finish')
      return
    }
    if (bytes) output.giveAway()
    this.#connection.onStall()
    // Called after everything before it was written.
    socket.write('', (error) => {
      if (error) this.abort()
      else this.#close('finish')
    })
  }

  /** The connection was closed. */
  abort(): void {
    this.#close(undefined)
  }

  destroy(): void {
    this.socket.destroy()
  }

  #close(event: 'finish' | undefined): void {
    if (this.closed) return
    this.closed = true
    this.finished = true
    if (event) this.emit(event)
    this.emit('close')
    this.#connection.onClose(this.#isLast)
  }
}

/** Of names and values in turn. */
function valueOf(name: string, pairs: readonly string[]): string | undefined {
  for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === name) return pairs[at + 1]
  return undefined
}
