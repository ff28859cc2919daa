import { GrowableArray, lowerBound, shared, sharedCopy, sortedUnique } from '../arrays.ts'
import { branches, type Range, sharedDepth, sizeOf, type Vocabulary } from '../search/vocabulary.ts'

/** A range of texts with fewer places than this is gathered and sorted when it is asked for; larger ones stand ready. */
const readyAbove = 64

/** Where each text occurs: `docs` of text t are those from starts[t] to starts[t + 1], ascending. */
export type Postings = Readonly<{ starts: Uint32Array; docs: Uint32Array }>

/** The docs of every prefix that many texts share, ascending, each once; found by the range of texts it stands for. */
export type PrefixPostings = Readonly<{
  lows: Uint32Array
  highs: Uint32Array
  starts: Uint32Array
  docs: Uint32Array
  /** Ranges that a good reader of all docs are in have them as bits besides: whether one is among them is then one look. */
  bitLows: Uint32Array
  bitHighs: Uint32Array
  bits: Uint32Array
  wordsEach: number
}>

/** A stretch of an ascending list of docs; of a long one perhaps also their bits. */
export type PostingList = Readonly<{ docs: Uint32Array; from: number; to: number; bits?: Uint32Array | undefined }>
export const emptyList: PostingList = { docs: new Uint32Array(0), from: 0, to: 0 }

/** From this share of all docs on, bits take no more room than the list itself. */
const bitsFromShare = 1 / 32

export function buildPrefixPostings(vocabulary: Vocabulary, postings: Postings, docCount: number): PrefixPostings {
  const { starts, docs } = postings
  const growing = () => new GrowableArray(Uint32Array)
  const [lows, highs, listStarts, listDocs, bitLows, bitHighs] = [
    growing(),
    growing(),
    growing(),
    growing(),
    growing(),
    growing(),
  ]
  const wordsEach = Math.ceil(docCount / 32)
  const bitLists: Uint32Array[] = []
  const addBits = (low: number, high: number, list: Uint32Array): void => {
    if (list.length < docCount * bitsFromShare || list.length <= readyAbove) return
    bitLows.push(low)
    bitHighs.push(high)
    const bits = new Uint32Array(wordsEach)
    for (const doc of list) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
    bitLists.push(bits)
  }
  const visit = (range: Range, depth: number): void => {
    const [low, high] = range
    const [from, to] = [starts[low] as number, starts[high] as number]
    if (to - from <= readyAbove) return
    const list = sortedUnique(docs.slice(from, to))
    addBits(low, high, list)
    if (high - low < 2) return
    lows.push(low)
    highs.push(high)
    listStarts.push(listDocs.length)
    for (const doc of list) listDocs.push(doc)
    const common = sharedDepth(vocabulary, range, depth)
    for (const branch of branches(vocabulary, range, common)) visit(branch, common + 1)
  }
  const all: Range = [0, sizeOf(vocabulary)]
  if (all[1] > 0) for (const branch of branches(vocabulary, all, 0)) visit(branch, 1)
  listStarts.push(listDocs.length)
  const bits = shared(Uint32Array, bitLists.length * wordsEach)
  for (const [index, list] of bitLists.entries()) bits.set(list, index * wordsEach)
  return {
    lows: sharedCopy(Uint32Array, lows.values),
    highs: sharedCopy(Uint32Array, highs.values),
    starts: sharedCopy(Uint32Array, listStarts.values),
    docs: sharedCopy(Uint32Array, listDocs.values),
    bitLows: sharedCopy(Uint32Array, bitLows.values),
    bitHighs: sharedCopy(Uint32Array, bitHighs.values),
    bits,
    wordsEach,
  }
}

/** Where a range stands among those that are ready. Of ranges that begin at the same text the widest comes first. */
function placeOfRange(lows: Uint32Array, highs: Uint32Array, [low, high]: Range): number {
  for (let place = lowerBound(lows, low); lows[place] === low; place++) if (highs[place] === high) return place
  return -1
}

function bitsOf(lists: PrefixPostings, range: Range): Uint32Array | undefined {
  const place = placeOfRange(lists.bitLows, lists.bitHighs, range)
  return place < 0 ? undefined : lists.bits.subarray(place * lists.wordsEach, (place + 1) * lists.wordsEach)
}

/** The docs in which any text of the range occurs, ascending, each once. */
export function postingListOf(postings: Postings, lists: PrefixPostings, range: Range): PostingList {
  const [low, high] = range
  if (low >= high) return emptyList
  const [from, to] = [postings.starts[low] as number, postings.starts[high] as number]
  if (high - low === 1)
    return { docs: postings.docs, from, to, bits: to - from > readyAbove ? bitsOf(lists, range) : undefined }
  const place = to - from <= readyAbove ? -1 : placeOfRange(lists.lows, lists.highs, range)
  if (place >= 0)
    return {
      docs: lists.docs,
      from: lists.starts[place] as number,
      to: lists.starts[place + 1] as number,
      bits: bitsOf(lists, range),
    }
  const docs = sortedUnique(postings.docs.slice(from, to))
  return { docs, from: 0, to: docs.length }
}
