/** Answers that were made before, up to so many bytes in all; the longest unused go first. */
export class ResponseCache {
  readonly #most: number
  readonly #answers = new Map<string, Buffer>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  /** How much memory it takes. */
  get bytes(): number {
    return this.#bytes
  }

  get(key: string, make: () => Buffer): Buffer {
    const known = this.#answers.get(key)
    if (known) {
      this.#answers.delete(key)
      this.#answers.set(key, known)
      return known
    }
    const made = make()
    // One answer that would push out most of the others is not worth keeping.
    if (made.length > this.#most / 8) return made
    const answer = exactCopy(made)
    this.#answers.set(key, answer)
    this.#bytes += bytesOf(key, answer)
    for (const [oldest, old] of this.#answers) {
      if (this.#bytes <= this.#most) break
      this.#answers.delete(oldest)
      this.#bytes -= bytesOf(oldest, old)
    }
    return answer
  }
}

/** An answer is the beginning of a larger buffer, which would stay in memory with it. */
function exactCopy(answer: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(answer.length)
  answer.copy(copy)
  return copy
}

/** What an entry takes besides its text and its bytes, about. */
const entryBytes = 256

const bytesOf = (key: string, answer: Buffer): number => key.length * 2 + answer.buffer.byteLength + entryBytes
