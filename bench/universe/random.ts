export type Random = () => number

/** Deterministic random numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const below = (random: Random, limit: number): number => Math.floor(random() * limit)

/** Uniformly distributed. */
export function anyOf<T>(random: Random, list: readonly T[]): T {
  return elementAt(list, below(random, list.length))
}

/** The first far more often than the last, similar to the words of a language (Zipf). */
export function oftenFirst<T>(random: Random, list: readonly T[]): T {
  return elementAt(list, Math.floor((list.length + 1) ** random()) - 1)
}

/** Weighted: a table of [value, weight]. */
export function weighted<T>(table: readonly (readonly [T, number])[]): (random: Random) => T {
  const total = table.reduce((sum, [, weight]) => sum + weight, 0)
  return (random) => {
    let left = random() * total
    const found = table.find(([, weight]) => {
      left -= weight
      return left < 0
    })
    return (found ?? elementAt(table, 0))[0]
  }
}

function elementAt<T>(list: readonly T[], index: number): T {
  const value = list[Math.min(index, list.length - 1)]
  if (value === undefined) throw new Error('Nothing to choose from.')
  return value
}
