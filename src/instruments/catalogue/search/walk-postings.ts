import { lowerBound } from '../arrays.ts'
import type { PostingList } from '../build/prefix-postings.ts'

const noBits: readonly Uint32Array[] = []

function isInAll(bitsets: readonly Uint32Array[], doc: number): boolean {
  for (let index = 0; index < bitsets.length; index++)
    if (((((bitsets[index] as Uint32Array)[doc >>> 5] as number) >>> (doc & 31)) & 1) === 0) return false
  return true
}

/** The docs of several ascending lists from `first` on, ascending, each once, of those that are in all of `must`, until
 *  the visitor has had enough. */
export function walkPostings(
  lists: readonly PostingList[],
  first: number,
  visit: (doc: number) => boolean,
  must: readonly Uint32Array[] = noBits,
): boolean {
  const [only] = lists
  if (lists.length === 1 && only) {
    const { docs, to } = only
    for (let index = lowerBound(docs, first, only.from, to); index < to; index++) {
      const doc = docs[index] as number
      if (isInAll(must, doc) && !visit(doc)) return false
    }
    return true
  }
  const heads = lists.map(({ docs, from, to }) => lowerBound(docs, first, from, to))
  while (true) {
    let next = Number.POSITIVE_INFINITY
    for (let list = 0; list < lists.length; list++) {
      const { docs, to } = lists[list] as PostingList
      const head = heads[list] as number
      if (head < to && (docs[head] as number) < next) next = docs[head] as number
    }
    if (next === Number.POSITIVE_INFINITY) return true
    for (let list = 0; list < lists.length; list++) {
      const { docs, to } = lists[list] as PostingList
      const head = heads[list] as number
      if (head < to && docs[head] === next) heads[list] = head + 1
    }
    if (isInAll(must, next) && !visit(next)) return false
  }
}
