const slabBytes = 256 * 1024
/** Longer bodies have memory of their own. */
const maxBodyBytes = slabBytes / 8

/** Bodies are written one after another into memory that is used again once all of them were released: an allocation for each costs
 *  more than writing it. One that is never released is safe: once the slab is full, what follows goes into a new one. */
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

  /** The same body in memory of its own, for one that is kept longer than others: it would keep the whole slab. */
  detach(body: Buffer): Buffer {
    if (body.buffer.byteLength !== slabBytes) return body
    const own = Buffer.from(body)
    this.release(body)
    return own
  }

  /** Call this once for a body that nothing reads any more, or not at all. */
  release({ buffer }: Buffer): void {
    if (buffer !== this.#slab.buffer) return
    this.#held -= 1
    if (this.#held === 0) this.#used = 0
  }
}

export const bodyMemory = new BodyMemory()
