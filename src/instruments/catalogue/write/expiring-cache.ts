/** Values that are computed for a moment and stay valid until a known later one. */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, { value: Value; from: number; until: number }>()

  /** `until` is in milliseconds since 1970. */
  get(key: string, now: Temporal.Instant, compute: () => { value: Value; until: number }): Value {
    const at = now.epochMilliseconds
    const known = this.#entries.get(key)
    if (known && at >= known.from && at < known.until) return known.value
    const entry = compute()
    this.#entries.set(key, { ...entry, from: at })
    return entry.value
  }
}
