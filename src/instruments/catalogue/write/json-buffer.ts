import type { Slices } from '../segment.ts'

/** JSON that is put together from pieces of an arena and short texts, as bytes. */
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

  /** Text of ASCII letters only: names of members, numbers, keys. */
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

  /** A piece of members and the comma behind it; nothing for an empty one. */
  members(arena: Uint8Array, { starts, lengths }: Slices, index: number): this {
    const length = lengths[index] as number
    if (length === 0) return this
    const start = starts[index] as number
    this.#reserve(length + 1)
    this.#bytes.set(arena.subarray(start, start + length), this.#length)
    this.#bytes[this.#length + length] = 44
    this.#length += length + 1
    return this
  }

  /** Ends an object; a comma that was left for another member goes. */
  close(): this {
    if (this.#bytes[this.#length - 1] === 44) this.#length--
    return this.ascii('}')
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
