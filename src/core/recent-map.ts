/** A map of the entries used last: at least half of `max` of them and at most `max`. A look-up touches little memory, unlike
 *  in a cache that keeps the exact order of use. */
export class RecentMap<Key, Value> {
  readonly #half: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  constructor(max: number) {
    this.#half = max / 2
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }
}
