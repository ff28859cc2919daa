import { sortedUnique } from '../arrays.ts'
import { emptyList, type PostingList } from '../build/prefix-postings.ts'
import type { Segment } from '../segment.ts'
import { allLists, type Keyword, listsOf, matchClass, sizeOfLists } from './keyword.ts'
import { Matcher } from './matcher.ts'
import { classOfRow } from './row-match.ts'
import { walkPostings } from './walk-postings.ts'

/** From ≤ figure ≤ To, for the figure of that number (week, month, year). */
export type Bound = Readonly<{ figure: number; from: number; to: number }>

/** What rows must be like, worked out for one segment. */
export type RowFilter = Readonly<{
  /** By bucket: 1 where its rows may be listed. */
  allowed: Uint8Array
  /** How many rows those buckets have. */
  allowedRows: number
  /** Whether only rows in the main asset type are allowed: a doc is then told by one look. */
  isMainOnly: boolean
  /** By exchange: today there, when what has expired is hidden. */
  days: Int32Array | undefined
  bounds: readonly Bound[]
  /** The only docs in question, ascending. */
  docs: Uint32Array | undefined
  /** By doc: 1 where a newer segment has taken its place. */
  deleted: Uint8Array | undefined
}>

/** Where in the order a walk goes on: behind this doc's row of this type. */
export type SearchCursor = Readonly<{ class: number; rank: number; id: number; kind: number; type: number }>

/** Takes a row; tells whether the walk shall go on. */
export type Sink = (row: number, matched: number) => boolean

/** Few enough to be looked at one by one, rather than walking a long list for them. */
const fewRows = 2_048

export const listingClass = 0

function passesDoc(segment: Segment, { bounds, deleted }: RowFilter, doc: number): boolean {
  if (deleted?.[doc]) return false
  for (const { figure, from, to } of bounds) {
    const value = segment.changes[figure]?.[doc] as number
    if (!(value >= from && value <= to)) return false
  }
  return true
}

function isTakable(segment: Segment, filter: RowFilter, row: number, bucket: number, afterType: number): boolean {
  if (!filter.allowed[bucket] || (segment.bucketTypes[bucket] as number) <= afterType) return false
  const { days } = filter
  return !days || !hasExpired(segment, row, days[segment.bucketExchanges[bucket] as number] as number)
}

const always = (): boolean => true

/** Gives the rows of a doc that pass to the sink; false when it has had enough. */
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
    return isTakable(segment, filter, row, bucket, afterType) && isTaken(row) ? sink(row, matched) : true
  }
  for (let row = segment.docRows[doc] as number; row < (segment.docRows[doc + 1] as number); row++) {
    const bucket = segment.templateBuckets[segment.rowTemplates[row] as number] as number
    if (isTakable(segment, filter, row, bucket, afterType) && isTaken(row) && !sink(row, matched)) return false
  }
  return true
}

export function hasExpired(segment: Segment, row: number, today: number): boolean {
  const expiry = segment.rowExpiries[row] as number
  return expiry !== 0 && expiry < today
}

/** The first doc that is not before (rank, id, kind). */
export function docAt(segment: Segment, place: Pick<SearchCursor, 'rank' | 'id' | 'kind'>): number {
  let [low, high] = [0, segment.docIds.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference =
      (segment.docRanks[middle] as number) - place.rank ||
      (segment.docIds[middle] as number) - place.id ||
      (segment.docKinds[middle] as number) - place.kind
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Docs that hold all that a filter lets through: how many at most, and made when they are needed. */
type FewDocs = Readonly<{ most: number; make: () => Uint32Array }>

/** Where a filter leaves few: the docs of few buckets, or those within narrow bounds. */
function fewDocs(segment: Segment, filter: RowFilter): FewDocs | undefined {
  if (filter.allowedRows <= fewRows) return { most: filter.allowedRows, make: () => docsOfBuckets(segment, filter) }
  for (const { figure, from, to } of filter.bounds) {
    const [docs, values] = [segment.changeDocs[figure] as Uint32Array, segment.changes[figure] as Float64Array]
    const low = boundOf(docs, values, (value) => value < from)
    const high = Math.max(
      low,
      boundOf(docs, values, (value) => value <= to),
    )
    if (high - low <= fewRows) return { most: high - low, make: () => sortedUnique(docs.slice(low, high)) }
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

const wholeList = (docs: Uint32Array): PostingList => ({ docs, from: 0, to: docs.length })

/** How many docs, in the order of their figure, come before the first for which it is not so. */
function boundOf(docs: Uint32Array, values: Float64Array, isBefore: (value: number) => boolean): number {
  let [low, high] = [0, docs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(values[docs[middle] as number] as number)) low = middle + 1
    else high = middle
  }
  return low
}

/** All rows that pass, without keywords: rank, Identifier, AssetType. */
export function walkListing(segment: Segment, filter: RowFilter, after: SearchCursor | undefined, sink: Sink): void {
  const first = after ? docAt(segment, after) : 0
  const take = takerFrom(segment, filter, after, sink)
  const few = fewDocs(segment, filter)
  const docs = filter.docs ?? (few && few.most * 4 < segment.docIds.length ? few.make() : undefined)
  if (docs) walkPostings([wholeList(docs)], first, (doc) => take(doc, listingClass))
  else for (let doc = first; doc < segment.docIds.length; doc++) if (!take(doc, listingClass)) return
}

/** Takes docs, and of the one where the last page ended only the rows behind that place. */
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

/** The rows that match all words, class by class, each class in the order of the docs. */
export function walkMatches(
  segment: Segment,
  words: readonly Keyword[],
  filter: RowFilter,
  after: SearchCursor | undefined,
  sink: Sink,
): void {
  const take = takerFrom(segment, filter, after, sink)
  const few = fewDocs(segment, filter)
  let made: PostingList[] | undefined
  const drive = (lists: PostingList[]): PostingList[] => {
    if (!filter.docs && (!few || few.most >= sizeOfLists(lists))) return lists
    made ??= [wholeList(filter.docs ?? few?.make() ?? emptyList.docs)]
    return made
  }
  for (let wanted: number = after?.class ?? 0; wanted <= matchClass.descriptionWord; wanted++) {
    const first = after && wanted === after.class ? docAt(segment, after) : 0
    const { lists, walked } = candidates(words, wanted)
    const driven = drive(lists)
    if (driven.length === 0) continue
    const isMatch = matchTest(words, wanted, driven === lists ? walked : -1)
    // What is cheap and decides most comes first: of one word nearly all docs are right, of several few.
    const looksFirst = filter.isMainOnly && words.length === 1
    const goOn = walkPostings(
      driven,
      first,
      (doc) => {
        if (looksFirst && !filter.allowed[segment.docBuckets[doc] as number]) return true
        if (segment.docDiffers[doc]) return take(doc, wanted, (row) => classOfRow(segment, row, words) === wanted)
        return isMatch(doc) ? take(doc, wanted) : true
      },
      mustBeIn(words, wanted),
    )
    if (!goOn) return
  }
}

/** Bits of docs outside of which nothing is of a class: all words are in the description of a doc of the last. */
function mustBeIn(words: readonly Keyword[], wanted: number): Uint32Array[] {
  if (wanted !== matchClass.descriptionWord || words.length === 1) return []
  return words.flatMap(({ typos, terms }) => (typos || !terms.bits ? [] : [terms.bits]))
}

/** Whether a doc is of a class, asked of docs that ascend; `walked` is the word whose docs are walked, if it is one. */
function matchTest(words: readonly Keyword[], wanted: number, walked: number): (doc: number) => boolean {
  const matcher = new Matcher(words, walked)
  if (wanted === matchClass.descriptionWord) return (doc) => matcher.isDescribed(doc)
  return (doc) => matcher.isNamedAtAll(doc) && matcher.classAt(doc) === wanted
}

/** The shortest lists that hold every doc of a class: what any word gives for it, or all that the rarest word gives. */
function candidates(words: readonly Keyword[], wanted: number): { lists: PostingList[]; walked: number } {
  const choices =
    wanted === matchClass.descriptionWord
      ? words.map((word) => listsOf(word, wanted))
      : [
          words.flatMap((word) => listsOf(word, wanted)),
          ...(words.length > 1 ? words.map((word) => allLists(word)) : []),
        ]
  let best = 0
  for (let choice = 1; choice < choices.length; choice++)
    if (sizeOfLists(choices[choice] ?? []) < sizeOfLists(choices[best] ?? [])) best = choice
  const walked = wanted === matchClass.descriptionWord ? best : best - 1
  return { lists: (choices[best] ?? []).filter(({ from, to }) => from < to), walked }
}
