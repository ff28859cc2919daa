import { lowerBound } from '../arrays.ts'
import type { PostingList } from '../build/prefix-postings.ts'

const noBitmaps: readonly Uint32Array[] = []

function isInAll(bitmaps: readonly Uint32Array[], doc: number): boolean {
  for (let index = 0; index < bitmaps.length; index++)
    if (((((bitmaps[index] as Uint32Array)[doc >>> 5] as number) >>> (doc & 31)) & 1) === 0) return false
  return true
}

/** Visits the docs that are in all bitmaps, from doc `first` on, like `walkPostings`. */
export function walkBitmaps(bitmaps: readonly Uint32Array[], first: number, visit: (doc: number) => boolean): boolean {
  const length = bitmaps[0]?.length ?? 0
  for (let word = first >>> 5; word < length; word++) {
    let bits = word === first >>> 5 ? -1 << (first & 31) : -1
    for (let index = 0; index < bitmaps.length; index++) bits &= (bitmaps[index] as Uint32Array)[word] as number
    for (; bits !== 0; bits &= bits - 1) if (!visit(word * 32 + 31 - Math.clz32(bits & -bits))) return false
  }
  return true
}

/** Visits the union of posting lists from doc `first` on, in ascending order, limited to docs in all of `required`.
 *  Stops when `visit` returns false, and then returns false. */
export function walkPostings(
  lists: readonly PostingList[],
  first: number,
  visit: (doc: number) => boolean,
  required: readonly Uint32Array[] = noBitmaps,
): boolean {
  const [only] = lists
  if (lists.length === 1 && only) {
    const { docs, to } = only
    for (let index = lowerBound(docs, first, only.from, to); index < to; index++) {
      const doc = docs[index] as number
      if (isInAll(required, doc) && !visit(doc)) return false
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
    if (isInAll(required, next) && !visit(next)) return false
  }
}
