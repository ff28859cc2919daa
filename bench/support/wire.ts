import { connect, type Socket } from 'node:net'

/** Prefix of every path that needs a token. */
export const basePath = '/sim/openapi'

/** Everything as latin1, so that a character is a byte. */
export type Answer = Readonly<{ status: number; head: string; body: string }>

const lastChunk = '\r\n0\r\n\r\n'

/** One kept-alive connection that sends ready-made bytes and reads answers of a stated length or in chunks. node:http's client
 *  costs about as much as a server, and would compete with the servers for two cores. */
export class Wire {
  readonly #socket: Socket
  #received = ''
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('data', (text) => {
      this.#received += text
      this.#answer()
    })
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('The server hung up.')))
  }

  static open(port: number): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, 'localhost', () => {
        socket.off('error', reject)
        resolve(new Wire(socket))
      }).once('error', reject)
    })
  }

  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(request, 'latin1')
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #answer(): void {
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = this.#received.slice(0, headEnd)
    const end = this.#endOf(head)
    if (end === undefined || this.#received.length < end) return
    const answer = { status: Number(head.slice(9, 12)), head, body: this.#received.slice(headEnd + 4, end) }
    this.#received = this.#received.slice(end)
    this.#waiting?.resolve(answer)
  }

  /** Where the answer ends; undefined if that has not arrived yet. */
  #endOf(head: string): number | undefined {
    const start = head.length + 4
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length !== undefined) return start + Number(length)
    if (!/\r\ntransfer-encoding: chunked/i.test(head)) this.#fail(new Error(`An answer without a length: ${head}`))
    // JSON has no line breaks, so this is nothing but the last chunk.
    const last = this.#received.indexOf(lastChunk, start)
    return last < 0 ? undefined : last + lastChunk.length
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error)
    this.#socket.destroy()
  }
}

export function get(path: string, token?: string): string {
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${authorization}\r\n`
}

function post(path: string, authorization: string, type: string, body: string): string {
  const head = [`POST ${path} HTTP/1.1`, 'host: localhost', `authorization: ${authorization}`, `content-type: ${type}`]
  return `${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

export function postForm(path: string, client: { id: string; secret: string }, form: Record<string, string>): string {
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
  return post(path, `Basic ${basic}`, 'application/x-www-form-urlencoded', new URLSearchParams(form).toString())
}

/** A batch to a service group, with its parts. */
export const postBatch = (path: string, token: string | undefined, parts: string): string =>
  post(path, `Bearer ${token}`, 'multipart/mixed; boundary="+"', parts)

/** Sends one request on a connection of its own. */
export async function ask(port: number, request: string): Promise<Answer> {
  const wire = await Wire.open(port)
  try {
    return await wire.send(request)
  } finally {
    wire.close()
  }
}

/** Reads a metric without labels. */
export async function scrape(port: number, name: string): Promise<number> {
  const { body } = await ask(port, get('/metrics'))
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]
  if (value === undefined) throw new Error(`/metrics has no ${name}.`)
  return Number(value)
}
