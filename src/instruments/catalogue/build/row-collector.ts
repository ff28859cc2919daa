import { displayHints } from '../../api/fields/enums.ts'
import { GrowableArray, radixOrder, shared, sharedCopy, TextArena } from '../arrays.ts'
import { bucketFlags, type Segment, type Slices, typeNumbers } from '../segment.ts'
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

class SliceCollector {
  readonly #starts = new GrowableArray(Uint32Array)
  readonly #lengths = new GrowableArray(Uint32Array)

  push({ start, length }: { start: number; length: number }): void {
    this.#starts.push(start)
    this.#lengths.push(length)
  }

  share(order?: Uint32Array): Slices {
    const pick = (values: Uint32Array) => (order ? picked(values, order) : values)
    return {
      starts: sharedCopy(Uint32Array, pick(this.#starts.values)),
      lengths: sharedCopy(Uint32Array, pick(this.#lengths.values)),
    }
  }
}

export function picked(values: Uint32Array, order: Uint32Array): Uint32Array {
  const result = new Uint32Array(order.length)
  for (let index = 0; index < order.length; index++) result[index] = values[order[index] as number] as number
  return result
}

export type RowPlace = Readonly<{ isRoot: boolean; isMain: boolean; groupRootId?: number | undefined }>

/** The rows of a segment as they come: their own text, and a template for what they share. */
export class RowCollector {
  readonly arena = new TextArena()
  readonly exchanges = new Map<string, number>()
  readonly #templates = new Map<string, number>()
  readonly #templateBuckets = new GrowableArray(Uint32Array)
  readonly #templateSlices = [0, 1, 2, 3].map(() => new SliceCollector())
  readonly #buckets = new Map<string, number>()
  readonly #bucketFacts: { type: number; exchange: number; hint: number; flags: number }[] = []
  readonly #rowTemplates = new GrowableArray(Uint32Array)
  readonly #common = new SliceCollector()
  readonly #own = new SliceCollector()

  get length(): number {
    return this.#rowTemplates.length
  }

  add(facts: RowFields, place: RowPlace): void {
    this.#rowTemplates.push(this.#templateOf(facts, place))
    this.#common.push(this.arena.add(commonText(facts)))
    this.#own.push(this.arena.add(ownText(facts)))
  }

  #templateOf(facts: RowFields, place: RowPlace): number {
    const { isRoot, isMain, groupRootId = 0 } = place
    const key = `${isRoot} ${isMain} ${groupRootId} ${templateKey(facts)}`
    const known = this.#templates.get(key)
    if (known !== undefined) return known
    const template = this.#templates.size
    this.#templates.set(key, template)
    this.#templateBuckets.push(this.#bucketOf(facts, place))
    const texts = [
      summaryText(facts, isRoot, place.groupRootId),
      detailsText(facts),
      orderSettingText(facts),
      orderTypesText(facts),
    ]
    for (const [index, text] of texts.entries()) this.#templateSlices[index]?.push(this.arena.add(text))
    return template
  }

  #bucketOf(facts: RowFields, { isRoot, isMain }: RowPlace): number {
    const flags =
      (facts.IsComplex ? bucketFlags.isComplex : 0) |
      (isRoot ? bucketFlags.isRoot : 0) |
      (isMain ? bucketFlags.isMain : 0) |
      (facts.CanParticipateInMultiLegOrder ? bucketFlags.joinsMultiLeg : 0) |
      statusFlags(facts)
    const type = typeNumbers.get(facts.AssetType) as number
    const hint = facts.DisplayHint === undefined ? displayHints.length : displayHints.indexOf(facts.DisplayHint)
    const exchange = this.#exchangeOf(facts.ExchangeId)
    const key = `${type} ${exchange} ${hint} ${flags}`
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    this.#buckets.set(key, this.#bucketFacts.length)
    return this.#bucketFacts.push({ type, exchange, hint, flags }) - 1
  }

  #exchangeOf(exchangeId: string): number {
    const known = this.exchanges.get(exchangeId)
    if (known !== undefined) return known
    this.exchanges.set(exchangeId, this.exchanges.size)
    return this.exchanges.size - 1
  }

  /** The columns of the rows, in their final order. */
  finish(order: Uint32Array) {
    const rowTemplates = sharedCopy(Uint32Array, picked(this.#rowTemplates.values, order))
    const templateBuckets = sharedCopy(Uint32Array, this.#templateBuckets.values)
    const rowBuckets = picked(templateBuckets, rowTemplates)
    const column = (name: 'type' | 'hint' | 'flags') => this.#bucketFacts.map((facts) => facts[name])
    const [templateSummary, templateDetails, templateOrderSetting, templateOrderTypes] = this.#templateSlices.map(
      (pieces) => pieces.share(),
    ) as [Slices, Slices, Slices, Slices]
    return {
      rowTemplates,
      rowCommon: this.#common.share(order),
      rowOwn: this.#own.share(order),
      templateBuckets,
      templateSummary,
      templateDetails,
      templateOrderSetting,
      templateOrderTypes,
      bucketTypes: sharedCopy(Uint8Array, column('type')),
      bucketHints: sharedCopy(Uint8Array, column('hint')),
      bucketFlags: sharedCopy(Uint8Array, column('flags')),
      bucketExchanges: sharedCopy(
        Uint32Array,
        this.#bucketFacts.map(({ exchange }) => exchange),
      ),
      bucketStarts: startsOf(rowBuckets, this.#bucketFacts.length),
      bucketRows: sharedCopy(Uint32Array, radixOrder(rowBuckets)),
    } satisfies Partial<Segment>
  }
}

/** Indices and continuous futures are never traded, whatever their status says (contract §5). */
function statusFlags({ TradingStatus, AssetType, DisplayHint }: RowFields): number {
  if (TradingStatus === 'ReduceOnly') return bucketFlags.isReduceOnly
  if (TradingStatus === 'NonTradable' || AssetType === 'StockIndex' || DisplayHint === 'Continuous') return 0
  return bucketFlags.isTradable
}

/** Where the rows of each key begin in a list that is ordered by key. */
export function startsOf(keys: Uint32Array, count: number): Uint32Array {
  const starts = shared(Uint32Array, count + 1)
  for (const key of keys) starts[key + 1] = (starts[key + 1] as number) + 1
  for (let key = 0; key < count; key++) starts[key + 1] = (starts[key + 1] as number) + (starts[key] as number)
  return starts
}
