/** Answers that were made before, up to so many bytes in all; the longest unused go first. */
export class AnswerCache {
  readonly #most: number
  readonly #answers = new Map<string, Buffer>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
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
    this.#answers.set(key, made)
    this.#bytes += made.length
    for (const [oldest, answer] of this.#answers) {
      if (this.#bytes <= this.#most) break
      this.#answers.delete(oldest)
      this.#bytes -= answer.length
    }
    return made
  }
}
