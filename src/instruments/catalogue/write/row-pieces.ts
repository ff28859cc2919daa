import { algoAssetTypes, algoStrategyNames } from '../../../core/asset-type.ts'
import type { ExchangeFacts } from '../exchanges.ts'
import { bucketFlags, type Segment, type Slices, typeNames } from '../segment.ts'
import { limitedMembers } from './json-buffer.ts'
import { detailsMembers, detailsValues, searchMembers } from './vendor-members.ts'

/** The ends of rows for the rights of a caller, by list of buckets. */
export type RowEnds = Readonly<{
  /** Of matches of keywords. */
  matches: Buffer[]
  /** Of all others; empty if nothing may be traded. */
  others: Buffer[]
}>

type Rights = Readonly<{ tradable: Uint8Array; ends: RowEnds }>

const maxEnds = 10_000
const comma = Buffer.from(',')
/** Asset types of a currency pair that stand together in TradableAs with COMPAT=vendor. */
const pairTypes = new Set(['FxForwards', 'FxSpot', 'FxSwap', 'FxVanillaOption'])

/** JSON that many rows of a segment share, made when it is needed first. */
export class RowPieces {
  readonly #segment: Segment
  readonly #exchanges: readonly ExchangeFacts[]
  readonly #summaries: Buffer[] = []
  readonly #limitedSummaries: Buffer[] = []
  readonly #limitedDetails: Buffer[] = []
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

  /** The members of `summaryOf` that the vendor profile sends. */
  limitedSummaryOf(template: number, names: ReadonlySet<string>): Buffer {
    this.#limitedSummaries[template] ??= Buffer.concat([
      comma,
      limitedMembers(this.#textOf(this.#segment.templateSummary, template), names),
    ])
    return this.#limitedSummaries[template]
  }

  /** The members of details that rows with the same template share in the vendor profile. */
  limitedDetailsOf(template: number, names: ReadonlySet<string>): Buffer {
    this.#limitedDetails[template] ??= this.#makeLimitedDetails(template, names)
    return this.#limitedDetails[template]
  }

  #makeLimitedDetails(template: number, names: ReadonlySet<string>): Buffer {
    const text = this.#textOf(this.#segment.templateDetails, template)
    const { SupportedOrderTypes: orders = [] } = JSON.parse(`{${text}}`) as { SupportedOrderTypes?: string[] }
    const isStop = (order: string): boolean => order.startsWith('Stop')
    return limitedMembers(text, names, {
      ...detailsValues,
      IsOcoOrderSupported: orders.includes('Limit') && orders.some(isStop),
      ...(algoAssetTypes.some((type) => type === this.#typeOf(template)) && { SupportedStrategies: algoStrategyNames }),
      ...(orders.includes('StopIfTraded') && { SupportedOrderTriggerPriceTypes: ['LastTraded'] }),
    })
  }

  /** The names of the members of details in the vendor profile; undefined means all. */
  detailsMembersOf(template: number): ReadonlySet<string> | undefined {
    return detailsMembers[this.#typeOf(template)]
  }

  searchMembersOf(template: number): ReadonlySet<string> | undefined {
    return searchMembers[this.#typeOf(template)]
  }

  #typeOf(template: number): string {
    const { templateBuckets } = this.#segment
    return this.#typeOfBucket(templateBuckets[template] as number)
  }

  #typeOfBucket(bucket: number): string {
    return typeNames[this.#segment.bucketTypes[bucket] as number] as string
  }

  #textOf({ starts, lengths }: Slices, template: number): string {
    const start = starts[template] as number
    return Buffer.from(this.#segment.text.subarray(start, start + (lengths[template] as number))).toString()
  }

  /** The end of an object of a doc whose rows do not expire: IsKeywordMatch and TradableAs, the main asset type first. */
  endOf(rights: Rights, list: number, isMatch: boolean): Buffer {
    const ends = isMatch ? rights.ends.matches : rights.ends.others
    ends[list] ??= this.#makeEnd(rights.tradable, this.#bucketsOf(list), isMatch)
    return ends[list]
  }

  /** The end of a row in a bucket in the vendor profile. */
  limitedEndOf(rights: Rights, list: number, isMatch: boolean, bucket: number): Buffer {
    const buckets = this.#bucketsOf(list).filter((each) => this.isTradableAs(bucket, each))
    return this.#makeEnd(rights.tradable, buckets, isMatch)
  }

  /** Whether TradableAs of a row in a bucket names the asset type of another bucket in the vendor profile. Roots have none. */
  isTradableAs(bucket: number, other: number): boolean {
    if ((this.#segment.bucketFlags[bucket] as number) & bucketFlags.isRoot) return false
    if (bucket === other) return true
    return pairTypes.has(this.#typeOfBucket(bucket)) && pairTypes.has(this.#typeOfBucket(other))
  }

  #bucketsOf(list: number): Uint32Array {
    const { starts, buckets } = this.#segment.bucketLists
    return buckets.subarray(starts[list], starts[list + 1])
  }

  #makeEnd(tradable: Uint8Array, buckets: Uint32Array, isMatch: boolean): Buffer {
    const types = Array.from(buckets.filter((bucket) => tradable[bucket])).map((bucket) => this.#typeOfBucket(bucket))
    const members = [
      ...(isMatch ? ['"IsKeywordMatch":true'] : []),
      ...(types.length > 0 ? [`"TradableAs":${JSON.stringify(types)}`] : []),
    ]
    const text = members.length === 0 ? '' : `${members.join()}}`
    if (this.#ends.size >= maxEnds) this.#ends.clear()
    return this.#ends.getOrInsertComputed(text, () => Buffer.from(text))
  }
}
