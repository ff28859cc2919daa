import { shared } from '../arrays.ts'
import type { Segment } from '../segment.ts'

/** What is not in the merged segment. */
export const gone = 0xffff_ffff

/** A segment that is merged, and the new numbers of its docs, which keep their order; or `gone`. */
export type Part = Readonly<{ segment: Segment; docs: Uint32Array }>
export type Merged = Readonly<{ parts: readonly [Part, Part]; docCount: number }>

/** Numbers the docs of both segments by rank, then id, instruments first, as they are numbered in each. */
export function mergeDocs(base: Segment, deleted: Uint8Array, changed: Segment): Merged {
  const segments = [base, changed] as const
  const parts = segments.map((segment) => ({ segment, docs: new Uint32Array(segment.docIds.length).fill(gone) }))
  const [one, other] = parts as [Part, Part]
  let [at, otherAt, docCount] = [0, 0, 0]
  while (at < one.docs.length || otherAt < other.docs.length) {
    if (deleted[at]) at++
    else if (otherAt === other.docs.length || (at < one.docs.length && isBefore(base, at, changed, otherAt)))
      one.docs[at++] = docCount++
    else other.docs[otherAt++] = docCount++
  }
  return { parts: [one, other], docCount }
}

function isBefore(one: Segment, doc: number, other: Segment, otherDoc: number): boolean {
  const by = (column: 'docRanks' | 'docIds' | 'docKinds') =>
    (one[column][doc] as number) - (other[column][otherDoc] as number)
  return (by('docRanks') || by('docIds') || by('docKinds')) < 0
}

type Numbers = Uint8Array | Uint32Array | Int32Array | Float64Array
type ArrayType<A> = { new (content: SharedArrayBuffer | number): A; BYTES_PER_ELEMENT: number }

/** Puts the values of both parts where `places` says. */
export function gather<A extends Numbers>(
  type: ArrayType<A>,
  length: number,
  sources: readonly (readonly [values: ArrayLike<number>, places: Uint32Array])[],
): A {
  const target = shared(type, length)
  for (const [values, places] of sources)
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number
      if (place !== gone) target[place] = values[index] as number
    }
  return target
}
