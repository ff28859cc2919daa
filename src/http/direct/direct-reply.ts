import type { RestReply } from '../exchange.ts'
import { bodyMemory } from '../output/body-memory.ts'

/** The response to a direct request. Names of headers are in lower case, as everywhere in this project. */
export class DirectReply implements RestReply {
  statusCode = 200
  /** What was sent, for observers: bytes, or text with a character per byte. */
  payload: Buffer | string | undefined
  sharesPayload = false
  isCut = false
  /** Whether sending copies the payload, so that its memory can be used again. */
  isPayloadCopied = false
  /** Names and values in turn, as node:http takes them. */
  readonly pairs: string[] = []
  readonly #start: number

  constructor(start: number) {
    this.#start = start
  }

  get elapsedTime(): number {
    return performance.now() - this.#start
  }

  code(status: number): this {
    this.statusCode = status
    return this
  }

  header(name: string, value: string): this {
    const at = this.#find(name)
    if (at < 0) this.pairs.push(name, value)
    else this.pairs[at + 1] = value
    return this
  }

  headers(values: Readonly<Record<string, string>>): this {
    for (const name in values) this.header(name, values[name] as string)
    return this
  }

  getHeader(name: string): string | undefined {
    const at = this.#find(name)
    return at < 0 ? undefined : this.pairs[at + 1]
  }

  getHeaders(): Record<string, string> {
    const { pairs } = this
    const headers: Record<string, string> = {}
    for (let at = 0; at < pairs.length; at += 2) headers[pairs[at] as string] = pairs[at + 1] as string
    return headers
  }

  hasHeader(name: string): boolean {
    return this.#find(name) >= 0
  }

  removeHeader(name: string): this {
    const at = this.#find(name)
    if (at >= 0) this.pairs.splice(at, 2)
    return this
  }

  send(): this {
    return this
  }

  /** Call this if the payload is kept after the response was sent. */
  detachPayload(): void {
    if (this.isPayloadCopied && Buffer.isBuffer(this.payload)) this.payload = bodyMemory.detach(this.payload)
    this.isPayloadCopied = false
  }

  releasePayload(): void {
    if (this.isPayloadCopied && Buffer.isBuffer(this.payload)) bodyMemory.release(this.payload)
    this.isPayloadCopied = false
  }

  #find(name: string): number {
    const { pairs } = this
    for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === name) return at
    return -1
  }
}
