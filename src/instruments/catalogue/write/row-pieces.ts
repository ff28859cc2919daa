import type { ExchangeFacts } from '../exchanges.ts'
import { type Segment, typeNames } from '../segment.ts'

/** The ends of search results and details for the rights of a caller, by list of buckets; empty if nothing may be traded. */
export type RowEnds = Buffer[]

const maxEnds = 10_000

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

  /** The members of search results that rows with the same template share, with a trailing comma. */
  summaryOf(template: number): Buffer {
    this.#summaries[template] ??= this.#makeSummary(template)
    return this.#summaries[template]
  }

  #makeSummary(template: number): Buffer {
    const { text, templateSummary, templateBuckets, bucketExchanges } = this.#segment
    const start = templateSummary.starts[template] as number
    const summary = Buffer.from(text.subarray(start, start + (templateSummary.lengths[template] as number)))
    const exchange = bucketExchanges[templateBuckets[template] as number] as number
    return Buffer.concat([summary, Buffer.from(','), (this.#exchanges[exchange] as ExchangeFacts).names])
  }

  /** The end of an object of a doc whose rows do not expire: TradableAs, the main asset type first. */
  endOf({ tradable, ends }: Readonly<{ tradable: Uint8Array; ends: RowEnds }>, list: number): Buffer {
    ends[list] ??= this.#makeEnd(tradable, list)
    return ends[list]
  }

  #makeEnd(tradable: Uint8Array, list: number): Buffer {
    const { bucketTypes, bucketLists } = this.#segment
    const buckets = bucketLists.buckets.subarray(bucketLists.starts[list], bucketLists.starts[list + 1])
    const types = Array.from(buckets.filter((bucket) => tradable[bucket])).map(
      (bucket) => typeNames[bucketTypes[bucket] as number],
    )
    const text = types.length === 0 ? '' : `"TradableAs":${JSON.stringify(types)}}`
    if (this.#ends.size >= maxEnds) this.#ends.clear()
    return this.#ends.getOrInsertComputed(text, () => Buffer.from(text))
  }
}
