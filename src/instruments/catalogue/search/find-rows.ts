import { matchClass, nameWords } from '../../rules/search-rank.ts'
import { tokenizeQuery, trimPunctuation } from '../../rules/tokenizer.ts'
import { lowerBound } from '../arrays.ts'
import { emptyList } from '../build/prefix-postings.ts'
import { docsOf } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { RequestView } from '../snapshot.ts'
import { type Criteria, filterFor } from './filters.ts'
import { findKeyword, findTypos, type Keyword, matchesAny, type Query } from './keyword.ts'
import { Matcher } from './matcher.ts'
import { findNames } from './name-index.ts'
import { classOfRow } from './row-match.ts'
import { type RowFilter, type SearchCursor, takeDoc, walkListing, walkMatches } from './walk-rows.ts'

export type { Criteria } from './filters.ts'
export type Page = Readonly<{ top: number; skip: number; after?: SearchCursor | undefined; isCounted: boolean }>
export type FoundRow = Readonly<{ reader: SegmentReader; row: number; class: number }>
export type Found = Readonly<{ rows: FoundRow[]; next?: SearchCursor; count?: number }>

/** The class of rows that do not match themselves but are in the group of a row that does; after all matches (§6.1). */
const groupMember = 6
const minTypoLetters = 4

type Search = Readonly<{ reader: SegmentReader; filter: RowFilter; query: Query }>

export function findRows(view: RequestView, criteria: Criteria, page: Page): Found {
  const words = criteria.keywords === undefined ? [] : tokenizeQuery(criteria.keywords)
  const searches = searchesFor(view, criteria, words)
  const skip = page.after ? 0 : page.skip
  const end = skip + page.top
  const all = page.top === 0 ? [] : collect(searches, page.after, end + 1)
  const rows = all.slice(skip, end)
  const last = rows.at(-1)
  return {
    rows,
    ...(last && all.length > end && { next: cursorOf(last) }),
    ...(page.isCounted && { count: countAll(searches) }),
  }
}

function searchesFor(view: RequestView, criteria: Criteria, words: readonly string[]): Search[] {
  const { readers } = view.snapshot
  const keywords = readers.map(({ segment }) => words.map((word) => findKeyword(segment, word)))
  for (const [index, word] of words.entries()) {
    if ([...trimPunctuation(word)].length < minTypoLetters) continue
    // Matches that the caller may not see must not prevent the correction of a typo.
    const isKnown = (reader: SegmentReader, at: number) =>
      matchesAny(keywords[at]?.[index] as Keyword, reader.visibilityTo(view.access))
    if (readers.some(isKnown)) continue
    for (const [at, { segment }] of readers.entries()) (keywords[at] as Keyword[])[index] = findTypos(segment, word)
  }
  const phrase = nameWords(criteria.keywords ?? '')
  return readers.map((reader, at) => {
    const own = keywords[at] as Keyword[]
    const names = own.some(({ typos }) => typos) ? emptyList : findNames(reader.segment, phrase)
    return { reader, filter: filterFor(reader, view, criteria), query: { keywords: own, phrase, names } }
  })
}

const isKeywordSearch = ([first]: readonly Search[]): boolean => (first?.query.keywords.length ?? 0) > 0

/** The first `wanted` rows after a cursor, over all segments. */
function collect(searches: readonly Search[], after: SearchCursor | undefined, wanted: number): FoundRow[] {
  const hasWords = isKeywordSearch(searches)
  const found = searches.map(({ reader, filter, query }) => {
    const rows: FoundRow[] = []
    const take = (row: number, matched: number) => rows.push({ reader, row, class: matched }) < wanted
    if (!hasWords) walkListing(reader.segment, filter, after, take)
    else if ((after?.class ?? 0) < groupMember) walkMatches(reader.segment, query, filter, after, take)
    return rows
  })
  const matches = inOrder(found).slice(0, wanted)
  if (!hasWords || matches.length >= wanted) return matches
  // A walk from the start has seen all matches; one that continues a page has not.
  const groups = after ? surveyMatches(searches).groups : groupsOf(matches)
  const members = collectMembers(searches, groups, after?.class === groupMember ? after : undefined)
  return [...matches, ...members].slice(0, wanted)
}

function surveyMatches(searches: readonly Search[]): { count: number; groups: Set<number> } {
  let count = 0
  const groups = new Set<number>()
  for (const { reader, filter, query } of searches) {
    const { rowDocs, docGroups } = reader.segment
    walkMatches(reader.segment, query, filter, undefined, (row) => {
      groups.add(docGroups[rowDocs[row] as number] as number)
      return ++count > 0
    })
  }
  groups.delete(0)
  return { count, groups }
}

function groupsOf(rows: readonly FoundRow[]): Set<number> {
  const groupOf = ({ reader: { segment }, row }: FoundRow) =>
    segment.docGroups[segment.rowDocs[row] as number] as number
  return new Set(rows.map(groupOf).filter((group) => group !== 0))
}

function collectMembers(
  searches: readonly Search[],
  groups: ReadonlySet<number>,
  after: SearchCursor | undefined,
): FoundRow[] {
  if (groups.size === 0) return []
  const found = searches.map(({ reader, filter, query }) => {
    const { segment } = reader
    const rows: FoundRow[] = []
    const matcher = new Matcher(query)
    const take = (row: number, matched: number) => rows.push({ reader, row, class: matched }) > 0
    const isUnmatched = (row: number) => classOfRow(segment, row, query) === matchClass.none
    const docs = Uint32Array.from([...groups].flatMap((group) => [...docsOf(segment.groups, group)])).sort()
    for (const doc of docs) {
      if (filter.docs && filter.docs[lowerBound(filter.docs, doc)] !== doc) continue
      if (segment.docDiffers[doc]) takeDoc(segment, filter, doc, groupMember, take, -1, isUnmatched)
      else if (matcher.classAt(doc) === matchClass.none) takeDoc(segment, filter, doc, groupMember, take)
    }
    return rows
  })
  const members = inOrder(found)
  return after ? members.filter((row) => compareCursors(cursorOf(row), after) > 0) : members
}

function countAll(searches: readonly Search[]): number {
  if (isKeywordSearch(searches)) {
    const { count, groups } = surveyMatches(searches)
    return count + collectMembers(searches, groups, undefined).length
  }
  let count = 0
  for (const { reader, filter } of searches) walkListing(reader.segment, filter, undefined, () => ++count > 0)
  return count
}

function inOrder(lists: readonly FoundRow[][]): FoundRow[] {
  const [first = [], ...others] = lists.filter((rows) => rows.length > 0)
  if (others.length === 0) return first
  return lists
    .flat()
    .map((row) => ({ row, cursor: cursorOf(row) }))
    .sort((one, other) => compareCursors(one.cursor, other.cursor))
    .map(({ row }) => row)
}

export function cursorOf({ reader, row, class: matched }: FoundRow): SearchCursor {
  const { segment } = reader
  const doc = segment.rowDocs[row] as number
  return {
    class: matched,
    rank: segment.docRanks[doc] as number,
    id: segment.docIds[doc] as number,
    kind: segment.docKinds[doc] as number,
    type: segment.bucketTypes[reader.bucketOf(row)] as number,
  }
}

const compareCursors = (one: SearchCursor, other: SearchCursor): number =>
  one.class - other.class ||
  one.rank - other.rank ||
  one.id - other.id ||
  one.kind - other.kind ||
  one.type - other.type

/** Keywords without any word are ignored. */
export const hasKeywords = ({ keywords = '' }: Criteria): boolean => tokenizeQuery(keywords).length > 0

/** Whether a row found by keywords matches them itself. */
export const isMatch = ({ class: matched }: FoundRow, isKeywordSearch: boolean): boolean =>
  isKeywordSearch && matched !== groupMember
