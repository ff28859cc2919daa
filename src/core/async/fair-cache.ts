type Entry<Value> = { readonly value: Value; readonly size: number; group: string; isAside: boolean }
type Weight = (entry: Entry<unknown>) => number

/** What several groups use belongs to none of them. */
const shared = ''

const one: Weight = () => 1
const sizeOf: Weight = ({ size }) => size

/** Keeps a limited number of values of a limited total size. Entries of the group with the most are evicted first, the least
 *  recently used ones: a group loses nothing while another has more. Values that several groups use are evicted when no group has
 *  two, each as if it were a group. If too much is left by size and the largest value is the only one of its group, it is set
 *  aside: one such value, of any size, is kept besides the others, until the next one is set aside. */
export class FairCache<Value> {
  /** Those used last come last. */
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #maxKept: number
  readonly #maxSize: number

  constructor(maxKept: number, maxSize: number) {
    this.#maxKept = maxKept
    this.#maxSize = maxSize
  }

  get(key: string, group: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (entry.group !== group) entry.group = shared
    return entry.value
  }

  set(key: string, group: string, value: Value, size: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, size, group, isAside: false })
    while (this.#total(sizeOf) > this.#maxSize) {
      const [oldest, ...others] = this.#heaviest(sizeOf)
      if (others.length === 0) this.#setAside(oldest)
      else this.#entries.delete(oldest)
    }
    while (this.#total(one) > this.#maxKept) this.#entries.delete(this.#heaviest(one)[0])
  }

  clear(): void {
    this.#entries.clear()
  }

  /** Of the values that are not set aside. */
  #total(weight: Weight): number {
    return this.#entries.values().reduce((sum, entry) => sum + (entry.isAside ? 0 : weight(entry)), 0)
  }

  /** The keys of the group with the most, the oldest first. */
  #heaviest(weight: Weight): [string, ...string[]] {
    const counted = [...this.#entries].filter(([, { isAside }]) => !isAside)
    const ofGroups = counted.filter(([, { group }]) => group !== shared)
    const groups = [...Map.groupBy(ofGroups, ([, { group }]) => group).values()]
    const candidates = groups.some(({ length }) => length > 1) ? groups : counted.map((entry) => [entry])
    const weights = candidates.map((entries) => entries.reduce((sum, [, entry]) => sum + weight(entry), 0))
    const [first = '', ...others] = (candidates[weights.indexOf(Math.max(...weights))] ?? []).map(([key]) => key)
    return [first, ...others]
  }

  #setAside(key: string): void {
    for (const [other, { isAside }] of this.#entries) if (isAside) this.#entries.delete(other)
    const entry = this.#entries.get(key)
    if (entry) entry.isAside = true
  }
}
