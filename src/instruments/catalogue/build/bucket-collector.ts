import { numberOf, sharedCopy } from '../arrays.ts'

/** What filters and access rights look at: numbers of the asset type and display hint, and `bucketFlags`. */
export type Bucket = Readonly<{ type: number; exchangeId: string; hint: number; flags: number }>

/** Numbers buckets and their exchanges in the order of first use. */
export class BucketCollector {
  readonly #exchanges = new Map<string, number>()
  readonly #numbers = new Map<string, number>()
  readonly #buckets: Bucket[] = []

  add(bucket: Bucket): number {
    const { type, exchangeId, hint, flags } = bucket
    const number = numberOf(this.#numbers, `${type} ${numberOf(this.#exchanges, exchangeId)} ${hint} ${flags}`)
    this.#buckets[number] ??= bucket
    return number
  }

  finish() {
    const column = (read: (bucket: Bucket) => number) => this.#buckets.map(read)
    return {
      exchangeIds: [...this.#exchanges.keys()],
      bucketTypes: sharedCopy(
        Uint8Array,
        column(({ type }) => type),
      ),
      bucketExchanges: sharedCopy(
        Uint32Array,
        column(({ exchangeId }) => numberOf(this.#exchanges, exchangeId)),
      ),
      bucketHints: sharedCopy(
        Uint8Array,
        column(({ hint }) => hint),
      ),
      bucketFlags: sharedCopy(
        Uint8Array,
        column(({ flags }) => flags),
      ),
    }
  }
}
