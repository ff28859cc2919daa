import { shared } from '../../arrays.ts'

/** The first code units of each term as a number, and those of every few terms. A search reads one number per step, in one place,
 *  where comparing terms reads two places that are far apart; the few are a small part of memory, which stays in the cache. */
export type TermKeys = Readonly<{ all: Float64Array; samples: Float64Array }>

const termsPerSample = 16
const unitsPerKey = 7
const unitBase = 128
/** This and all greater code units are one. */
const lastUnit = unitBase - 1
const powers = Array.from({ length: unitsPerKey + 1 }, (_, exponent) => unitBase ** exponent)

export function termKeys({ units, starts }: Readonly<{ units: Uint16Array; starts: Uint32Array }>): TermKeys {
  const all = shared(Float64Array, starts.length - 1)
  for (let term = 0; term < all.length; term++)
    all[term] = keyOf(units, starts[term] as number, starts[term + 1] as number)
  const samples = shared(Float64Array, Math.ceil(all.length / termsPerSample))
  for (let index = 0; index < samples.length; index++) samples[index] = all[index * termsPerSample] as number
  return { all, samples }
}

/** Only the first code units count, up to one that is not ASCII. Sorts as the text does, except that texts may have the same key. */
function keyOf(units: Uint16Array, start: number, end: number): number {
  let key = 0
  let count = 0
  let unit = 0
  for (; count < unitsPerKey && start + count < end && unit < lastUnit; count++) {
    unit = Math.min(units[start + count] as number, lastUnit)
    key = key * unitBase + unit
  }
  return key * (powers[unitsPerKey - count] as number)
}

/** How many of the first code units of a text can be found by keys. In a key the unit 0 is the end of the text. */
export function countKeyed(text: string): number {
  const max = Math.min(text.length, unitsPerKey)
  let count = 0
  for (; count < max; count++) {
    const unit = text.charCodeAt(count)
    if (unit === 0 || unit >= lastUnit) break
  }
  return count
}

/** The same as lowerBound. V8 makes faster code of it, because it is only called with keys. */
function firstKey(keys: Float64Array, least: number, from: number, to: number): number {
  let [first, last] = [from, to]
  while (first < last) {
    const middle = (first + last) >>> 1
    if ((keys[middle] as number) < least) first = middle + 1
    else last = middle
  }
  return first
}

/** Of the terms from `low` up to `high` those that begin with the first `count` code units of a text. */
export function keyedRange(
  { all, samples }: TermKeys,
  text: string,
  count: number,
  low: number,
  high: number,
): [number, number] {
  let key = 0
  for (let index = 0; index < count; index++) key = key * unitBase + text.charCodeAt(index)
  const width = powers[unitsPerKey - count] as number
  key *= width
  const sample = firstKey(samples, key, Math.ceil(low / termsPerSample), Math.ceil(high / termsPerSample))
  const sampled = sample * termsPerSample
  const from = firstKey(all, key, Math.max(low, sampled - termsPerSample + 1), Math.min(high, sampled))
  // Most ranges are short: their end is near.
  let step = 1
  while (from + step <= high && (all[from + step - 1] as number) < key + width) step *= 2
  return [from, firstKey(all, key + width, from + (step >> 1), Math.min(high, from + step))]
}
