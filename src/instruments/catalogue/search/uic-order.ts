import { lowerBound, partitionPoint } from '../arrays.ts'
import type { SegmentReader } from '../segment-reader.ts'

type Sequence = Readonly<{
  length: number
  uicAt: (index: number) => number
  sizeAt: (index: number) => number
  /** Whether every index has exactly one row, so that nothing needs counting. */
  isDense: boolean
}>

const blockLength = 256

/** A sequence with row counts per block, so that it can skip rows and jump over gaps without visiting every index. */
export class UicOrder {
  readonly #sequence: Sequence
  #blockStarts: Uint32Array | undefined

  constructor(sequence: Sequence) {
    this.#sequence = sequence
  }

  uicAt(index: number): number {
    return index < this.#sequence.length ? this.#sequence.uicAt(index) : Number.POSITIVE_INFINITY
  }

  /** The first index with a row whose Uic is at least this; the length if there is none. */
  from(uic: number): number {
    return this.next(this.#indexOf(uic))
  }

  /** The first index with a row from an index on. */
  next(index: number): number {
    const { length, sizeAt, isDense } = this.#sequence
    if (isDense) return index
    for (let at = index; at < Math.min(index + blockLength, length); at++) if (sizeAt(at) > 0) return at
    return index + blockLength < length ? this.#nextByBlock(index + blockLength) : length
  }

  #nextByBlock(index: number): number {
    const { length, sizeAt } = this.#sequence
    // The block with the next row is the last one that does not start after it.
    const block = lowerBound(this.#countBlocks(), this.#countTo(index) + 1) - 1
    let at = Math.max(index, block * blockLength)
    while (at < length && sizeAt(at) === 0) at++
    return Math.min(at, length)
  }

  countBelow(uic: number): number {
    return this.#countTo(this.#indexOf(uic))
  }

  /** The first index whose Uic is at least this. */
  #indexOf(uic: number): number {
    const { length, uicAt } = this.#sequence
    return partitionPoint(0, length, (index) => uicAt(index) < uic)
  }

  #countTo(index: number): number {
    if (this.#sequence.isDense) return index
    const block = Math.floor(index / blockLength)
    let count = this.#countBlocks()[block] as number
    for (let at = block * blockLength; at < index; at++) count += this.#sequence.sizeAt(at)
    return count
  }

  /** The number of rows before each block, and the total at the end. */
  #countBlocks(): Uint32Array {
    if (this.#blockStarts) return this.#blockStarts
    const { length, sizeAt } = this.#sequence
    const starts = new Uint32Array(Math.ceil(length / blockLength) + 1)
    let count = 0
    for (let at = 0; at < length; at++) {
      if (at % blockLength === 0) starts[at / blockLength] = count
      count += sizeAt(at)
    }
    starts[starts.length - 1] = count
    this.#blockStarts = starts
    return starts
  }
}

/** A sorted list that repeats each Uic once per row. */
export function listOrder(list: Uint32Array): UicOrder {
  const uics = list.filter((uic, index) => uic !== list[index - 1])
  const starts = uics.map((uic) => lowerBound(list, uic))
  return new UicOrder({
    length: uics.length,
    uicAt: (index) => uics[index] as number,
    sizeAt: (index) => (starts[index + 1] ?? list.length) - (starts[index] as number),
    isDense: uics.length === list.length,
  })
}

/** The instruments of a segment with their rows in allowed buckets. */
export function instrumentOrder(reader: SegmentReader, allowed: Uint8Array): UicOrder {
  const { uics, uicDocs, docRows } = reader.segment
  return new UicOrder({
    length: uics.length,
    uicAt: (index) => uics[index] as number,
    sizeAt: (index) => {
      const doc = uicDocs[index] as number
      if (reader.isDeleted(doc)) return 0
      let count = 0
      for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++)
        if (allowed[reader.bucketOf(row)]) count++
      return count
    },
    isDense: false,
  })
}

export function contractOrder(reader: SegmentReader, roots: Uint8Array): UicOrder {
  const { byUic, uics, roots: rootOf } = reader.segment.options
  return new UicOrder({
    length: byUic.length,
    uicAt: (index) => uics[byUic[index] as number] as number,
    sizeAt: (index) => roots[rootOf[byUic[index] as number] as number] as number,
    isDense: !roots.includes(0),
  })
}
