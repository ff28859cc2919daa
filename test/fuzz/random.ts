/** Random numbers that depend on nothing but a seed and an index (sfc32), so that each request or file can be made alone. */
export class Random {
  #a: number
  #b: number
  #c: number
  #d = 1

  constructor(seed: number, index: number) {
    this.#a = seed | 0
    this.#b = index | 0
    this.#c = 0x9e3779b9
    for (let round = 0; round < 15; round++) this.next()
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0
    this.#d = (this.#d + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    this.#c |= 0
    return (sum >>> 0) / 4_294_967_296
  }

  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  between(first: number, last: number): number {
    return first + this.below(last - first + 1)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('There is nothing to pick from.')
    return from[this.below(from.length)] as T
  }

  /** One of several, each as likely as its weight. */
  weighted<T extends { weight: number }>(from: readonly T[]): T {
    let left = this.next() * from.reduce((sum, { weight }) => sum + weight, 0)
    for (const each of from) {
      left -= each.weight
      if (left < 0) return each
    }
    return from.at(-1) as T
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('')
  }

  /** 16 bytes as the service writes its keys: base64 with `-` and `|`. */
  entityKey(): string {
    const bytes = Buffer.from(this.hex(32), 'hex')
    return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '|')
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)))
  }
}
