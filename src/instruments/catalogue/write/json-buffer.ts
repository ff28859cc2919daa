import type { Slices } from '../segment.ts'

const comma = 44

/** Builds JSON as bytes from slices of an arena and short strings. */
export class JsonBuffer {
  #bytes: Buffer
  #length = 0

  constructor(capacity = 16_384) {
    this.#bytes = Buffer.allocUnsafe(capacity)
  }

  get length(): number {
    return this.#length
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  /** ASCII only; faster than `text`. */
  ascii(text: string): this {
    this.#reserve(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
    return this
  }

  text(text: string): this {
    this.#reserve(text.length * 3)
    this.#length += this.#bytes.write(text, this.#length)
    return this
  }

  bytes(bytes: Uint8Array): this {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
    return this
  }

  /** A slice of JSON members followed by a comma; nothing for an empty slice. */
  members(arena: Uint8Array, { starts, lengths }: Slices, index: number): this {
    const length = lengths[index] as number
    if (length === 0) return this
    const start = starts[index] as number
    this.bytes(arena.subarray(start, start + length))
    return this.ascii(',')
  }

  /** Closes an object, replacing a trailing comma. */
  close(): this {
    if (this.#bytes[this.#length - 1] === comma) this.#length--
    return this.ascii('}')
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
