import type { ValueChangeBounds } from '../../rules/search-criteria.ts'
import { matchClass } from '../../rules/search-rank.ts'
import { partitionPoint, sortedUnique } from '../arrays.ts'
import { bitmapOf, emptyList, type PostingList } from '../build/prefix-postings.ts'
import { bucketOfRow, hasExpired, type Segment } from '../segment.ts'
import { allLists, type Keyword, listsOf, type Query, sizeOfLists } from './keyword.ts'
import { Matcher } from './matcher.ts'
import { classOfRow } from './row-match.ts'
import { walkBitmaps, walkPostings } from './walk-postings.ts'

export type RowFilter = Readonly<{
  /** By bucket: 1 if its rows pass. */
  allowed: Uint8Array
  allowedRows: number
  /** Whether only rows of the main asset type pass: then one lookup per doc is enough. */
  isMainOnly: boolean
  /** Today by exchange, if expired rows are hidden. */
  days: Int32Array | undefined
  bounds: readonly ValueChangeBounds[]
  /** The only docs that pass, ascending. */
  docs: Uint32Array | undefined
  /** By doc: 1 if deleted. */
  deleted: Uint8Array | undefined
}>

/** The sort key of a row of a search; a page continues after it. */
export type SearchCursor = Readonly<{ class: number; rank: number; id: number; kind: number; type: number }>

/** Takes a row; returns whether to continue. */
type Sink = (row: number, matched: number) => boolean

/** Up to this many rows are tested individually instead of walking a long list. */
const maxTestedRows = 2_048

/** Lists up to this many times as long as the walked one get a bitmap, from this size on. */
const maxTestedPerWalked = 16
const minBitmapSize = 256

const listingClass = 0

function passesDoc(segment: Segment, { bounds, deleted }: RowFilter, doc: number): boolean {
  if (deleted?.[doc]) return false
  for (const { figure, from, to } of bounds) {
    const value = segment.changes[figure]?.[doc] as number
    if (!(value >= from && value <= to)) return false
  }
  return true
}

function passesRow(segment: Segment, filter: RowFilter, row: number, bucket: number, afterType: number): boolean {
  if (!filter.allowed[bucket] || (segment.bucketTypes[bucket] as number) <= afterType) return false
  const { days } = filter
  return !days || !hasExpired(segment, row, days[segment.bucketExchanges[bucket] as number] as number)
}

const always = (): boolean => true

/** Passes the rows of a doc that satisfy the filter to the sink; returns whether to continue. */
export function takeDoc(
  segment: Segment,
  filter: RowFilter,
  doc: number,
  matched: number,
  sink: Sink,
  afterType = -1,
  isTaken: (row: number) => boolean = always,
): boolean {
  if (!passesDoc(segment, filter, doc)) return true
  if (filter.isMainOnly) {
    const [row, bucket] = [segment.docMainRows[doc] as number, segment.docBuckets[doc] as number]
    return passesRow(segment, filter, row, bucket, afterType) && isTaken(row) ? sink(row, matched) : true
  }
  for (let row = segment.docRows[doc] as number; row < (segment.docRows[doc + 1] as number); row++) {
    const isPassing = passesRow(segment, filter, row, bucketOfRow(segment, row), afterType)
    if (isPassing && isTaken(row) && !sink(row, matched)) return false
  }
  return true
}

/** The first doc that does not sort before (rank, id, kind). */
function docAt(segment: Segment, { rank, id, kind }: SearchCursor): number {
  const { docRanks, docIds, docKinds } = segment
  return partitionPoint(0, docIds.length, (doc) => {
    const difference =
      (docRanks[doc] as number) - rank || (docIds[doc] as number) - id || (docKinds[doc] as number) - kind
    return difference < 0
  })
}

/** A short list of docs that contains everything a filter lets through; `max` is its length at most. */
type ShortList = Readonly<{ max: number; make: () => Uint32Array }>

function shortListOf(segment: Segment, filter: RowFilter): ShortList | undefined {
  const { allowedRows } = filter
  if (allowedRows <= maxTestedRows) return { max: allowedRows, make: () => docsOfBuckets(segment, filter) }
  for (const { figure, from, to } of filter.bounds) {
    const [docs, values] = [segment.changeDocs[figure] as Uint32Array, segment.changes[figure] as Float64Array]
    const valueAt = (index: number) => values[docs[index] as number] as number
    const low = partitionPoint(0, docs.length, (index) => valueAt(index) < from)
    const high = partitionPoint(low, docs.length, (index) => valueAt(index) <= to)
    if (high - low <= maxTestedRows) return { max: high - low, make: () => sortedUnique(docs.slice(low, high)) }
  }
  return undefined
}

function docsOfBuckets(segment: Segment, filter: RowFilter): Uint32Array {
  const docs = new Uint32Array(filter.allowedRows)
  let count = 0
  for (let bucket = 0; bucket < filter.allowed.length; bucket++) {
    if (!filter.allowed[bucket]) continue
    for (let at = segment.bucketStarts[bucket] as number; at < (segment.bucketStarts[bucket + 1] as number); at++)
      docs[count++] = segment.rowDocs[segment.bucketRows[at] as number] as number
  }
  return sortedUnique(docs)
}

const listOf = (docs: Uint32Array): PostingList => ({ docs, from: 0, to: docs.length })

/** Walks all rows that pass, without keywords, by rank, id and asset type. */
export function walkListing(segment: Segment, filter: RowFilter, after: SearchCursor | undefined, sink: Sink): void {
  const first = after ? docAt(segment, after) : 0
  const take = takerFrom(segment, filter, after, sink)
  const short = shortListOf(segment, filter)
  const docs = filter.docs ?? (short && short.max * 4 < segment.docIds.length ? short.make() : undefined)
  if (docs) walkPostings([listOf(docs)], first, (doc) => take(doc, listingClass))
  else for (let doc = first; doc < segment.docIds.length; doc++) if (!take(doc, listingClass)) return
}

/** Takes docs; of the doc where the last page ended, only the remaining rows. */
function takerFrom(segment: Segment, filter: RowFilter, after: SearchCursor | undefined, sink: Sink) {
  const first = after ? docAt(segment, after) : -1
  const isSame =
    after &&
    segment.docRanks[first] === after.rank &&
    segment.docIds[first] === after.id &&
    segment.docKinds[first] === after.kind
  const split = isSame ? first : -1
  return (doc: number, matched: number, isTaken?: (row: number) => boolean): boolean =>
    takeDoc(segment, filter, doc, matched, sink, doc === split && matched === after?.class ? after.type : -1, isTaken)
}

/** Walks the rows that match all words, class by class, each in the order of the docs. */
export function walkMatches(
  segment: Segment,
  query: Query,
  filter: RowFilter,
  after: SearchCursor | undefined,
  sink: Sink,
): void {
  const take = takerFrom(segment, filter, after, sink)
  const short = shortListOf(segment, filter)
  let shortLists: PostingList[] | undefined
  const shortest = (lists: PostingList[]): PostingList[] => {
    if (!filter.docs && (!short || short.max >= sizeOfLists(lists))) return lists
    shortLists ??= [listOf(filter.docs ?? short?.make() ?? emptyList.docs)]
    return shortLists
  }
  // With one word most docs match, so the bucket decides; with several words the match decides.
  const testsBucketFirst = filter.isMainOnly && query.keywords.length === 1
  for (let wanted: number = after?.class ?? 0; wanted <= matchClass.wordPrefix; wanted++) {
    const candidates = candidateLists(query, wanted)
    if (candidates.lists.length === 0) continue
    const first = after && wanted === after.class ? docAt(segment, after) : 0
    const lists = shortest(candidates.lists)
    const isMatch = matchTest(query, wanted, lists === candidates.lists ? candidates.walked : -1)
    const visit = (doc: number): boolean => {
      if (testsBucketFirst && !filter.allowed[segment.docBuckets[doc] as number]) return true
      if (segment.docDiffers[doc]) return take(doc, wanted, (row) => classOfRow(segment, row, query) === wanted)
      return isMatch(doc) ? take(doc, wanted) : true
    }
    const bitmaps = requiredBitmaps(query, wanted, lists, segment.docIds.length)
    const isInBitmaps = lists[0]?.bits !== undefined && bitmaps.length === query.keywords.length
    if (!(isInBitmaps ? walkBitmaps(bitmaps, first, visit) : walkPostings(lists, first, visit, bitmaps))) return
  }
}

/** Bitmaps that contain every doc of a class: in the last two, all words are in the description. A list of about the
 *  length of the walked one gets a bitmap now, because testing docs with it is much faster. */
function requiredBitmaps({ keywords, names }: Query, wanted: number, walked: readonly PostingList[], docCount: number) {
  if (keywords.length === 1 || wanted < matchClass.nameStart || wanted === matchClass.symbolPrefix) return []
  const own = (word: Keyword): PostingList => (wanted === matchClass.wholeWords ? word.whole : word.words)
  const lists = wanted === matchClass.nameStart ? [names] : keywords.flatMap((word) => (word.typos ? [] : own(word)))
  const maxSize = maxTestedPerWalked * sizeOfLists(walked)
  return lists.flatMap((list) => {
    if (list.bits || walked.includes(list)) return list.bits ?? []
    const size = list.to - list.from
    if (size < minBitmapSize || size > maxSize) return []
    return bitmapOf(list.docs.subarray(list.from, list.to), Math.ceil(docCount / 32))
  })
}

function matchTest(query: Query, wanted: number, walked: number): (doc: number) => boolean {
  const matcher = new Matcher(query, walked)
  if (wanted === matchClass.nameStart) return (doc) => matcher.hasName(doc) && matcher.classAt(doc) === wanted
  if (wanted < matchClass.nameStart || wanted === matchClass.symbolPrefix)
    return (doc) => matcher.isIdentified(doc) && matcher.classAt(doc) === wanted
  if (walked < 0) return (doc) => matcher.classAt(doc) === wanted
  if (wanted === matchClass.wholeWords) return (doc) => matcher.matchesWholeWords(doc)
  return (doc) => matcher.matchesPrefixes(doc)
}

/** The shortest lists that contain every doc of a class: those of any word in that class, or all of the rarest word,
 *  whose index is then `walked`. */
function candidateLists({ keywords, names }: Query, wanted: number): { lists: PostingList[]; walked: number } {
  if (wanted === matchClass.exactSymbol && keywords.length > 1) return { lists: [], walked: -1 }
  const isInDescription = wanted >= matchClass.wholeWords
  const own = wanted === matchClass.nameStart ? [names] : keywords.flatMap((word) => listsOf(word, wanted))
  const choices = isInDescription
    ? keywords.map((word) => listsOf(word, wanted))
    : [own, ...(keywords.length > 1 ? keywords.map(allLists) : [])]
  let best = 0
  for (let choice = 1; choice < choices.length; choice++)
    if (sizeOfLists(choices[choice] ?? []) < sizeOfLists(choices[best] ?? [])) best = choice
  const lists = (choices[best] ?? []).filter(({ from, to }) => from < to)
  return { lists, walked: isInDescription ? best : best - 1 }
}
