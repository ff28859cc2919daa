import { isInPhrase, mayBeTypo, readingOf } from '../../rules/search-rank.ts'
import { fold, foldedQueryWords } from '../../rules/tokenizer.ts'
import { emptyList, type PostingList } from '../build/prefix-postings.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { RequestView } from '../snapshot.ts'
import { type Criteria, filterFor } from './filters.ts'
import { groupMember, type Matches, membersOf } from './group-members.ts'
import {
  findKeyword,
  findSpelled,
  findSymbols,
  findTypos,
  type Keyword,
  matchesAny,
  type Query,
  unionOf,
} from './keyword.ts'
import { findNames } from './name-index.ts'
import { type RowFilter, RowTaker, type SearchCursor } from './row-taker.ts'
import type { View } from './visible.ts'
import { walkListing } from './walk-listing.ts'
import { walkMatches } from './walk-matches.ts'

export type { Criteria } from './filters.ts'
export type Page = Readonly<{ top: number; skip: number; after?: SearchCursor | undefined; isCounted: boolean }>
export type FoundRow = Readonly<{ reader: SegmentReader; row: number; doc: number; class: number }>
/** Keywords without any word are ignored: then it is no keyword search. */
export type Found = Readonly<{
  rows: FoundRow[]
  isKeywordSearch: boolean
  next: SearchCursor | undefined
  count: number | undefined
}>

/** A search in one segment; without words it lists everything that passes the filter. */
type Search = Readonly<{ reader: SegmentReader; filter: RowFilter; query: Query }>

export function findRows(view: RequestView, criteria: Criteria, page: Page): Found {
  const typed = typedQueries(view, criteria.keywords ?? '')
  const skip = page.after ? 0 : page.skip
  const end = skip + page.top
  const collectRows = () => (page.top === 0 ? [] : collect(searches, page.after, end + 1))
  let searches = searchesFor(view, criteria, typed)
  let all = collectRows()
  // A row that was found matches all words as typed, so none is a typo.
  const corrected = all.length === 0 ? correctTypos(view, typed) : undefined
  if (corrected) {
    searches = searchesFor(view, criteria, corrected)
    all = collectRows()
  }
  const rows = skip === 0 && all.length <= end ? all : all.slice(skip, end)
  const last = rows.at(-1)
  return {
    rows,
    isKeywordSearch: isKeywordSearch(searches),
    next: last && all.length > end ? cursorOf(last) : undefined,
    count: page.isCounted ? countAll(searches) : undefined,
  }
}

/** How each segment reads the keywords, typos corrected. */
export function queriesFor(view: View, keywords: string): readonly Query[] {
  const typed = typedQueries(view, keywords)
  return correctTypos(view, typed) ?? typed
}

function typedQueries({ snapshot: { readers } }: View, text: string): readonly Query[] {
  const folded = fold(text)
  const words = foldedQueryWords(folded)
  const reading = readingOf(folded)
  return readers.map(({ segment }): Query => {
    const keywords = words.map((word) => findKeyword(segment, word))
    const [only, ...others] = keywords
    const symbol = only && others.length === 0 ? only.exact : emptyList
    const { length } = segment.docIds
    const found = { keywords, reading, exact: symbol, names: findNames(segment, reading.phrase, keywords) }
    if (reading.spelled === '' && reading.atVenue.length === 0) return found
    return {
      ...found,
      exact: unionOf([symbol, findSymbols(segment, reading.atVenue)], length),
      names: unionOf([found.names, findSpelled(segment, reading.spelled)], length),
    }
  })
}

/** Undefined if no word is a typo. */
function correctTypos({ snapshot: { readers }, access }: View, typed: readonly Query[]): readonly Query[] | undefined {
  // Matches that the caller may not see must not prevent the correction of a typo.
  const isAny = (listsOf: (query: Query) => readonly PostingList[]) =>
    readers.some((reader, at) => matchesAny(listsOf(typed[at] as Query), reader.visibilityTo(access)))
  const [{ keywords, reading }] = typed as [Query]
  const isTypo = keywords.map(
    ({ trimmed }, index) => mayBeTypo(trimmed) && !isAny((query) => listsOfWord(query.keywords[index] as Keyword)),
  )
  if (!isTypo.includes(true) || isAny(({ exact }) => [exact])) return undefined
  const isNamed = isAny(({ names }) => [names])
  for (const [index, { text }] of keywords.entries())
    if (isNamed && isInPhrase(text, reading.phrase)) isTypo[index] = false
  if (!isTypo.includes(true)) return undefined
  return readers.map(({ segment }, at) => {
    const query = typed[at] as Query
    const corrected = query.keywords.map((keyword, index) =>
      isTypo[index] ? findTypos(segment, keyword.text) : keyword,
    )
    return { ...query, keywords: corrected, exact: emptyList, names: emptyList }
  })
}

const listsOfWord = ({ symbols, words, isin }: Keyword): readonly PostingList[] => [symbols, words, isin]

function searchesFor(view: RequestView, criteria: Criteria, queries: readonly Query[]): Search[] {
  const { readers } = view.snapshot
  return readers.map((reader, at) => ({
    reader,
    filter: filterFor(reader, view, criteria),
    query: queries[at] as Query,
  }))
}

const isKeywordSearch = ([first]: readonly Search[]): boolean => (first?.query.keywords.length ?? 0) > 0

/** The first `limit` matches of each segment after a cursor. */
function takeMatches(searches: readonly Search[], limit: number, after?: SearchCursor): Matches[] {
  return searches.map(({ reader, filter, query }) => {
    const taker = new RowTaker(reader.segment, filter, limit, after)
    if (query.keywords.length === 0) walkListing(taker)
    else walkMatches(taker, query, after?.class ?? 0)
    return { reader, found: taker }
  })
}

/** The first `wanted` rows after a cursor, over all segments. */
function collect(searches: readonly Search[], after: SearchCursor | undefined, wanted: number): FoundRow[] {
  const found = takeMatches(searches, wanted, after)
  const matches = inOrder(found)
  if (!isKeywordSearch(searches) || matches.length >= wanted)
    return matches.length > wanted ? matches.slice(0, wanted) : matches
  // A walk from the start has seen all matches; one that continues a page has not.
  const members = inOrder(membersOf(after ? takeMatches(searches, Number.POSITIVE_INFINITY) : found))
  if (members.length === 0) return matches
  const remaining =
    after?.class === groupMember ? members.filter((row) => compareCursors(cursorOf(row), after) > 0) : members
  return [...matches, ...remaining].slice(0, wanted)
}

function foundRows({ reader, found: { rows, docs, classes } }: Matches): FoundRow[] {
  const found: FoundRow[] = []
  for (let index = 0; index < rows.length; index++)
    found.push({
      reader,
      row: rows[index] as number,
      doc: docs[index] as number,
      class: classes[index] as number,
    })
  return found
}

const countRows = (matches: readonly Matches[]): number =>
  matches.reduce((sum, { found }) => sum + found.rows.length, 0)

function countAll(searches: readonly Search[]): number {
  const matches = takeMatches(searches, Number.POSITIVE_INFINITY)
  return countRows(matches) + (isKeywordSearch(searches) ? countRows(membersOf(matches)) : 0)
}

/** How many rows match, without the other members of their groups. */
export function countMatches(view: RequestView, criteria: Criteria): number {
  const searches = searchesFor(view, criteria, queriesFor(view, criteria.keywords ?? ''))
  return countRows(takeMatches(searches, Number.POSITIVE_INFINITY))
}

function inOrder(lists: readonly Matches[]): FoundRow[] {
  const [first, ...others] = lists.filter(({ found }) => found.rows.length > 0)
  if (!first || others.length === 0) return first ? foundRows(first) : []
  return lists
    .flatMap(foundRows)
    .map((row) => ({ row, cursor: cursorOf(row) }))
    .sort((one, other) => compareCursors(one.cursor, other.cursor))
    .map(({ row }) => row)
}

export function cursorOf({ reader, row, doc, class: matched }: FoundRow): SearchCursor {
  const { segment } = reader
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

/** Whether a row found by keywords matches them itself. */
export const isMatch = ({ class: matched }: FoundRow, isKeywordSearch: boolean): boolean =>
  isKeywordSearch && matched !== groupMember
