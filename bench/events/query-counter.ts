import { connect, createServer, type Socket } from 'node:net'
import type { BenchDatabase } from '../support/refdesk.ts'

/** A proxy between a node and PostgreSQL that counts queries by text, whatever library sends them. */
export class QueryCounter {
  /** Executions by text. */
  readonly counts = new Map<string, number>()
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#join(socket))
  readonly #target: string

  private constructor(target: string) {
    this.#target = target
  }

  static async before({ connection }: BenchDatabase): Promise<QueryCounter> {
    const counter = new QueryCounter(`${connection.host}/.s.PGSQL.${connection.port}`)
    await new Promise<void>((resolve) => counter.#server.listen(0, 'localhost', resolve))
    return counter
  }

  /** The address of the database through the proxy. */
  urlOf({ connection }: BenchDatabase): string {
    const address = this.#server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { user, password, database } = connection
    return `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}`
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(asking: Socket): void {
    const answering = connect(this.#target)
    const messages = new FrontendMessages((text) => this.counts.set(text, (this.counts.get(text) ?? 0) + 1))
    for (const [socket, other] of [
      [asking, answering],
      [answering, asking],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
    asking.on('data', (bytes) => messages.take(bytes as Buffer))
    asking.pipe(answering)
    answering.pipe(asking)
  }
}

const textOf = (bytes: Buffer, from: number): string => bytes.toString('utf8', from, bytes.indexOf(0, from))

/** The client messages of a PostgreSQL connection: a letter, a length and the content. */
class FrontendMessages {
  #rest = Buffer.alloc(0)
  #hasStarted = false
  readonly #texts = new Map<string, string>()
  #bound = ''
  readonly #onQuery: (text: string) => void

  constructor(onQuery: (text: string) => void) {
    this.#onQuery = onQuery
  }

  take(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    for (;;) {
      // The first message has no letter.
      const letters = this.#hasStarted ? 1 : 0
      if (this.#rest.length < letters + 4) return
      const length = letters + this.#rest.readInt32BE(letters)
      if (this.#rest.length < length) return
      const message = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      if (this.#hasStarted) this.#read(String.fromCharCode(message[0] ?? 0), message.subarray(5))
      this.#hasStarted = true
    }
  }

  #read(letter: string, body: Buffer): void {
    if (letter === 'Q') this.#onQuery(textOf(body, 0))
    // Parse: an optional name and the text. Bind: a portal and the name of the parsed statement.
    if (letter === 'P') this.#texts.set(textOf(body, 0), textOf(body, body.indexOf(0) + 1))
    if (letter === 'B') this.#bound = this.#texts.get(textOf(body, body.indexOf(0) + 1)) ?? ''
    if (letter === 'E') this.#onQuery(this.#bound)
  }
}
