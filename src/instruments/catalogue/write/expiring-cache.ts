/** What is worked out for a moment is kept for as long as it surely stays the same. */
export class ExpiringCache<Value> {
  readonly #known = new Map<string, { value: Value; from: number; until: number }>()

  /** `until` is in milliseconds since 1970. */
  get(key: string, now: Temporal.Instant, make: () => { value: Value; until: number }): Value {
    const at = now.epochMilliseconds
    const known = this.#known.get(key)
    if (known && at >= known.from && at < known.until) return known.value
    const made = make()
    this.#known.set(key, { ...made, from: at })
    return made.value
  }
}
