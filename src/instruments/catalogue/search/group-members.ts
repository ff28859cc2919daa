import { lowerBound, sortedUnique } from '../arrays.ts'
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
export function membersOf(matches: readonly Matches[]): Matches[] {
  const groups = groupsOf(matches)
  if (groups.length === 0) return []
  const members: Matches[] = []
  for (const { reader, found } of matches) {
    const docs = docsOfGroups(reader.segment, groups)
    if (docs.length === 0) continue
    const taker = new RowTaker(reader.segment, found.filter, Number.POSITIVE_INFINITY)
    takeMembers(taker, docs, found.rows)
    if (taker.rows.length > 0) members.push({ reader, found: taker })
  }
  return members
}

/** Ascending. */
function groupsOf(matches: readonly Matches[]): Uint32Array {
  const groups: number[] = []
  for (const { found } of matches) {
    const { segment, docs } = found
    for (let index = 0; index < docs.length; index++) {
      const group = segment.docGroups[docs[index] as number] as number
      if (group !== 0 && group !== groups[groups.length - 1]) groups.push(group)
    }
  }
  return sortedUnique(new Uint32Array(groups))
}

/** Every row that passes the filter and matches is in `matched`. */
function takeMembers(taker: RowTaker, docs: Uint32Array, matched: readonly number[]): void {
  const { filter } = taker
  const known = matched.length > maxCompared ? new Set(matched) : undefined
  const isUnmatched = (row: number) => (known ? !known.has(row) : !matched.includes(row))
  for (let index = 0; index < docs.length; index++) {
    const doc = docs[index] as number
    if (filter.docs && filter.docs[lowerBound(filter.docs, doc)] !== doc) continue
    taker.takeSome(doc, groupMember, isUnmatched)
  }
}

/** The docs of groups, both ascending. */
function docsOfGroups({ groups: { keys, docs } }: Segment, groups: Uint32Array): Uint32Array {
  const found: number[] = []
  let at = 0
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index] as number
    at = lowerBound(keys, group, at)
    for (; keys[at] === group; at++) found.push(docs[at] as number)
  }
  return sortedUnique(new Uint32Array(found))
}
