import type { Numbers } from './record.ts'

/** Where the numbers of a record are, before its text and its body. */
const at = {
  bytes: 0,
  textBytes: 4,
  count: 8,
  logged: 16,
  clock: 24,
  milliseconds: 32,
  status: 40,
  route: 42,
  sent: 44,
}
const headBytes = 48
/** Added to the status of an entry that is shown. */
const shown = 0x8000

export type KeptRecord = Readonly<{ count: number; numbers: Numbers; text: string; body: Buffer }>

/** A piece of memory with the records of one client, oldest first. */
export class Chunk {
  readonly #bytes: Buffer
  readonly #numbers: DataView
  #start = 0
  #end = 0
  #entries = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** What a record needs at most. */
  static bytesFor(text: string, bodyBytes: number): number {
    return headBytes + 3 * text.length + bodyBytes
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  get entries(): number {
    return this.#entries
  }

  hasRoom(bytes: number): boolean {
    return this.#bytes.length - this.#end >= bytes
  }

  /** A body is bytes, or text with a character per byte. */
  add(count: number, numbers: Numbers, text: string, body: Buffer | string | undefined, bodyBytes: number): void {
    const start = this.#end
    const textAt = start + headBytes
    const textBytes = this.#bytes.write(text, textAt)
    const bodyAt = textAt + textBytes
    if (typeof body === 'string') this.#bytes.write(body, bodyAt, bodyBytes, 'latin1')
    else if (body) body.copy(this.#bytes, bodyAt, 0, bodyBytes)
    this.#end = bodyAt + bodyBytes
    const view = this.#numbers
    view.setUint32(start + at.bytes, this.#end - start)
    view.setUint32(start + at.textBytes, textBytes)
    view.setFloat64(start + at.count, count)
    view.setFloat64(start + at.logged, numbers.loggedMs)
    view.setFloat64(start + at.clock, numbers.clockMs)
    view.setFloat64(start + at.milliseconds, numbers.milliseconds)
    view.setUint16(start + at.status, numbers.isShown ? numbers.status + shown : numbers.status)
    view.setUint16(start + at.route, numbers.route)
    view.setUint32(start + at.sent, numbers.responseBytes)
    this.#entries += 1
  }

  dropFirst(): void {
    this.#start += this.#numbers.getUint32(this.#start + at.bytes)
    this.#entries -= 1
  }

  /** The places of its records, oldest first, each with its count. */
  *places(): Generator<Readonly<{ start: number; count: number }>> {
    for (let start = this.#start; start < this.#end; start += this.#numbers.getUint32(start + at.bytes))
      yield { start, count: this.#numbers.getFloat64(start + at.count) }
  }

  /** Copies, because the memory is used again. */
  read(start: number): KeptRecord {
    const view = this.#numbers
    const textAt = start + headBytes
    const bodyAt = textAt + view.getUint32(start + at.textBytes)
    const status = view.getUint16(start + at.status)
    return {
      count: view.getFloat64(start + at.count),
      numbers: {
        loggedMs: view.getFloat64(start + at.logged),
        clockMs: view.getFloat64(start + at.clock),
        milliseconds: view.getFloat64(start + at.milliseconds),
        status: status % shown,
        route: view.getUint16(start + at.route),
        isShown: status >= shown,
        responseBytes: view.getUint32(start + at.sent),
      },
      text: this.#bytes.toString('utf8', textAt, bodyAt),
      body: Buffer.from(this.#bytes.subarray(bodyAt, start + view.getUint32(start + at.bytes))),
    }
  }
}
