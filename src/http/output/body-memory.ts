const slabBytes = 256 * 1024
/** Longer bodies have memory of their own. */
const maxBodyBytes = slabBytes / 8

/** Bodies are written one behind the other into memory that is used again once all of them were released: an allocation for each
 *  costs more than writing it. One that is never released is safe, because what follows it goes elsewhere when the memory is full. */
export class BodyMemory {
  #slab = Buffer.allocUnsafeSlow(slabBytes)
  #used = 0
  /** How many bodies in the slab were not released. */
  #held = 0

  /** A copy of the first bytes. */
  copy(bytes: Buffer, length: number): Buffer {
    const body = length > maxBodyBytes ? Buffer.allocUnsafeSlow(length) : this.#allocate(length)
    bytes.copy(body, 0, 0, length)
    return body
  }

  #allocate(length: number): Buffer {
    if (this.#used + length > slabBytes) {
      this.#slab = Buffer.allocUnsafeSlow(slabBytes)
      this.#used = 0
      this.#held = 0
    }
    const start = this.#used
    this.#used += length
    this.#held += 1
    return this.#slab.subarray(start, this.#used)
  }

  /** Call this once for a body that nothing reads any more, or not at all. */
  release({ buffer }: Buffer): void {
    if (buffer !== this.#slab.buffer) return
    this.#held -= 1
    if (this.#held === 0) this.#used = 0
  }
}

export const bodyMemory = new BodyMemory()
