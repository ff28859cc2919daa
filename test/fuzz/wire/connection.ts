import { connect, type Socket } from 'node:net'
import { type Response, readResponse } from './response.ts'

/** A request is answered, or its connection closed, within this time. Generous, because the machine may be busy. */
export const answerSeconds = 60

/** What is not answered by then is taken for incomplete. */
const completeMilliseconds = 100

export class Hang extends Error {}

/** What came back: the responses in order, until the connection was closed or the last one was complete. */
export type Exchange = Readonly<{ responses: readonly Response[]; isClosed: boolean }>

/** A connection that sends raw bytes. It opens again after it was closed. */
export class Connection {
  readonly #port: number
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #isEnded = false
  #wake: (() => void) | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Sends one well-formed request and waits for its response. */
  async ask(bytes: Buffer): Promise<Exchange> {
    const reused = this.#socket !== undefined
    await this.#write(bytes)
    const first = await this.#next(bytes)
    // The service may close an idle connection at the moment when it is used again.
    if (!first && reused && this.#received.length === 0) {
      this.close()
      return this.ask(bytes)
    }
    if (!first?.isOpen || this.#received.length > 0) this.close()
    return { responses: first ? [first] : [], isClosed: first === undefined }
  }

  /** Sends bytes that may be no request, or several, on a connection of their own, and ends the sending side. */
  async tell(bytes: Buffer): Promise<Exchange> {
    this.close()
    await this.#write(bytes)
    // An incomplete request gets no answer, so its end must come first; a complete one may lose its answer then.
    const end = setTimeout(() => this.#socket?.end(), completeMilliseconds)
    const responses: Response[] = []
    for (;;) {
      const response = await this.#next(bytes)
      clearTimeout(end)
      this.#socket?.end()
      if (!response) break
      responses.push(response)
    }
    this.close()
    return { responses, isClosed: true }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
    this.#received = Buffer.alloc(0)
    this.#isEnded = false
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#socket ??= await this.#open()
    this.#socket.write(bytes)
  }

  async #open(): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true })
    const isCurrent = () => this.#socket === socket
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    socket.removeAllListeners('error')
    const end = () => {
      if (!isCurrent()) return
      this.#isEnded = true
      this.#wake?.()
    }
    socket.on('error', end).on('end', end).on('close', end)
    socket.on('data', (chunk: Buffer) => {
      if (!isCurrent()) return
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#wake?.()
    })
    return socket
  }

  /** The next response; undefined if the connection ends first. */
  async #next(request: Buffer): Promise<Response | undefined> {
    const isHead = request.subarray(0, 5).toString('latin1') === 'HEAD '
    for (;;) {
      const found = this.#received.length > 0 ? readResponse(this.#received, isHead, this.#isEnded) : undefined
      if (found) {
        this.#received = this.#received.subarray(found.length)
        if (found.response.status !== 100) return found.response
        continue
      }
      if (this.#isEnded) return undefined
      await this.#more()
    }
  }

  async #more(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const limit = setTimeout(() => reject(new Hang(`no answer within ${answerSeconds} s`)), answerSeconds * 1000)
    this.#wake = resolve
    try {
      await promise
    } finally {
      clearTimeout(limit)
      this.#wake = undefined
    }
  }
}
