/** A value that stays valid until a moment in milliseconds since 1970. */
export type Expiring<Value> = Readonly<{ value: Value; until: number }>

/** Values that are computed for a moment and stay valid until a known later one. */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, Expiring<Value> & { from: number }>()

  get(key: string, now: number, compute: () => Expiring<Value>): Expiring<Value> {
    const known = this.#entries.get(key)
    if (known && now >= known.from && now < known.until) return known
    const entry = { ...compute(), from: now }
    this.#entries.set(key, entry)
    return entry
  }
}
