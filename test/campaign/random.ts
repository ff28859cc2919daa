/** Seeded random numbers (mulberry32): the same seed gives the same numbers on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(lowest: number, highest: number): number {
    return lowest + this.next() * (highest - lowest)
  }

  /** A whole number, both ends included. */
  whole(lowest: number, highest: number): number {
    return Math.floor(this.between(lowest, highest + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)] as T
  }

  shuffled<T>(values: readonly T[]): T[] {
    const order = [...values]
    for (let last = order.length - 1; last > 0; last--) {
      const other = this.whole(0, last)
      ;[order[last], order[other]] = [order[other] as T, order[last] as T]
    }
    return order
  }
}
