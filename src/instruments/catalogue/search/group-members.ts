import { lowerBound, sortUnique } from '../arrays.ts'
import { groupStartOf } from '../facts/doc-facts.ts'
import type { Segment } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import { RowTaker } from './row-taker.ts'

/** The class of rows that do not match themselves but are in the group of a row that does; after all matches (§6.1). */
export const groupMember = 6

/** Up to this many matched rows are compared one by one. */
const maxCompared = 64

/** The rows of a segment that a search found. */
export type Matches = Readonly<{ reader: SegmentReader; found: RowTaker }>

/** The rows in the groups of all matches that do not match themselves. */
export function membersOf(matches: readonly Matches[]): readonly Matches[] {
  const starts = matches.map(startsOfGroups)
  if (starts.every(({ length }) => length === 0)) return none
  const members: Matches[] = []
  for (const [index, { reader, found }] of matches.entries()) {
    const own = starts[index] as number[]
    const docs = docsOfGroupsAt(reader.segment, matches.length === 1 ? own : startsOfAllGroups(matches, starts, index))
    if (docs.length === 0) continue
    const taker = new RowTaker(reader.segment, found.filter, Number.POSITIVE_INFINITY)
    takeMembers(taker, docs, found.rows)
    if (taker.rows.length > 0) members.push({ reader, found: taker })
  }
  return members
}

/** Where in its list of groups the groups of a segment's own matches begin. */
function startsOfGroups({ found: { segment, docs } }: Matches): number[] {
  const starts: number[] = []
  for (let index = 0, last = -1; index < docs.length; index++) {
    const at = groupStartOf(segment, docs[index] as number)
    if (at >= 0 && at !== last) starts.push(at)
    last = at
  }
  return sortUnique(starts)
}

const none: readonly Matches[] = []

/** The same with the groups of the matches in other segments. */
function startsOfAllGroups(matches: readonly Matches[], starts: readonly number[][], own: number): number[] {
  const { keys } = (matches[own] as Matches).reader.segment.groups
  const all = [...(starts[own] as number[])]
  for (const [other, { reader }] of matches.entries()) {
    if (other === own) continue
    for (const start of starts[other] as number[]) {
      const key = reader.segment.groups.keys[start] as number
      const at = lowerBound(keys, key)
      if (keys[at] === key) all.push(at)
    }
  }
  return sortUnique(all)
}

/** Every row that passes the filter and matches is in `matched`. */
function takeMembers(taker: RowTaker, docs: readonly number[], matched: readonly number[]): void {
  const { filter } = taker
  const known = matched.length > maxCompared ? new Set(matched) : undefined
  const isUnmatched = (row: number) => (known ? !known.has(row) : !matched.includes(row))
  for (let index = 0; index < docs.length; index++) {
    const doc = docs[index] as number
    if (filter.docs && filter.docs[lowerBound(filter.docs, doc)] !== doc) continue
    taker.take(doc, groupMember, isUnmatched)
  }
}

/** The docs of the groups that begin at these positions, ascending. */
function docsOfGroupsAt({ groups: { keys, docs } }: Segment, starts: readonly number[]): number[] {
  const found: number[] = []
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index] as number
    const group = keys[start]
    for (let at = start; at < keys.length && keys[at] === group; at++) found.push(docs[at] as number)
  }
  return sortUnique(found)
}
