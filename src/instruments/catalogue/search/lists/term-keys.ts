import { lowerBound, shared } from '../../arrays.ts'

/** Every so many terms of a vocabulary have a key: a binary search over keys reads one number per step, in little memory,
 *  where one over terms reads two places that are far apart. */
const termsPerKey = 16
const unitsPerKey = 7
const unitBase = 128
/** This and all greater code units are one. */
const lastUnit = unitBase - 1
const powers = Array.from({ length: unitsPerKey + 1 }, (_, exponent) => unitBase ** exponent)

/** Sorts as its text does, except that texts may be equal: only the first code units count, up to one that is not ASCII. */
function keyOf(unitAt: (index: number) => number, length: number): number {
  let key = 0
  let index = 0
  let unit = 0
  for (; index < unitsPerKey && index < length && unit < lastUnit; index++) {
    unit = Math.min(unitAt(index), lastUnit)
    key = key * unitBase + unit
  }
  return key * (powers[unitsPerKey - index] as number)
}

export function termKeys({ units, starts }: Readonly<{ units: Uint16Array; starts: Uint32Array }>): Float64Array {
  const count = starts.length - 1
  const keys = shared(Float64Array, Math.ceil(count / termsPerKey))
  for (let index = 0; index < keys.length; index++) {
    const start = starts[index * termsPerKey] as number
    const end = starts[index * termsPerKey + 1] as number
    keys[index] = keyOf((at) => units[start + at] as number, end - start)
  }
  return keys
}

/** The part of a range of terms in which the first is that does not sort before a text; its end is included. */
export function placeOf(keys: Float64Array, text: string, low: number, high: number): readonly [number, number] {
  if (high - low <= termsPerKey) return [low, high]
  const key = keyOf((at) => text.charCodeAt(at), text.length)
  const last = Math.ceil(high / termsPerKey)
  const index = lowerBound(keys, key, Math.ceil(low / termsPerKey), last)
  const after = lowerBound(keys, key + 1, index, last)
  return [Math.max(low, (index - 1) * termsPerKey + 1), Math.min(high, after * termsPerKey)]
}
