/** Remembers a limited number of keys, the latest noted ones. */
export class NotedKeys {
  readonly #keys = new Set<string>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  note(key: string, isNoted: boolean): void {
    this.#keys.delete(key)
    if (!isNoted) return
    this.#keys.add(key)
    if (this.#keys.size > this.#max) this.#keys.delete(this.#keys.values().next().value as string)
  }
}
