import { shared } from '../arrays.ts'

/** Texts in the order of their UTF-16 units; a text's number is its place. */
export type Vocabulary = Readonly<{
  units: Uint16Array
  starts: Uint32Array
  /** The first text that does not come before each pair of first units, as far as these are ASCII. */
  heads: Uint32Array
}>

export type Range = readonly [low: number, high: number]

export function buildVocabulary(sorted: readonly string[]): Vocabulary {
  const starts = shared(Uint32Array, sorted.length + 1)
  let total = 0
  for (let index = 0; index < sorted.length; index++) {
    starts[index] = total
    total += (sorted[index] as string).length
  }
  starts[sorted.length] = total
  const units = shared(Uint16Array, total)
  let place = 0
  for (const text of sorted) for (let index = 0; index < text.length; index++) units[place++] = text.charCodeAt(index)
  return { units, starts, heads: headsOf({ units, starts }) }
}

const ascii = 128
/** One for each second unit, and one for a text that has none. */
const seconds = ascii + 1

function headsOf(texts: Omit<Vocabulary, 'heads'>): Uint32Array {
  const count = texts.starts.length - 1
  const heads = shared(Uint32Array, ascii * seconds + 1)
  let slot = 0
  for (let text = 0; text < count; text++) {
    const first = unitAt(texts, text, 0)
    if (first >= ascii) break
    const own = Math.max(0, first) * seconds + Math.min(unitAt(texts, text, 1) + 1, ascii)
    while (slot <= own) heads[slot++] = text
  }
  heads.fill(count, slot)
  return heads
}

/** Where texts that begin like a prefix can be at most: its first two units narrow it to a small reader. */
function roughRange({ heads, starts }: Vocabulary, prefix: string): Range {
  const [first, second] = [prefix.charCodeAt(0), prefix.length > 1 ? prefix.charCodeAt(1) : 0]
  if (!(first < ascii && second < ascii - 1)) return [0, starts.length - 1]
  const slot = first * seconds
  if (prefix.length === 1)
    return [heads[slot] as number, first + 1 < ascii ? (heads[slot + seconds] as number) : starts.length - 1]
  return [heads[slot + second + 1] as number, heads[slot + second + 2] as number]
}

export const sizeOf = ({ starts }: Vocabulary): number => starts.length - 1

/** The unit of a text at a depth; -1 behind its end, which sorts first. */
function unitAt({ units, starts }: Omit<Vocabulary, 'heads'>, text: number, depth: number): number {
  const place = (starts[text] as number) + depth
  return place < (starts[text + 1] as number) ? (units[place] as number) : -1
}

/** Of texts that agree up to `depth`, those that go on with `unit`. */
function narrow(vocabulary: Vocabulary, low: number, high: number, depth: number, unit: number): Range {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = (first + last) >>> 1
    if (unitAt(vocabulary, middle, depth) < unit) first = middle + 1
    else last = middle
  }
  const from = first
  last = high
  while (first < last) {
    const middle = (first + last) >>> 1
    if (unitAt(vocabulary, middle, depth) <= unit) first = middle + 1
    else last = middle
  }
  return [from, first]
}

/** How a text stands to a prefix by its units from `depth` on: before it, begun with it, behind it. */
function compareAt({ units, starts }: Vocabulary, text: number, depth: number, prefix: string, skip: number): number {
  const end = starts[text + 1] as number
  let place = (starts[text] as number) + depth
  for (let index = skip; index < prefix.length; index++, place++) {
    if (place >= end) return -1
    const difference = (units[place] as number) - prefix.charCodeAt(index)
    if (difference !== 0) return difference
  }
  return 0
}

/** The texts that begin with a prefix. Within a range of texts that agree up to `depth` it goes on from there; `skip`
 *  units of the prefix are left out. */
export function prefixRange(vocabulary: Vocabulary, prefix: string, within?: Range, depth = 0, skip = 0): Range {
  const [first, end] = within ?? roughRange(vocabulary, prefix)
  let low = first
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(vocabulary, middle, depth, prefix, skip) < 0) low = middle + 1
    else high = middle
  }
  const from = low
  high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(vocabulary, middle, depth, prefix, skip) <= 0) low = middle + 1
    else high = middle
  }
  return [from, low]
}

/** The texts that are exactly this, or this up to a colon: `aapl` is `aapl:xnas` without its exchange. */
export function exactRange(vocabulary: Vocabulary, word: string, within: Range): Range[] {
  const ranges: Range[] = []
  const [low, high] = narrow(vocabulary, within[0], within[1], word.length, -1)
  if (low < high) ranges.push([low, high])
  if (!word.includes(':')) {
    const [from, to] = narrow(vocabulary, within[0], within[1], word.length, 58)
    if (from < to) ranges.push([from, to])
  }
  return ranges
}

/** How many units all texts of a range share at their beginning. */
export function sharedDepth(vocabulary: Vocabulary, [low, high]: Range, depth: number): number {
  let known = depth
  while (true) {
    const unit = unitAt(vocabulary, low, known)
    if (unit === -1 || unit !== unitAt(vocabulary, high - 1, known)) return known
    known++
  }
}

/** The ranges into which a range falls by its next unit; texts that end there are none of them. */
export function branches(vocabulary: Vocabulary, [low, high]: Range, depth: number): Range[] {
  const found: Range[] = []
  let at = low
  while (at < high) {
    const unit = unitAt(vocabulary, at, depth)
    const range = narrow(vocabulary, at, high, depth, unit)
    if (unit !== -1) found.push(range)
    at = range[1]
  }
  return found
}

/**
 * The texts that begin with the word after one slip is mended: a letter missing, added, changed, or two neighbours
 * swapped (contract §6). Walks the word once; at each letter the texts that agree so far are a range, and the mended
 * rest is looked up inside it.
 */
export function typoRanges(vocabulary: Vocabulary, word: string): Range[] {
  const found: Range[] = []
  const add = (range: Range) => {
    if (range[0] < range[1]) found.push(range)
  }
  let within: Range = [0, sizeOf(vocabulary)]
  for (let depth = 0; depth < word.length && within[0] < within[1]; depth++) {
    const rest = word.slice(depth)
    add(prefixRange(vocabulary, rest, within, depth, 1))
    if (rest.length > 1) add(prefixRange(vocabulary, `${rest[1]}${rest[0]}${rest.slice(2)}`, within, depth))
    for (const branch of branches(vocabulary, within, depth)) {
      add(prefixRange(vocabulary, rest, branch, depth + 1, 1))
      add(prefixRange(vocabulary, rest, branch, depth + 1))
    }
    within = narrow(vocabulary, within[0], within[1], depth, rest.charCodeAt(0))
  }
  return mergeRanges(found)
}

function mergeRanges(ranges: Range[]): Range[] {
  const merged: [number, number][] = []
  for (const [low, high] of ranges.toSorted((one, other) => one[0] - other[0] || one[1] - other[1])) {
    const last = merged.at(-1)
    if (last && low <= last[1]) last[1] = Math.max(last[1], high)
    else merged.push([low, high])
  }
  return merged
}
