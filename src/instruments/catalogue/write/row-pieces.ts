import type { ExchangeFacts } from '../exchanges.ts'
import { type Segment, typeNames } from '../segment.ts'

/** The ends of rows for the rights of a caller, by list of buckets. */
export type RowEnds = Readonly<{
  /** Of matches of keywords. */
  matches: Buffer[]
  /** Of all others; empty if nothing may be traded. */
  others: Buffer[]
}>

const maxEnds = 10_000
const comma = Buffer.from(',')

/** JSON that many rows of a segment share, made when it is needed first. */
export class RowPieces {
  readonly #segment: Segment
  readonly #exchanges: readonly ExchangeFacts[]
  readonly #summaries: Buffer[] = []
  /** Callers with different rights share equal ones. */
  readonly #ends = new Map<string, Buffer>()

  constructor(segment: Segment, exchanges: readonly ExchangeFacts[]) {
    this.#segment = segment
    this.#exchanges = exchanges
  }

  /** The members of search results that rows with the same template share, with a comma on both sides. */
  summaryOf(template: number): Buffer {
    this.#summaries[template] ??= this.#makeSummary(template)
    return this.#summaries[template]
  }

  #makeSummary(template: number): Buffer {
    const { text, templateSummary, templateBuckets, bucketExchanges } = this.#segment
    const start = templateSummary.starts[template] as number
    const summary = Buffer.from(text.subarray(start, start + (templateSummary.lengths[template] as number)))
    const exchange = bucketExchanges[templateBuckets[template] as number] as number
    return Buffer.concat([comma, summary, comma, (this.#exchanges[exchange] as ExchangeFacts).names])
  }

  /** The end of an object of a doc whose rows do not expire: IsKeywordMatch and TradableAs, the main asset type first. */
  endOf(rights: Readonly<{ tradable: Uint8Array; ends: RowEnds }>, list: number, isMatch: boolean): Buffer {
    const ends = isMatch ? rights.ends.matches : rights.ends.others
    ends[list] ??= this.#makeEnd(rights.tradable, list, isMatch)
    return ends[list]
  }

  #makeEnd(tradable: Uint8Array, list: number, isMatch: boolean): Buffer {
    const { bucketTypes, bucketLists } = this.#segment
    const buckets = bucketLists.buckets.subarray(bucketLists.starts[list], bucketLists.starts[list + 1])
    const types = Array.from(buckets.filter((bucket) => tradable[bucket])).map(
      (bucket) => typeNames[bucketTypes[bucket] as number],
    )
    const members = [
      ...(isMatch ? ['"IsKeywordMatch":true'] : []),
      ...(types.length > 0 ? [`"TradableAs":${JSON.stringify(types)}`] : []),
    ]
    const text = members.length === 0 ? '' : `${members.join()}}`
    if (this.#ends.size >= maxEnds) this.#ends.clear()
    return this.#ends.getOrInsertComputed(text, () => Buffer.from(text))
  }
}
