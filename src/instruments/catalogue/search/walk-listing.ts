import { partitionPoint, sortedUnique } from '../arrays.ts'
import { listOf } from '../build/prefix-postings.ts'
import type { Segment } from '../segment.ts'
import { DocWalk } from './lists/doc-walk.ts'
import type { RowFilter, RowTaker } from './row-taker.ts'

/** Up to this many rows are tested individually instead of walking a long list. */
const maxTestedRows = 2_048

const listingClass = 0

/** A short list of docs that contains everything a filter lets through; `max` is its length at most. */
export type ShortList = Readonly<{ max: number; make: () => Uint32Array }>

export function shortListOf(segment: Segment, filter: RowFilter): ShortList | undefined {
  const { allowedRows, docs } = filter
  if (docs) return { max: 0, make: () => docs }
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

/** Takes all rows that pass, without keywords, by rank, id and asset type. */
export function walkListing(taker: RowTaker): void {
  const { segment, filter } = taker
  const first = taker.firstDocOf(listingClass)
  const docCount = segment.docIds.length
  const short = shortListOf(segment, filter)
  if (short && short.max * 4 < docCount) {
    const walk = new DocWalk(listOf(short.make()), first)
    for (let doc = walk.next(); doc >= 0 && !taker.isFull; doc = walk.next()) taker.take(doc, listingClass)
  } else for (let doc = first; doc < docCount && !taker.isFull; doc++) taker.take(doc, listingClass)
}
