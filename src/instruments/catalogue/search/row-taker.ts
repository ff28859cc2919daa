import type { ValueChangeBounds } from '../../rules/search-criteria.ts'
import { partitionPoint } from '../arrays.ts'
import { expiryOf, mainRowOf } from '../facts/doc-facts.ts'
import { bucketOfRow, isPast, type Segment } from '../segment.ts'
import { hasBit } from './lists/posting-cursor.ts'

export type RowFilter = Readonly<{
  /** By bucket: 1 if its rows pass. */
  allowed: Uint8Array
  allowedRows: number
  /** A bitmap of the docs whose row of the main asset type is in an allowed bucket, deleted and expired ones too. Undefined if there are
   *  filters, or if the reader has no bitmap for these buckets: then each row is looked up. */
  mainDocs: Uint32Array | undefined
  /** Whether only rows of the main asset type pass: then one lookup per doc is enough. */
  isMainOnly: boolean
  /** Today by exchange, if expired rows are hidden. */
  days: Int32Array | undefined
  bounds: readonly ValueChangeBounds[]
  /** The only docs that pass, ascending. */
  docs: Uint32Array | undefined
  /** By doc: 1 if deleted. */
  deleted: Uint8Array | undefined
}>

/** The sort key of a row of a search; a page continues after it. */
export type SearchCursor = Readonly<{ class: number; rank: number; id: number; kind: number; type: number }>

const always = (_row: number): boolean => true

/** Takes the rows of docs that satisfy a filter, up to a limit. */
export class RowTaker {
  readonly rows: number[] = []
  /** The doc and the class of each row. */
  readonly docs: number[] = []
  readonly classes: number[] = []
  readonly filter: RowFilter
  readonly segment: Segment
  readonly #limit: number
  readonly #after: SearchCursor | undefined
  /** The first doc that does not sort before `after`. */
  readonly #firstDoc: number
  /** The doc in which the last page ended, if it has more rows; otherwise -1. */
  readonly #splitDoc: number

  constructor(segment: Segment, filter: RowFilter, limit: number, after?: SearchCursor) {
    this.segment = segment
    this.filter = filter
    this.#limit = limit
    this.#after = after
    this.#firstDoc = after ? docAt(segment, after) : 0
    this.#splitDoc = after && isAt(segment, this.#firstDoc, after) ? this.#firstDoc : -1
  }

  /** Where the walk through a class starts. */
  firstDocOf(matched: number): number {
    return matched === this.#after?.class ? this.#firstDoc : 0
  }

  /** Whether it starts from the beginning, not after the last page. */
  get isFromStart(): boolean {
    return this.#after === undefined
  }

  /** An empty one that takes rows of the same segment, as many. */
  another(): RowTaker {
    return new RowTaker(this.segment, this.filter, this.#limit)
  }

  append({ rows, docs, classes }: RowTaker): void {
    for (let index = 0; index < rows.length && !this.isFull; index++)
      this.#add(rows[index] as number, docs[index] as number, classes[index] as number)
  }

  get isFull(): boolean {
    return this.rows.length >= this.#limit
  }

  /** Takes the rows of a doc that pass the filter and a test. */
  take(doc: number, matched: number, isTaken = always): void {
    const { segment, filter } = this
    if (!filter.isMainOnly || doc === this.#splitDoc) {
      this.#takeRows(doc, matched, isTaken)
      return
    }
    if (!isMainAllowed(segment, filter, doc) || !passesDoc(segment, filter, doc)) return
    const expiry = expiryOf(segment, doc)
    if (expiry !== 0 && isHiddenAsExpired(segment, filter, segment.docBuckets[doc] as number, expiry)) return
    const row = mainRowOf(segment, doc)
    if (isTaken(row)) this.#add(row, doc, matched)
  }

  #takeRows(doc: number, matched: number, isTaken: (row: number) => boolean): void {
    const { segment, filter } = this
    if (!passesDoc(segment, filter, doc)) return
    const afterType = doc === this.#splitDoc && matched === this.#after?.class ? this.#after.type : -1
    const main = filter.isMainOnly ? mainRowOf(segment, doc) : -1
    const [first, end] =
      main < 0 ? [segment.docRows[doc] as number, segment.docRows[doc + 1] as number] : [main, main + 1]
    for (let row = first; row < end && !this.isFull; row++) {
      const bucket = bucketOfRow(segment, row)
      if (!filter.allowed[bucket] || (segment.bucketTypes[bucket] as number) <= afterType) continue
      if (isHiddenAsExpired(segment, filter, bucket, segment.rowExpiries[row] as number)) continue
      if (isTaken(row)) this.#add(row, doc, matched)
    }
  }

  #add(row: number, doc: number, matched: number): void {
    this.rows.push(row)
    this.docs.push(doc)
    this.classes.push(matched)
  }
}

const isMainAllowed = ({ docBuckets }: Segment, { mainDocs, allowed }: RowFilter, doc: number): boolean =>
  mainDocs ? hasBit(mainDocs, doc) : allowed[docBuckets[doc] as number] === 1

function passesDoc(segment: Segment, { bounds, deleted }: RowFilter, doc: number): boolean {
  if (deleted?.[doc]) return false
  for (let index = 0; index < bounds.length; index++) {
    const { figure, from, to } = bounds[index] as ValueChangeBounds
    const value = segment.changes[figure]?.[doc] as number
    if (!(value >= from && value <= to)) return false
  }
  return true
}

/** Whether the filter hides a row of a bucket because it has expired. */
const isHiddenAsExpired = (
  { bucketExchanges }: Segment,
  { days }: RowFilter,
  bucket: number,
  expiry: number,
): boolean => expiry !== 0 && days !== undefined && isPast(expiry, days[bucketExchanges[bucket] as number] as number)

/** The first doc that does not sort before (rank, id, kind). */
function docAt(segment: Segment, { rank, id, kind }: SearchCursor): number {
  const { docRanks, docIds, docKinds } = segment
  return partitionPoint(0, docIds.length, (doc) => {
    const difference =
      (docRanks[doc] as number) - rank || (docIds[doc] as number) - id || (docKinds[doc] as number) - kind
    return difference < 0
  })
}

const isAt = ({ docRanks, docIds, docKinds }: Segment, doc: number, { rank, id, kind }: SearchCursor): boolean =>
  docRanks[doc] === rank && docIds[doc] === id && docKinds[doc] === kind
