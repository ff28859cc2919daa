import type { AccessView } from '../../../access/rules/visibility.ts'
import { lowerBound, sortedUnique } from '../arrays.ts'
import type { Part } from '../part.ts'
import type { Segment } from '../segment.ts'
import type { Snapshot } from '../snapshot.ts'
import { type Criteria, filterFor } from './filters.ts'
import { keywordsOf, trimWord } from './fold.ts'
import { findKeyword, findTypos, type Keyword, matchClass, matchesAny } from './keyword.ts'
import { Matcher } from './matcher.ts'
import { classOfRow } from './row-match.ts'
import { type Place, type RowFilter, takeDoc, walkListing, walkMatches } from './search.ts'

export type { Criteria } from './filters.ts'
export type Page = Readonly<{ top: number; skip: number; after?: Place | undefined; isCounted: boolean }>
export type FoundRow = Readonly<{ part: Part; row: number; class: number }>
export type Found = Readonly<{ rows: FoundRow[]; next?: Place; count?: number }>

/** Members of a matched group that do not match themselves stand behind all matches (contract §6). */
const groupMember = 4
const typoLetters = 4

type Search = Readonly<{ part: Part; filter: RowFilter; words: readonly Keyword[] }>

/** Finds the rows of a page, in order. */
export function findRows(
  snapshot: Snapshot,
  view: AccessView,
  now: Temporal.Instant,
  criteria: Criteria,
  page: Page,
): Found {
  const words = criteria.keywords === undefined ? [] : keywordsOf(criteria.keywords)
  const searches = searchesFor(snapshot, view, now, criteria, words)
  const wanted = page.top === 0 ? 0 : (page.after ? 0 : page.skip) + page.top + 1
  const all = wanted === 0 ? [] : collect(searches, page.after, wanted)
  const skipped = page.after ? 0 : page.skip
  const rows = all.slice(skipped, skipped + page.top)
  const last = rows.at(-1)
  return {
    rows,
    ...(last && all.length > skipped + page.top && { next: placeOf(last) }),
    ...(page.isCounted && { count: countAll(searches) }),
  }
}

function searchesFor(
  snapshot: Snapshot,
  view: AccessView,
  now: Temporal.Instant,
  criteria: Criteria,
  words: readonly string[],
): Search[] {
  const keywords = snapshot.parts.map(({ segment }) => words.map((word) => findKeyword(segment, word)))
  for (const [index, word] of words.entries()) {
    if ([...trimWord(word)].length < typoLetters) continue
    // What the caller may not see is not there: it must not keep a word from being mended either.
    const isKnown = (part: Part, at: number) => matchesAny(keywords[at]?.[index] as Keyword, part.sightOf(view))
    if (snapshot.parts.some(isKnown)) continue
    for (const [at, { segment }] of snapshot.parts.entries())
      (keywords[at] as Keyword[])[index] = findTypos(segment, word)
  }
  return snapshot.parts.map((part, at) => ({
    part,
    filter: filterFor(snapshot, part, view, now, criteria),
    words: keywords[at] as Keyword[],
  }))
}

/** The first rows behind a place, over all parts in one order. */
function collect(searches: readonly Search[], after: Place | undefined, wanted: number): FoundRow[] {
  const isKeyword = (searches[0]?.words.length ?? 0) > 0
  const found = searches.map(({ part, filter, words }) => {
    const rows: FoundRow[] = []
    const take = (row: number, matched: number) => rows.push({ part, row, class: matched }) < wanted
    if (!isKeyword) walkListing(part.segment, filter, after, take)
    else if ((after?.class ?? 0) < groupMember) walkMatches(part.segment, words, filter, after, take)
    return rows
  })
  const merged = inOrder(found).slice(0, wanted)
  if (!isKeyword || merged.length >= wanted) return merged
  // Who walked from the beginning to the end has seen all matches; who came in between has not.
  const groups = after ? surveyMatches(searches).groups : groupsOf(merged)
  const members = collectMembers(searches, groups, after?.class === groupMember ? after : undefined)
  return [...merged, ...members].slice(0, wanted)
}

/** Every row that matches: how many there are, and the groups they are of. */
function surveyMatches(searches: readonly Search[]): { count: number; groups: Set<number> } {
  let count = 0
  const groups = new Set<number>()
  for (const { part, filter, words } of searches) {
    const { rowDocs, docGroups } = part.segment
    walkMatches(part.segment, words, filter, undefined, (row) => {
      const group = docGroups[rowDocs[row] as number] as number
      if (group !== 0) groups.add(group)
      return ++count > 0
    })
  }
  return { count, groups }
}

function groupsOf(rows: readonly FoundRow[]): Set<number> {
  const groups = new Set<number>()
  for (const { part, row } of rows) groups.add(part.segment.docGroups[part.segment.rowDocs[row] as number] as number)
  groups.delete(0)
  return groups
}

/** The other members of the groups of all matches. */
function collectMembers(
  searches: readonly Search[],
  groups: ReadonlySet<number>,
  after: Place | undefined,
): FoundRow[] {
  if (groups.size === 0) return []
  const found = searches.map(({ part, filter, words }) => {
    const { segment } = part
    const rows: FoundRow[] = []
    const matcher = new Matcher(words)
    const take = (row: number, matched: number) => rows.push({ part, row, class: matched }) > 0
    const isUnmatched = (row: number) => classOfRow(segment, row, words) === matchClass.none
    for (const doc of docsOfGroups(segment, groups)) {
      if (!isAskedFor(filter, doc)) continue
      if (segment.docDiffers[doc]) takeDoc(segment, filter, doc, groupMember, take, -1, isUnmatched)
      else if (matcher.classAt(doc) === matchClass.none) takeDoc(segment, filter, doc, groupMember, take)
    }
    return rows
  })
  const members = inOrder(found)
  return after ? members.filter((row) => comparePlaces(placeOf(row), after) > 0) : members
}

/** Where docs are named, only those. */
const isAskedFor = ({ docs }: RowFilter, doc: number): boolean => !docs || docs[lowerBound(docs, doc)] === doc

function docsOfGroups({ groups, groupDocs }: Segment, wanted: ReadonlySet<number>): Uint32Array {
  const docs: number[] = []
  for (const group of wanted)
    for (let place = lowerBound(groups, group); groups[place] === group; place++) docs.push(groupDocs[place] as number)
  return sortedUnique(Uint32Array.from(docs))
}

function countAll(searches: readonly Search[]): number {
  if ((searches[0]?.words.length ?? 0) > 0) {
    const { count, groups } = surveyMatches(searches)
    return count + collectMembers(searches, groups, undefined).length
  }
  let count = 0
  for (const { part, filter } of searches) walkListing(part.segment, filter, undefined, () => ++count > 0)
  return count
}

function inOrder(lists: readonly FoundRow[][]): FoundRow[] {
  const [first = [], ...others] = lists.filter((rows) => rows.length > 0)
  if (others.length === 0) return first
  return lists
    .flat()
    .map((row) => ({ row, place: placeOf(row) }))
    .sort((one, other) => comparePlaces(one.place, other.place))
    .map(({ row }) => row)
}

export function placeOf({ part, row, class: matched }: FoundRow): Place {
  const { segment } = part
  const doc = segment.rowDocs[row] as number
  return {
    class: matched,
    rank: segment.docRanks[doc] as number,
    id: segment.docIds[doc] as number,
    kind: segment.docKinds[doc] as number,
    type: segment.profileTypes[part.profileOf(row)] as number,
  }
}

function comparePlaces(one: Place, other: Place): number {
  return (
    one.class - other.class ||
    one.rank - other.rank ||
    one.id - other.id ||
    one.kind - other.kind ||
    one.type - other.type
  )
}

/** Whether anything is searched for: a text without any word is no keyword. */
export const hasKeywords = ({ keywords = '' }: Criteria): boolean => keywordsOf(keywords).length > 0

/** Whether a row found by keywords matched them itself. */
export const isMatch = ({ class: matched }: FoundRow, isKeywordSearch: boolean): boolean =>
  isKeywordSearch && matched !== groupMember
