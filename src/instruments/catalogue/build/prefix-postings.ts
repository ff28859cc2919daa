import { GrowableArray, lowerBound, shareColumns, shared, sortedUnique } from '../arrays.ts'
import { branches, lengthOf, type Range, sharedDepth, sizeOf, type Vocabulary } from '../search/vocabulary.ts'

/** A range of terms with at most this many postings is merged on demand; longer ones are precomputed. */
const maxMergedOnDemand = 64
/** In a bitmap a doc is found at once. It may take this many times the memory of the list. */
const maxBitmapCost = 4
const minBitmapDocs = 256

const isWorthBitmap = (docs: number, wordsPerBitmap: number): boolean =>
  docs >= minBitmapDocs && docs * maxBitmapCost >= wordsPerBitmap

/** The docs of term t are from starts[t] to starts[t + 1], ascending. */
export type Postings = Readonly<{ starts: Uint32Array; docs: Uint32Array }>

/** Merged posting lists of the prefixes that many terms share, found by the range of terms. Those of many docs, and
 *  very common terms, have a bitmap instead. */
export type PrefixPostings = Readonly<{
  lows: Uint32Array
  highs: Uint32Array
  starts: Uint32Array
  docs: Uint32Array
  bitLows: Uint32Array
  bitHighs: Uint32Array
  bitSizes: Uint32Array
  bits: Uint32Array
  wordsPerBitmap: number
}>

/** Terms with their docs, and those of frequent prefixes. */
export type TextIndex = Readonly<{ vocabulary: Vocabulary; postings: Postings; prefixes: PrefixPostings }>

/** A set of docs: a slice of an ascending list, or a bitmap, or both. `size` is the number of docs. */
export type PostingList = Readonly<{
  size: number
  docs: Uint32Array
  from: number
  to: number
  bits: Uint32Array | undefined
}>

const noDocs = new Uint32Array(0)
export const emptyList: PostingList = { size: 0, docs: noDocs, from: 0, to: 0, bits: undefined }

export const sliceOf = (docs: Uint32Array, from: number, to: number): PostingList =>
  from < to ? { size: to - from, docs, from, to, bits: undefined } : emptyList

export const listOf = (docs: Uint32Array): PostingList => sliceOf(docs, 0, docs.length)

export function buildPrefixPostings(vocabulary: Vocabulary, postings: Postings, docCount: number): PrefixPostings {
  const { starts, docs } = postings
  const growable = () => new GrowableArray(Uint32Array)
  const lists = { lows: growable(), highs: growable(), starts: growable(), docs: growable() }
  const bitmaps = { bitLows: growable(), bitHighs: growable(), bitSizes: growable() }
  const bits: Uint32Array[] = []
  const wordsPerBitmap = Math.ceil(docCount / 32)
  /** Adds the docs as a bitmap if there are enough of them. */
  const addBitmap = (low: number, high: number, from: number, to: number): boolean => {
    if (!isWorthBitmap(to - from, wordsPerBitmap)) return false
    const bitmap = new Uint32Array(wordsPerBitmap)
    const size = addToBitmap(bitmap, docs, from, to)
    if (!isWorthBitmap(size, wordsPerBitmap)) return false
    bitmaps.bitLows.push(low)
    bitmaps.bitHighs.push(high)
    bitmaps.bitSizes.push(size)
    bits.push(bitmap)
    return true
  }
  const visit = (range: Range, depth: number): void => {
    const [low, high] = range
    const [from, to] = [starts[low] as number, starts[high] as number]
    if (to - from <= maxMergedOnDemand) return
    if (!addBitmap(low, high, from, to) && high - low > 1) {
      lists.lows.push(low)
      lists.highs.push(high)
      lists.starts.push(lists.docs.length)
      for (const doc of sortedUnique(docs.slice(from, to))) lists.docs.push(doc)
    }
    if (high - low < 2) return
    const common = sharedDepth(vocabulary, range, depth)
    const wholeTo = starts[low + 1] as number
    if (lengthOf(vocabulary, low) === common && wholeTo - from > maxMergedOnDemand)
      addBitmap(low, low + 1, from, wholeTo)
    for (const branch of branches(vocabulary, range, common)) visit(branch, common + 1)
  }
  const all: Range = [0, sizeOf(vocabulary)]
  if (all[1] > 0) for (const branch of branches(vocabulary, all, 0)) visit(branch, 1)
  lists.starts.push(lists.docs.length)
  const allBits = shared(Uint32Array, bits.length * wordsPerBitmap)
  for (const [index, bitmap] of bits.entries()) allBits.set(bitmap, index * wordsPerBitmap)
  return { ...shareColumns(lists), ...shareColumns(bitmaps), bits: allBits, wordsPerBitmap }
}

/** Adds docs to a bitmap; returns how many it did not have. */
export function addToBitmap(bits: Uint32Array, docs: Uint32Array, from: number, to: number): number {
  let added = 0
  for (let at = from; at < to; at++) {
    const doc = docs[at] as number
    const before = bits[doc >>> 5] as number
    const after = before | (1 << (doc & 31))
    if (after !== (before | 0)) added++
    bits[doc >>> 5] = after
  }
  return added
}

/** The index of a precomputed range, or -1. Of ranges with the same start, the widest comes first. */
function indexOfRange(lows: Uint32Array, highs: Uint32Array, low: number, high: number): number {
  for (let index = lowerBound(lows, low); lows[index] === low; index++) if (highs[index] === high) return index
  return -1
}

export function postingListOf({ postings, prefixes }: Omit<TextIndex, 'vocabulary'>, [low, high]: Range): PostingList {
  if (low >= high) return emptyList
  const [from, to] = [postings.starts[low] as number, postings.starts[high] as number]
  const isSingle = high - low === 1
  if (to - from <= maxMergedOnDemand)
    return isSingle ? sliceOf(postings.docs, from, to) : mergedList(postings.docs, from, to)
  if (isWorthBitmap(to - from, prefixes.wordsPerBitmap)) {
    const index = indexOfRange(prefixes.bitLows, prefixes.bitHighs, low, high)
    if (index >= 0) return isSingle ? withBitmap(prefixes, index, postings.docs, from, to) : withBitmap(prefixes, index)
  }
  if (isSingle) return sliceOf(postings.docs, from, to)
  const index = indexOfRange(prefixes.lows, prefixes.highs, low, high)
  if (index < 0) return mergedList(postings.docs, from, to)
  return sliceOf(prefixes.docs, prefixes.starts[index] as number, prefixes.starts[index + 1] as number)
}

/** The lists with a bitmap, by its index, as they were needed: making one takes longer than finding it. */
const withBitmaps = new WeakMap<PrefixPostings, PostingList[]>()

function withBitmap(
  prefixes: PrefixPostings,
  index: number,
  docs: Uint32Array = noDocs,
  from = 0,
  to = 0,
): PostingList {
  const known = withBitmaps.getOrInsertComputed(prefixes, () => [])
  const { bits, bitSizes, wordsPerBitmap } = prefixes
  known[index] ??= {
    size: bitSizes[index] as number,
    docs,
    from,
    to,
    bits: bits.subarray(index * wordsPerBitmap, (index + 1) * wordsPerBitmap),
  }
  return known[index]
}

const docsPerPart = 2_048
/** Short merged lists are parts of one array: making an array for each takes longer than merging. */
let parts = new Uint32Array(docsPerPart)
let partsEnd = 0

function mergedList(docs: Uint32Array, from: number, to: number): PostingList {
  const length = to - from
  if (length > maxMergedOnDemand) return listOf(sortedUnique(docs.slice(from, to)))
  if (partsEnd + length > docsPerPart) {
    parts = new Uint32Array(docsPerPart)
    partsEnd = 0
  }
  const start = partsEnd
  for (let at = from; at < to; at++) insertDoc(parts, start, start + at - from, docs[at] as number)
  for (let at = start; at < start + length; at++)
    if (at === start || parts[at] !== parts[at - 1]) parts[partsEnd++] = parts[at] as number
  return sliceOf(parts, start, partsEnd)
}

/** Inserts a doc into an ascending list. */
function insertDoc(docs: Uint32Array, start: number, end: number, doc: number): void {
  let at = end
  for (; at > start && (docs[at - 1] as number) > doc; at--) docs[at] = docs[at - 1] as number
  docs[at] = doc
}
