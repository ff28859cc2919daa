import { LRUCache } from 'lru-cache'
import type { AccessView } from '../../access/rules/visibility.ts'
import { displayHints } from '../api/fields/enums.ts'
import type { Calendar } from '../rules/trading-day.ts'
import { datedSchedule } from '../rules/trading-schedule.ts'
import type { PairCalendar } from '../rules/value-dates.ts'
import { lowerBound, partitionPoint } from './arrays.ts'
import { type AllowedBuckets, type BucketRights, bucketRights } from './bucket-rights.ts'
import type { Calendars } from './calendars.ts'
import type { ExchangeFacts } from './exchanges.ts'
import { docsInBuckets } from './facts/doc-facts.ts'
import { factsPerRow, rowFact, rowFlags } from './facts/row-facts.ts'
import { calendarWith, pairWith, valueDatesText } from './own-times.ts'
import { SampledList } from './search/lists/sampled-list.ts'
import { bucketOfRow, docsOf, type Segment, typeNames } from './segment.ts'
import { type Expiring, ExpiringCache } from './write/expiring-cache.ts'
import { remember } from './write/remember.ts'
import { RowPieces } from './write/row-pieces.ts'

export type Counts = Readonly<{ Instruments: number; OptionRoots: number; OptionContracts: number }>

const maxViews = 1_000
const maxMainDocs = 50

/** A segment in a snapshot: looks up docs and skips deleted ones. */
export class SegmentReader {
  readonly segment: Segment
  /** By doc: 1 if it was deleted or a newer segment replaces it. */
  readonly deleted: Uint8Array | undefined
  readonly exchanges: readonly ExchangeFacts[]
  readonly pieces: RowPieces
  readonly #calendars: Calendars
  readonly #uics: SampledList
  #deletedRows: Uint32Array | undefined
  readonly #rights = new LRUCache<string, BucketRights>({ max: maxViews })
  /** By the rights and filters that decide which buckets are allowed, if there are filters. */
  readonly allowed = new LRUCache<string, AllowedBuckets>({ max: maxViews })
  /** By allowed buckets. */
  readonly #mainDocs = new Map<string, Uint32Array>()
  readonly #schedules = new ExpiringCache<Buffer>()
  /** By own times and exchange. */
  readonly #pairs = new Map<string, PairCalendar | undefined>()
  readonly #valueDates = new Map<string, { today: number; text: string }>()

  constructor(
    segment: Segment,
    deleted: Uint8Array | undefined,
    exchanges: readonly ExchangeFacts[],
    calendars: Calendars,
  ) {
    this.segment = segment
    this.deleted = deleted
    this.exchanges = exchanges
    this.#calendars = calendars
    this.#uics = new SampledList(segment.uics)
    this.pieces = new RowPieces(segment, exchanges)
  }

  /** Computed once per view: access is then one lookup per row. */
  rightsOf(view: AccessView): BucketRights {
    return remember(this.#rights, view.signature, () => bucketRights(this.segment, view))
  }

  /** A bitmap of the docs whose row of the main asset type is in an allowed bucket. Nearly all callers share one. Undefined if there are
   *  bitmaps for `maxMainDocs` other sets of buckets. */
  mainDocsOf(allowed: Uint8Array): Uint32Array | undefined {
    const key = Buffer.from(allowed).toString('latin1')
    const known = this.#mainDocs.get(key)
    if (known || this.#mainDocs.size >= maxMainDocs) return known
    const docs = docsInBuckets(this.segment, allowed)
    this.#mainDocs.set(key, docs)
    return docs
  }

  /** Returns a function that says whether the caller may see a doc in any of its asset types. */
  visibilityTo(view: AccessView): (doc: number) => boolean {
    const { visible } = this.rightsOf(view)
    const { docRows, docBuckets } = this.segment
    return (doc) => {
      if (this.isDeleted(doc)) return false
      if (visible[docBuckets[doc] as number]) return true
      for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++)
        if (visible[this.bucketOf(row)]) return true
      return false
    }
  }

  isDeleted(doc: number): boolean {
    return this.deleted?.[doc] === 1
  }

  docOf(uic: number): number | undefined {
    const index = this.#uics.indexOf(uic)
    if (index < 0) return undefined
    const doc = this.segment.uicDocs[index] as number
    return this.isDeleted(doc) ? undefined : doc
  }

  rootOf(optionRootId: number): number | undefined {
    const { rootsById, rootIds, rootDocs } = this.segment.options
    const idAt = (index: number) => rootIds[rootsById[index] as number] as number
    const root = rootsById[partitionPoint(0, rootsById.length, (index) => idAt(index) < optionRootId)]
    if (root === undefined || rootIds[root] !== optionRootId) return undefined
    return this.isDeleted(rootDocs[root] as number) ? undefined : root
  }

  contractOf(uic: number): number | undefined {
    const { byUic, uics, roots, rootDocs } = this.segment.options
    const contract = byUic[partitionPoint(0, byUic.length, (index) => (uics[byUic[index] as number] as number) < uic)]
    if (contract === undefined || uics[contract] !== uic) return undefined
    return this.isDeleted(rootDocs[roots[contract] as number] as number) ? undefined : contract
  }

  seriesOf(contract: number): number {
    return lowerBound(this.segment.options.seriesOptions, contract + 1) - 1
  }

  contractsOfRoot(root: number): { start: number; end: number; length: number } {
    const { rootSeries, seriesOptions } = this.segment.options
    const start = seriesOptions[rootSeries[root] as number] as number
    const end = seriesOptions[rootSeries[root + 1] as number] as number
    return { start, end, length: end - start }
  }

  countLive(): Counts {
    const { uicDocs, options } = this.segment
    const counts = {
      Instruments: uicDocs.length,
      OptionRoots: options.rootIds.length,
      OptionContracts: options.uics.length,
    }
    if (!this.deleted) return counts
    const { deleted } = this
    for (let index = 0; index < uicDocs.length; index++)
      counts.Instruments -= deleted[uicDocs[index] as number] as number
    for (let root = 0; root < options.rootDocs.length; root++) {
      if (!deleted[options.rootDocs[root] as number]) continue
      counts.OptionRoots--
      counts.OptionContracts -= this.contractsOfRoot(root).length
    }
    return counts
  }

  countLiveRows(bucket: number): number {
    const { bucketStarts } = this.segment
    this.#deletedRows ??= this.#countDeletedRows()
    const rows = (bucketStarts[bucket + 1] as number) - (bucketStarts[bucket] as number)
    return rows - (this.#deletedRows[bucket] ?? 0)
  }

  #countDeletedRows(): Uint32Array {
    const counts = new Uint32Array(this.deleted ? this.segment.bucketTypes.length : 0)
    for (let doc = 0; doc < (this.deleted?.length ?? 0); doc++) {
      if (!this.isDeleted(doc)) continue
      for (const bucket of this.rowsOf(doc).map((row) => this.bucketOf(row)))
        counts[bucket] = (counts[bucket] as number) + 1
    }
    return counts
  }

  liveRowsOf(bucket: number): Uint32Array {
    const { bucketStarts, bucketRows, rowDocs } = this.segment
    const rows = bucketRows.subarray(bucketStarts[bucket], bucketStarts[bucket + 1])
    return this.deleted ? rows.filter((row) => !this.isDeleted(rowDocs[row] as number)) : rows
  }

  rowOfRoot(root: number): number {
    return this.segment.docRows[this.segment.options.rootDocs[root] as number] as number
  }

  futuresOf(uic: number): number[] {
    return [...docsOf(this.segment.futures, uic)].filter((doc) => !this.isDeleted(doc))
  }

  /** The row's own fields if they refer to other instruments, which must then be checked for visibility. Few do. */
  relationsOf(row: number): string | undefined {
    const { text, rowFacts } = this.segment
    const at = row * factsPerRow
    if (!((rowFacts[at + rowFact.flags] as number) & rowFlags.isRelated)) return undefined
    const start = rowFacts[at + rowFact.own] as number
    return Buffer.from(text.subarray(start, start + (rowFacts[at + rowFact.ownLength] as number))).toString()
  }

  rowsOf(doc: number): number[] {
    const first = this.segment.docRows[doc] as number
    return Array.from({ length: (this.segment.docRows[doc + 1] as number) - first }, (_, index) => first + index)
  }

  kindOf(row: number): { AssetType: string; DisplayHint?: string } {
    const { bucketTypes, bucketHints } = this.segment
    const bucket = this.bucketOf(row)
    const DisplayHint = displayHints[bucketHints[bucket] as number]
    return { AssetType: typeNames[bucketTypes[bucket] as number] as string, ...(DisplayHint && { DisplayHint }) }
  }

  bucketOf(row: number): number {
    return bucketOfRow(this.segment, row)
  }

  /** The trading schedule as JSON. */
  scheduleOf(row: number, now: number): Expiring<Buffer> {
    return this.#schedules.get(this.#timesKey(row), now, () => {
      const { schedule, until } = datedSchedule(this.calendarOf(row), Temporal.Instant.fromEpochMilliseconds(now))
      return { value: Buffer.from(JSON.stringify(schedule)), until }
    })
  }

  /** The calendar of the row, or that of its exchange; with its own hours if it has any. */
  calendarOf(row: number): Calendar {
    return calendarWith(this.#timesOf(row), this.exchangeOf(row).calendar, this.#calendars)
  }

  /** What the value dates of a currency pair depend on; undefined for other instruments. */
  pairOf(row: number): PairCalendar | undefined {
    if (this.#timesNumber(row) === 0) return undefined
    const make = () => pairWith(this.#timesOf(row), this.calendarOf(row), this.#calendars)
    return this.#pairs.getOrInsertComputed(this.#timesKey(row), make)
  }

  /** The value dates of a currency pair as JSON members; empty for other instruments. */
  valueDatesOf(row: number, today: number): string {
    const pair = this.pairOf(row)
    if (!pair) return ''
    const key = this.#timesKey(row)
    const known = this.#valueDates.get(key)
    if (known?.today === today) return known.text
    const text = valueDatesText(pair, today)
    this.#valueDates.set(key, { today, text })
    return text
  }

  #timesNumber(row: number): number {
    return this.segment.docTimes[this.segment.rowDocs[row] as number] as number
  }

  #timesOf(row: number): string {
    return this.segment.ownTimes[this.#timesNumber(row)] as string
  }

  /** Rows with the same key have the same calendar. */
  #timesKey(row: number): string {
    return `${this.#timesNumber(row)} ${this.exchangeOf(row).record.ExchangeId}`
  }

  exchangeOf(row: number): ExchangeFacts {
    return this.exchanges[this.segment.bucketExchanges[this.bucketOf(row)] as number] as ExchangeFacts
  }
}
