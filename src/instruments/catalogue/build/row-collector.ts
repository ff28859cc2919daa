import { displayHints } from '../../api/fields/enums.ts'
import { GrowableArray, numberOf, radixOrder, reordered, sharedCopy, startsOf } from '../arrays.ts'
import { bucketFlags, type Segment, typeNumbers } from '../segment.ts'
import { BucketCollector } from './bucket-collector.ts'
import {
  commonText,
  detailsText,
  orderSettingText,
  orderTypesText,
  ownText,
  type RowFields,
  summaryText,
  templateKey,
} from './row-fields.ts'
import { SliceCollector, TextArena } from './slice-collector.ts'

type RowRole = Readonly<{ isRoot: boolean; isMain: boolean; groupRootId?: number | undefined }>

export class RowCollector {
  readonly arena = new TextArena()
  readonly #templates = new Map<string, number>()
  readonly #templateBuckets = new GrowableArray(Uint32Array)
  readonly #summaries = new SliceCollector(this.arena)
  readonly #details = new SliceCollector(this.arena)
  readonly #orderSettings = new SliceCollector(this.arena)
  readonly #orderTypes = new SliceCollector(this.arena)
  readonly #buckets = new BucketCollector()
  readonly #rowTemplates = new GrowableArray(Uint32Array)
  readonly #common = new SliceCollector(this.arena)
  readonly #own = new SliceCollector(this.arena)

  get length(): number {
    return this.#rowTemplates.length
  }

  add(row: RowFields, role: RowRole): void {
    this.#rowTemplates.push(this.#templateOf(row, role))
    this.#common.add(commonText(row))
    this.#own.add(ownText(row))
  }

  #templateOf(row: RowFields, role: RowRole): number {
    const { isRoot, isMain, groupRootId = 0 } = role
    const template = numberOf(this.#templates, `${isRoot} ${isMain} ${groupRootId} ${templateKey(row)}`)
    if (template < this.#templateBuckets.length) return template
    this.#templateBuckets.push(this.#bucketOf(row, role))
    this.#summaries.add(summaryText(row, isRoot, role.groupRootId))
    this.#details.add(detailsText(row))
    this.#orderSettings.add(orderSettingText(row))
    this.#orderTypes.add(orderTypesText(row))
    return template
  }

  #bucketOf(row: RowFields, { isRoot, isMain }: RowRole): number {
    const flags =
      (row.IsComplex ? bucketFlags.isComplex : 0) |
      (isRoot ? bucketFlags.isRoot : 0) |
      (isMain ? bucketFlags.isMain : 0) |
      (row.CanParticipateInMultiLegOrder ? bucketFlags.joinsMultiLeg : 0) |
      statusFlags(row)
    const type = typeNumbers.get(row.AssetType) as number
    const hint = row.DisplayHint === undefined ? displayHints.length : displayHints.indexOf(row.DisplayHint)
    return this.#buckets.add({ type, exchangeId: row.ExchangeId, hint, flags })
  }

  finish(order: Uint32Array) {
    const rowTemplates = this.#rowTemplates.share(order)
    const templateBuckets = this.#templateBuckets.share()
    const rowBuckets = reordered(Uint32Array, templateBuckets, rowTemplates)
    const buckets = this.#buckets.finish()
    return {
      rowTemplates,
      rowCommon: this.#common.finish(order),
      rowOwn: this.#own.finish(order),
      templateBuckets,
      templateSummary: this.#summaries.finish(),
      templateDetails: this.#details.finish(),
      templateOrderSetting: this.#orderSettings.finish(),
      templateOrderTypes: this.#orderTypes.finish(),
      ...buckets,
      bucketStarts: startsOf(rowBuckets, buckets.bucketTypes.length),
      bucketRows: sharedCopy(Uint32Array, radixOrder(rowBuckets)),
    } satisfies Partial<Segment>
  }
}

/** Indices and continuous futures are never tradable, whatever their status (§5.3). */
function statusFlags({ TradingStatus, AssetType, DisplayHint }: RowFields): number {
  if (TradingStatus === 'ReduceOnly') return bucketFlags.isReduceOnly
  if (TradingStatus === 'NonTradable' || AssetType === 'StockIndex' || DisplayHint === 'Continuous') return 0
  return bucketFlags.isTradable
}
