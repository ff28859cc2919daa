import { displayHints } from '../../api/enums.ts'
import { Growing, radixOrder, shared, sharedCopy, TextArena } from '../arrays.ts'
import { type Pieces, profileFlags, type Segment, typeNumbers } from '../segment.ts'
import {
  commonText,
  detailsText,
  orderSettingText,
  orderTypesText,
  ownText,
  type RowFacts,
  summaryText,
  templateKey,
} from './members.ts'

class PieceCollector {
  readonly #starts = new Growing(Uint32Array)
  readonly #lengths = new Growing(Uint32Array)

  push({ start, length }: { start: number; length: number }): void {
    this.#starts.push(start)
    this.#lengths.push(length)
  }

  share(order?: Uint32Array): Pieces {
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
  readonly #templateProfiles = new Growing(Uint32Array)
  readonly #templatePieces = [0, 1, 2, 3].map(() => new PieceCollector())
  readonly #profiles = new Map<string, number>()
  readonly #profileFacts: { type: number; exchange: number; hint: number; flags: number }[] = []
  readonly #rowTemplates = new Growing(Uint32Array)
  readonly #common = new PieceCollector()
  readonly #own = new PieceCollector()

  get length(): number {
    return this.#rowTemplates.length
  }

  add(facts: RowFacts, place: RowPlace): void {
    this.#rowTemplates.push(this.#templateOf(facts, place))
    this.#common.push(this.arena.add(commonText(facts)))
    this.#own.push(this.arena.add(ownText(facts)))
  }

  #templateOf(facts: RowFacts, place: RowPlace): number {
    const { isRoot, isMain, groupRootId = 0 } = place
    const key = `${isRoot} ${isMain} ${groupRootId} ${templateKey(facts)}`
    const known = this.#templates.get(key)
    if (known !== undefined) return known
    const template = this.#templates.size
    this.#templates.set(key, template)
    this.#templateProfiles.push(this.#profileOf(facts, place))
    const texts = [
      summaryText(facts, isRoot, place.groupRootId),
      detailsText(facts),
      orderSettingText(facts),
      orderTypesText(facts),
    ]
    for (const [index, text] of texts.entries()) this.#templatePieces[index]?.push(this.arena.add(text))
    return template
  }

  #profileOf(facts: RowFacts, { isRoot, isMain }: RowPlace): number {
    const flags =
      (facts.IsComplex ? profileFlags.isComplex : 0) |
      (isRoot ? profileFlags.isRoot : 0) |
      (isMain ? profileFlags.isMain : 0) |
      (facts.CanParticipateInMultiLegOrder ? profileFlags.joinsMultiLeg : 0) |
      statusFlags(facts)
    const type = typeNumbers.get(facts.AssetType) as number
    const hint = facts.DisplayHint === undefined ? displayHints.length : displayHints.indexOf(facts.DisplayHint)
    const exchange = this.#exchangeOf(facts.ExchangeId)
    const key = `${type} ${exchange} ${hint} ${flags}`
    const known = this.#profiles.get(key)
    if (known !== undefined) return known
    this.#profiles.set(key, this.#profileFacts.length)
    return this.#profileFacts.push({ type, exchange, hint, flags }) - 1
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
    const templateProfiles = sharedCopy(Uint32Array, this.#templateProfiles.values)
    const rowProfiles = picked(templateProfiles, rowTemplates)
    const column = (name: 'type' | 'hint' | 'flags') => this.#profileFacts.map((facts) => facts[name])
    const [templateSummary, templateDetails, templateOrderSetting, templateOrderTypes] = this.#templatePieces.map(
      (pieces) => pieces.share(),
    ) as [Pieces, Pieces, Pieces, Pieces]
    return {
      rowTemplates,
      rowCommon: this.#common.share(order),
      rowOwn: this.#own.share(order),
      templateProfiles,
      templateSummary,
      templateDetails,
      templateOrderSetting,
      templateOrderTypes,
      profileTypes: sharedCopy(Uint8Array, column('type')),
      profileHints: sharedCopy(Uint8Array, column('hint')),
      profileFlags: sharedCopy(Uint8Array, column('flags')),
      profileExchanges: sharedCopy(
        Uint32Array,
        this.#profileFacts.map(({ exchange }) => exchange),
      ),
      profileStarts: startsOf(rowProfiles, this.#profileFacts.length),
      profileRows: sharedCopy(Uint32Array, radixOrder(rowProfiles)),
    } satisfies Partial<Segment>
  }
}

/** Indices and continuous futures are never traded, whatever their status says (contract §5). */
function statusFlags({ TradingStatus, AssetType, DisplayHint }: RowFacts): number {
  if (TradingStatus === 'ReduceOnly') return profileFlags.isReduceOnly
  if (TradingStatus === 'NonTradable' || AssetType === 'StockIndex' || DisplayHint === 'Continuous') return 0
  return profileFlags.isTradable
}

/** Where the rows of each key begin in a list that is ordered by key. */
export function startsOf(keys: Uint32Array, count: number): Uint32Array {
  const starts = shared(Uint32Array, count + 1)
  for (const key of keys) starts[key + 1] = (starts[key + 1] as number) + 1
  for (let key = 0; key < count; key++) starts[key + 1] = (starts[key + 1] as number) + (starts[key] as number)
  return starts
}
