/** Counts by key, such as an address. */
export class KeyCounts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, more: 1 | -1): void {
    const count = this.of(key) + more
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}
