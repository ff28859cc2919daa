import { shared } from '../arrays.ts'
import { countKeyed, keyedRange, type TermKeys, termKeys } from './lists/term-keys.ts'

/** Terms sorted by UTF-16 code unit; the number of a term is its position. */
export type Vocabulary = Readonly<{
  units: Uint16Array
  starts: Uint32Array
  /** For each pair of ASCII code units: the first term that does not sort before it. */
  heads: Uint32Array
  keys: TermKeys
}>

type Terms = Omit<Vocabulary, 'heads' | 'keys'>

/** Terms from `low` up to but not including `high`. */
export type Range = readonly [low: number, high: number]

export function buildVocabulary(sorted: readonly string[]): Vocabulary {
  const starts = shared(Uint32Array, sorted.length + 1)
  for (let term = 0; term < sorted.length; term++)
    starts[term + 1] = (starts[term] as number) + (sorted[term] as string).length
  const units = shared(Uint16Array, starts[sorted.length] as number)
  let at = 0
  for (const term of sorted) for (let index = 0; index < term.length; index++) units[at++] = term.charCodeAt(index)
  return indexed({ units, starts })
}

export const indexed = (terms: Terms): Vocabulary => ({ ...terms, heads: headsOf(terms), keys: termKeys(terms) })

const ascii = 128
/** One slot per second unit, and one for a term without a second unit. */
const slotsPerUnit = ascii + 1

function headsOf(terms: Terms): Uint32Array {
  const count = terms.starts.length - 1
  const heads = shared(Uint32Array, ascii * slotsPerUnit + 1)
  let slot = 0
  let term = 0
  for (; term < count; term++) {
    const first = unitAt(terms, term, 0)
    if (first >= ascii) break
    const own = Math.max(0, first) * slotsPerUnit + Math.min(unitAt(terms, term, 1) + 1, ascii)
    while (slot <= own) heads[slot++] = term
  }
  heads.fill(term, slot)
  return heads
}

/** The terms with the first two code units of a prefix, or with its only one, if those are ASCII; otherwise all. */
function roughRange({ heads, starts }: Vocabulary, prefix: string): Range {
  const [first, second] = [prefix.charCodeAt(0), prefix.length > 1 ? prefix.charCodeAt(1) : 0]
  if (!isIndexed(first, second)) return [0, starts.length - 1]
  const slot = first * slotsPerUnit
  if (prefix.length === 1) return [heads[slot] as number, heads[slot + slotsPerUnit] as number]
  return [heads[slot + second + 1] as number, heads[slot + second + 2] as number]
}

const isIndexed = (first: number, second: number): boolean => first < ascii - 1 && second < ascii - 1

/** How many code units of a prefix all terms of its rough range have. */
const knownUnits = (prefix: string): number =>
  isIndexed(prefix.charCodeAt(0), prefix.length > 1 ? prefix.charCodeAt(1) : 0) ? Math.min(2, prefix.length) : 0

export const sizeOf = ({ starts }: Vocabulary): number => starts.length - 1

/** The code unit of a term at a depth; -1 after its end, which sorts first. */
function unitAt({ units, starts }: Terms, term: number, depth: number): number {
  const at = (starts[term] as number) + depth
  return at < (starts[term + 1] as number) ? (units[at] as number) : -1
}

/** Of terms that agree up to `depth`, those that continue with `unit`. */
function narrow(vocabulary: Vocabulary, [low, high]: Range, depth: number, unit: number): Range {
  const from = unitBound(vocabulary, low, high, depth, unit)
  return [from, unitBound(vocabulary, from, high, depth, unit + 1)]
}

/** Of terms that agree up to `depth`, the first that does not continue with less than `unit`. */
function unitBound(vocabulary: Vocabulary, low: number, high: number, depth: number, unit: number): number {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = (first + last) >>> 1
    if (unitAt(vocabulary, middle, depth) < unit) first = middle + 1
    else last = middle
  }
  return first
}

/** Compares a term from `depth` on with a prefix from `skip` on: negative if before, 0 if it has the prefix. */
function comparePrefix(
  { units, starts }: Vocabulary,
  term: number,
  depth: number,
  prefix: string,
  skip: number,
): number {
  const end = starts[term + 1] as number
  let at = (starts[term] as number) + depth
  for (let index = skip; index < prefix.length; index++, at++) {
    if (at >= end) return -1
    const difference = (units[at] as number) - prefix.charCodeAt(index)
    if (difference !== 0) return difference
  }
  return 0
}

/** The first term from `low` on that does not sort before the prefix (`limit` 0) or after its terms (`limit` 1). */
function boundOf(
  vocabulary: Vocabulary,
  low: number,
  high: number,
  depth: number,
  prefix: string,
  skip: number,
  limit: 0 | 1,
): number {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = (first + last) >>> 1
    if (comparePrefix(vocabulary, middle, depth, prefix, skip) < limit) first = middle + 1
    else last = middle
  }
  return first
}

/** The terms with a prefix. With `within`, a range of terms that agree up to `depth`, compares only from there on;
 *  `skip` code units of the prefix are ignored. */
export function prefixRange(vocabulary: Vocabulary, prefix: string, within?: Range, depth = 0, skip = 0): Range {
  if (within) return rangeIn(vocabulary, within, prefix, depth, skip)
  const rough = roughRange(vocabulary, prefix)
  if (knownUnits(prefix) === prefix.length) return rough
  const keyed = countKeyed(prefix)
  const range = keyedRange(vocabulary.keys, prefix, keyed, rough[0], rough[1])
  return keyed === prefix.length ? range : rangeIn(vocabulary, range, prefix, keyed, keyed)
}

/** The same in a range of terms that agree up to `depth`. */
function rangeIn(vocabulary: Vocabulary, [low, high]: Range, prefix: string, depth: number, skip: number): Range {
  const from = boundOf(vocabulary, low, high, depth, prefix, skip, 0)
  // Most ranges are short: their end is near.
  let step = 1
  while (from + step <= high && comparePrefix(vocabulary, from + step - 1, depth, prefix, skip) < 1) step *= 2
  return [from, boundOf(vocabulary, from + (step >> 1), Math.min(high, from + step), depth, prefix, skip, 1)]
}

/** The number of a term, or -1. */
export function termOf(vocabulary: Vocabulary, word: string): number {
  const [low, high] = wholeRange(vocabulary, word, prefixRange(vocabulary, word))
  return low < high ? low : -1
}

export const lengthOf = ({ starts }: Vocabulary, term: number): number =>
  (starts[term + 1] as number) - (starts[term] as number)

/** Of the terms with the word as a prefix, the one that equals it: the first, if any. */
export const wholeRange = (vocabulary: Vocabulary, word: string, [low, high]: Range): Range =>
  low < high && lengthOf(vocabulary, low) === word.length ? [low, low + 1] : [low, low]

/** Of the symbols with the word as a prefix, those that equal it, with or without an exchange or the .i of indices:
 *  `aapl` matches `aapl:xnas`, `dax` matches `dax.i`. */
export function exactRange(vocabulary: Vocabulary, word: string, within: Range): Range[] {
  const ranges = [wholeRange(vocabulary, word, within)]
  if (!word.includes(':')) ranges.push(longerRange(vocabulary, word, `${word}:`, within))
  const index = `${word}.i`
  ranges.push(wholeRange(vocabulary, index, longerRange(vocabulary, word, index, within)))
  return ranges.filter(([low, high]) => low < high)
}

/** Of the terms with a word as a prefix, those with a longer one. */
const longerRange = (vocabulary: Vocabulary, word: string, longer: string, within: Range): Range =>
  countKeyed(longer) === longer.length
    ? keyedRange(vocabulary.keys, longer, longer.length, within[0], within[1])
    : rangeIn(vocabulary, within, longer, word.length, word.length)

/** The length of the common prefix of the terms in a range, given that they agree up to `depth`. */
export function sharedDepth(vocabulary: Vocabulary, [low, high]: Range, depth: number): number {
  let shared = depth
  while (true) {
    const unit = unitAt(vocabulary, low, shared)
    if (unit === -1 || unit !== unitAt(vocabulary, high - 1, shared)) return shared
    shared++
  }
}

/** Splits a range by the code unit at `depth`. Terms that end there are in none of the parts. */
export function branches(vocabulary: Vocabulary, [low, high]: Range, depth: number): Range[] {
  const found: Range[] = []
  let at = low
  while (at < high) {
    const unit = unitAt(vocabulary, at, depth)
    const range = narrow(vocabulary, [at, high], depth, unit)
    if (unit !== -1) found.push(range)
    at = range[1]
  }
  return found
}

/** The terms that have the word as a prefix after one typo is corrected: a letter missing, added or changed, or two
 *  neighbours swapped (§6.1). Walks the word once; at each letter the terms that agree so far are a range, in which
 *  the corrected rest is looked up. */
export function typoRanges(vocabulary: Vocabulary, word: string): Range[] {
  const found: Range[] = []
  let within: Range = [0, sizeOf(vocabulary)]
  for (let depth = 0; depth < word.length && within[0] < within[1]; depth++) {
    const rest = word.slice(depth)
    found.push(prefixRange(vocabulary, rest, within, depth, 1))
    if (rest.length > 1) found.push(prefixRange(vocabulary, `${rest[1]}${rest[0]}${rest.slice(2)}`, within, depth))
    for (const branch of branches(vocabulary, within, depth)) {
      found.push(prefixRange(vocabulary, rest, branch, depth + 1, 1))
      found.push(prefixRange(vocabulary, rest, branch, depth + 1))
    }
    within = narrow(vocabulary, within, depth, rest.charCodeAt(0))
  }
  return mergeRanges(found.filter(([low, high]) => low < high))
}

function mergeRanges(ranges: Range[]): Range[] {
  const merged: [number, number][] = []
  for (const [low, high] of ranges.sort((one, other) => one[0] - other[0] || one[1] - other[1])) {
    const last = merged.at(-1)
    if (last && low <= last[1]) last[1] = Math.max(last[1], high)
    else merged.push([low, high])
  }
  return merged
}
