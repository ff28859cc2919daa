import { lowerBound } from '../arrays.ts'
import type { SegmentReader } from '../segment-reader.ts'

/** Instruments, or option contracts, of a reader in the order of their Uics. */
type Sequence = Readonly<{
  length: number
  uicAt: (index: number) => number
  /** How many rows may be listed of what stands there. */
  sizeAt: (index: number) => number
  /** The first place from a Uic on. */
  from: (uic: number) => number
  /** Every place has one row that may be listed, so that places need not be looked at to count them. */
  isWhole: boolean
}>

/** So many places are counted together. */
const blockLength = 256

/** A sequence that is skipped over, and whose gaps are jumped over, without looking at each place every time. */
export class UicOrder {
  readonly #sequence: Sequence
  #starts: Uint32Array | undefined

  constructor(sequence: Sequence) {
    this.#sequence = sequence
  }

  uicAt(index: number): number {
    return index < this.#sequence.length ? this.#sequence.uicAt(index) : Number.POSITIVE_INFINITY
  }

  /** The first place from a Uic on that has a row; the length when there is none. */
  from(uic: number): number {
    return this.next(this.#sequence.from(uic))
  }

  /** The same from a place on. */
  next(index: number): number {
    const { length, sizeAt, isWhole } = this.#sequence
    if (isWhole) return index
    for (let at = index; at < Math.min(index + blockLength, length); at++) if (sizeAt(at) > 0) return at
    return index + blockLength < length ? this.#nextBlock(index + blockLength) : length
  }

  #nextBlock(index: number): number {
    const { length, sizeAt } = this.#sequence
    const before = this.#countTo(index)
    // The block that holds the next row: the last one that does not begin behind it.
    const block = lowerBound(this.#counted(), before + 1) - 1
    let at = Math.max(index, block * blockLength)
    while (at < length && sizeAt(at) === 0) at++
    return Math.min(at, length)
  }

  /** How many rows are of Uics below one. */
  countBelow(uic: number): number {
    return this.#countTo(this.#sequence.from(uic))
  }

  #countTo(index: number): number {
    if (this.#sequence.isWhole) return index
    const block = Math.floor(index / blockLength)
    let count = this.#counted()[block] as number
    for (let at = block * blockLength; at < index; at++) count += this.#sequence.sizeAt(at)
    return count
  }

  /** The rows before each block, and all of them at last. */
  #counted(): Uint32Array {
    if (this.#starts) return this.#starts
    const { length, sizeAt } = this.#sequence
    const starts = new Uint32Array(Math.ceil(length / blockLength) + 1)
    let count = 0
    for (let at = 0; at < length; at++) {
      if (at % blockLength === 0) starts[at / blockLength] = count
      count += sizeAt(at)
    }
    starts[starts.length - 1] = count
    this.#starts = starts
    return starts
  }
}

/** A list that names each Uic as often as it has rows. */
export function listOrder(list: Uint32Array): UicOrder {
  const uics = list.filter((uic, index) => uic !== list[index - 1])
  const starts = uics.map((uic) => lowerBound(list, uic))
  return new UicOrder({
    length: uics.length,
    uicAt: (index) => uics[index] as number,
    sizeAt: (index) => (starts[index + 1] ?? list.length) - (starts[index] as number),
    from: (uic) => lowerBound(uics, uic),
    isWhole: uics.length === list.length,
  })
}

const allowedRows = (
  { segment: { docRows } }: SegmentReader,
  allowed: (row: number) => boolean,
  doc: number,
): number => {
  let count = 0
  for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++) if (allowed(row)) count++
  return count
}

/** The instruments of a reader, as far as their buckets are allowed. */
export function instrumentOrder(reader: SegmentReader, allowed: Uint8Array): UicOrder {
  const { uics, uicDocs } = reader.segment
  const isAllowed = (row: number) => allowed[reader.bucketOf(row)] === 1
  return new UicOrder({
    length: uics.length,
    uicAt: (index) => uics[index] as number,
    sizeAt: (index) => {
      const doc = uicDocs[index] as number
      return reader.isDeleted(doc) ? 0 : allowedRows(reader, isAllowed, doc)
    },
    from: (uic) => lowerBound(uics, uic),
    isWhole: false,
  })
}

/** The option contracts of a reader, as far as their roots are allowed (by number: 1). */
export function contractOrder(reader: SegmentReader, roots: Uint8Array): UicOrder {
  const { byUic, uics, roots: rootOf } = reader.segment.options
  return new UicOrder({
    length: byUic.length,
    uicAt: (index) => uics[byUic[index] as number] as number,
    sizeAt: (index) => roots[rootOf[byUic[index] as number] as number] as number,
    from: (uic) => reader.contractsFrom(uic),
    isWhole: !roots.includes(0),
  })
}
