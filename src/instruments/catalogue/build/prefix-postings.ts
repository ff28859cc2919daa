import { GrowableArray, lowerBound, shareColumns, shared, sortedUnique } from '../arrays.ts'
import { branches, lengthOf, type Range, sharedDepth, sizeOf, type Vocabulary } from '../search/vocabulary.ts'

/** A range of terms with at most this many postings is merged on demand; longer ones are precomputed. */
const maxMergedOnDemand = 64
/** From this share of all docs on, a bitmap takes no more memory than the list. */
const minBitmapShare = 1 / 32

/** The docs of term t are from starts[t] to starts[t + 1], ascending. */
export type Postings = Readonly<{ starts: Uint32Array; docs: Uint32Array }>

/** Merged posting lists of the prefixes that many terms share, found by the range of terms, with bitmaps of long ones. */
export type PrefixPostings = Readonly<{
  lows: Uint32Array
  highs: Uint32Array
  starts: Uint32Array
  docs: Uint32Array
  bitLows: Uint32Array
  bitHighs: Uint32Array
  bits: Uint32Array
  wordsPerBitmap: number
}>

/** Terms with their docs, and those of frequent prefixes. */
export type TextIndex = Readonly<{ vocabulary: Vocabulary; postings: Postings; prefixes: PrefixPostings }>

/** A slice of an ascending list of docs, and for long lists perhaps its bitmap. */
export type PostingList = Readonly<{ docs: Uint32Array; from: number; to: number; bits?: Uint32Array | undefined }>
export const emptyList: PostingList = { docs: new Uint32Array(0), from: 0, to: 0 }

export function buildPrefixPostings(vocabulary: Vocabulary, postings: Postings, docCount: number): PrefixPostings {
  const { starts, docs } = postings
  const growable = () => new GrowableArray(Uint32Array)
  const lists = { lows: growable(), highs: growable(), starts: growable(), docs: growable() }
  const bitmaps = { lows: growable(), highs: growable(), bits: [] as Uint32Array[] }
  const wordsPerBitmap = Math.ceil(docCount / 32)
  const addBitmap = ([low, high]: Range, list: Uint32Array): void => {
    if (list.length < docCount * minBitmapShare || list.length <= maxMergedOnDemand) return
    bitmaps.lows.push(low)
    bitmaps.highs.push(high)
    bitmaps.bits.push(bitmapOf(list, wordsPerBitmap))
  }
  const visit = (range: Range, depth: number): void => {
    const [low, high] = range
    const [from, to] = [starts[low] as number, starts[high] as number]
    if (to - from <= maxMergedOnDemand) return
    const list = sortedUnique(docs.slice(from, to))
    addBitmap(range, list)
    if (high - low < 2) return
    lists.lows.push(low)
    lists.highs.push(high)
    lists.starts.push(lists.docs.length)
    for (const doc of list) lists.docs.push(doc)
    const common = sharedDepth(vocabulary, range, depth)
    const whole: Range = [low, low + 1]
    if (lengthOf(vocabulary, low) === common) addBitmap(whole, docs.subarray(from, starts[low + 1]))
    for (const branch of branches(vocabulary, range, common)) visit(branch, common + 1)
  }
  const all: Range = [0, sizeOf(vocabulary)]
  if (all[1] > 0) for (const branch of branches(vocabulary, all, 0)) visit(branch, 1)
  lists.starts.push(lists.docs.length)
  const bits = shared(Uint32Array, bitmaps.bits.length * wordsPerBitmap)
  for (const [index, bitmap] of bitmaps.bits.entries()) bits.set(bitmap, index * wordsPerBitmap)
  return {
    ...shareColumns(lists),
    bitLows: bitmaps.lows.share(),
    bitHighs: bitmaps.highs.share(),
    bits,
    wordsPerBitmap,
  }
}

export function bitmapOf(docs: Uint32Array, words: number): Uint32Array {
  const bits = new Uint32Array(words)
  for (const doc of docs) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
  return bits
}

/** The index of a precomputed range, or -1. Of ranges with the same start, the widest comes first. */
function indexOfRange(lows: Uint32Array, highs: Uint32Array, [low, high]: Range): number {
  for (let index = lowerBound(lows, low); lows[index] === low; index++) if (highs[index] === high) return index
  return -1
}

function findBitmap({ bitLows, bitHighs, bits, wordsPerBitmap }: PrefixPostings, range: Range) {
  const index = indexOfRange(bitLows, bitHighs, range)
  return index < 0 ? undefined : bits.subarray(index * wordsPerBitmap, (index + 1) * wordsPerBitmap)
}

export function postingListOf({ postings, prefixes }: Omit<TextIndex, 'vocabulary'>, range: Range): PostingList {
  const [low, high] = range
  if (low >= high) return emptyList
  const [from, to] = [postings.starts[low] as number, postings.starts[high] as number]
  const isLong = to - from > maxMergedOnDemand
  if (high - low === 1) return { docs: postings.docs, from, to, bits: isLong ? findBitmap(prefixes, range) : undefined }
  const index = isLong ? indexOfRange(prefixes.lows, prefixes.highs, range) : -1
  if (index >= 0)
    return {
      docs: prefixes.docs,
      from: prefixes.starts[index] as number,
      to: prefixes.starts[index + 1] as number,
      bits: findBitmap(prefixes, range),
    }
  const docs = sortedUnique(postings.docs.slice(from, to))
  return { docs, from: 0, to: docs.length }
}
