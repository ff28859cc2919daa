import type { AccessView } from '../../access/rules/visibility.ts'
import { displayHints } from '../api/fields/enums.ts'
import { datedSchedule } from '../rules/trading-schedule.ts'
import { lowerBound } from './arrays.ts'
import type { ExchangeFacts } from './exchanges.ts'
import type { AllowedBuckets } from './search/filters.ts'
import { bucketFlags, type Segment, typeNames } from './segment.ts'
import { ExpiringCache } from './write/expiring-cache.ts'

/** What a caller may do with the rows of each bucket of a segment. */
export type BucketRights = Readonly<{ visible: Uint8Array; tradable: Uint8Array }>

const mostViews = 1_000
const relation = Buffer.from('"Related')

/** A segment as reader of a snapshot: with what is known of it only together with the others. */
export class SegmentReader {
  readonly segment: Segment
  /** By doc: 1 where a newer reader has taken its place, or it was removed. */
  readonly deleted: Uint8Array | undefined
  readonly exchanges: readonly ExchangeFacts[]
  readonly #text: Buffer
  #deletedPerBucket: Uint32Array | undefined
  readonly #rights = new Map<string, BucketRights>()
  readonly #allowed = new Map<string, AllowedBuckets>()
  readonly #schedules = new ExpiringCache<Buffer>()

  constructor(segment: Segment, deleted: Uint8Array | undefined, exchanges: readonly ExchangeFacts[]) {
    this.segment = segment
    this.deleted = deleted
    this.exchanges = exchanges
    const { buffer, byteOffset, byteLength } = segment.text
    this.#text = Buffer.from(buffer, byteOffset, byteLength)
  }

  /** Worked out once per view: a filter then is a look-up. */
  rightsOf(view: AccessView): BucketRights {
    const known = this.#rights.get(view.signature)
    if (known) return known
    if (this.#rights.size >= mostViews) this.#rights.clear()
    const { bucketTypes, bucketExchanges, exchangeIds, bucketFlags: flags } = this.segment
    const [visible, tradable] = [new Uint8Array(bucketTypes.length), new Uint8Array(bucketTypes.length)]
    for (let bucket = 0; bucket < bucketTypes.length; bucket++) {
      const type = typeNames[bucketTypes[bucket] as number] as string
      const exchangeId = exchangeIds[bucketExchanges[bucket] as number] as string
      visible[bucket] = view.isVisible(type, exchangeId) ? 1 : 0
      const isTradable = (flags[bucket] as number) & bucketFlags.isTradable
      tradable[bucket] = isTradable && view.tradingAccounts(type, exchangeId).length > 0 ? 1 : 0
    }
    const made = { visible, tradable }
    this.#rights.set(view.signature, made)
    return made
  }

  /** Tells of a doc whether a caller may see it in any of its asset types. */
  visibilityTo(view: AccessView): (doc: number) => boolean {
    const { visible } = this.rightsOf(view)
    const { docRows } = this.segment
    return (doc) => {
      if (this.isDeleted(doc)) return false
      for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++)
        if (visible[this.bucketOf(row)]) return true
      return false
    }
  }

  /** The buckets that a filter allows, worked out once for callers who ask alike. */
  allowedFor(key: string, make: () => AllowedBuckets): AllowedBuckets {
    const known = this.#allowed.get(key)
    if (known) return known
    if (this.#allowed.size >= mostViews) this.#allowed.clear()
    const made = make()
    this.#allowed.set(key, made)
    return made
  }

  isDeleted(doc: number): boolean {
    return this.deleted?.[doc] === 1
  }

  /** The doc of an instrument, unless it is deleted. */
  docOf(uic: number): number | undefined {
    const { uics, uicDocs } = this.segment
    const place = lowerBound(uics, uic)
    if (uics[place] !== uic) return undefined
    const doc = uicDocs[place] as number
    return this.isDeleted(doc) ? undefined : doc
  }

  /** The number of a root, unless it is deleted. */
  rootOf(optionRootId: number): number | undefined {
    const { rootsById, rootIds, rootDocs } = this.segment.options
    let [low, high] = [0, rootsById.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((rootIds[rootsById[middle] as number] as number) < optionRootId) low = middle + 1
      else high = middle
    }
    const root = rootsById[low]
    if (root === undefined || rootIds[root] !== optionRootId) return undefined
    return this.isDeleted(rootDocs[root] as number) ? undefined : root
  }

  /** The place of an option contract in the columns, unless its root is deleted. */
  contractOf(uic: number): number | undefined {
    const { byUic, uics } = this.segment.options
    const contract = byUic[this.contractsFrom(uic)]
    if (contract === undefined || uics[contract] !== uic) return undefined
    return this.isDeletedContract(contract) ? undefined : contract
  }

  isDeletedContract(contract: number): boolean {
    const { roots, rootDocs } = this.segment.options
    return this.deleted !== undefined && this.isDeleted(rootDocs[roots[contract] as number] as number)
  }

  /** The series of a contract: the last that begins at it or before. */
  seriesOf(contract: number): number {
    return lowerBound(this.segment.options.seriesOptions, contract + 1) - 1
  }

  /** The place, in the order of Uics, of the first contract from a Uic on. */
  contractsFrom(uic: number): number {
    const { byUic, uics } = this.segment.options
    let [low, high] = [0, byUic.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((uics[byUic[middle] as number] as number) < uic) low = middle + 1
      else high = middle
    }
    return low
  }

  contractsOfRoot(root: number): { start: number; end: number; length: number } {
    const { rootSeries, seriesOptions } = this.segment.options
    const start = seriesOptions[rootSeries[root] as number] as number
    const end = seriesOptions[rootSeries[root + 1] as number] as number
    return { start, end, length: end - start }
  }

  /** How many instruments, roots and contracts of roots are not deleted. */
  liveDocs(): { instruments: number; roots: number; contracts: number } {
    const { docKinds, docIds, options } = this.segment
    const live = { instruments: 0, roots: 0, contracts: 0 }
    if (!this.deleted) {
      const roots = options.rootIds.length
      return { instruments: docIds.length - roots, roots, contracts: options.uics.length }
    }
    for (let doc = 0; doc < docIds.length; doc++) if (docKinds[doc] === 0 && !this.isDeleted(doc)) live.instruments++
    for (let root = 0; root < options.rootIds.length; root++) {
      if (this.isDeleted(options.rootDocs[root] as number)) continue
      live.roots++
      live.contracts += this.contractsOfRoot(root).length
    }
    return live
  }

  /** How many rows of a bucket are not deleted. */
  liveRows(bucket: number): number {
    const { bucketStarts } = this.segment
    return (bucketStarts[bucket + 1] as number) - (bucketStarts[bucket] as number) - (this.#deletedRows()[bucket] ?? 0)
  }

  #deletedRows(): Uint32Array {
    if (this.#deletedPerBucket) return this.#deletedPerBucket
    const counts = new Uint32Array(this.deleted ? this.segment.bucketTypes.length : 0)
    const { docRows } = this.segment
    for (let doc = 0; doc < (this.deleted?.length ?? 0); doc++)
      if (this.deleted?.[doc])
        for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++) {
          const bucket = this.bucketOf(row)
          counts[bucket] = (counts[bucket] as number) + 1
        }
    this.#deletedPerBucket = counts
    return counts
  }

  /** The row of a root. */
  rowOfRoot(root: number): number {
    return this.segment.docRows[this.segment.options.rootDocs[root] as number] as number
  }

  /** The docs of a continuous parent's futures. */
  futuresOf(uic: number): number[] {
    const { parents, parentDocs } = this.segment
    const docs: number[] = []
    for (let place = lowerBound(parents, uic); parents[place] === uic; place++)
      if (!this.isDeleted(parentDocs[place] as number)) docs.push(parentDocs[place] as number)
    return docs
  }

  /** The row's own members where they name others; few do, and those of the rest need not be read. */
  relationsOf(row: number): string | undefined {
    const { starts, lengths } = this.segment.rowOwn
    const start = starts[row] as number
    const piece = this.#text.subarray(start, start + (lengths[row] as number))
    return piece.includes(relation) ? piece.toString() : undefined
  }

  rowsOf(doc: number): number[] {
    const from = this.segment.docRows[doc] as number
    return Array.from({ length: (this.segment.docRows[doc + 1] as number) - from }, (_, index) => from + index)
  }

  kindOf(row: number): { AssetType: string; DisplayHint?: string } {
    const { bucketTypes, bucketHints } = this.segment
    const bucket = this.bucketOf(row)
    const DisplayHint = displayHints[bucketHints[bucket] as number]
    return { AssetType: typeNames[bucketTypes[bucket] as number] as string, ...(DisplayHint && { DisplayHint }) }
  }

  /** The row of a doc's main asset type. */
  mainRow(doc: number): number {
    return this.segment.docMainRows[doc] as number
  }

  bucketOf(row: number): number {
    return this.segment.templateBuckets[this.segment.rowTemplates[row] as number] as number
  }

  /** When a doc trades, by its own hours or its exchange's, as the wire has it. */
  scheduleOf(doc: number, row: number, now: Temporal.Instant): Buffer {
    const { record } = this.exchangeOf(row)
    const hours = this.segment.docHours[doc] as number
    return this.#schedules.get(`${hours} ${record.ExchangeId}`, now, () => {
      const calendar = hours === 0 ? record : { ...record, Hours: JSON.parse(this.segment.ownHours[hours] as string) }
      const { schedule, until } = datedSchedule(calendar, now)
      return { value: Buffer.from(JSON.stringify(schedule)), until }
    })
  }

  exchangeOf(row: number): ExchangeFacts {
    return this.exchanges[this.segment.bucketExchanges[this.bucketOf(row)] as number] as ExchangeFacts
  }
}
