import { epochDay, epochMicroseconds } from '../../../core/time/days.ts'
import { tradingStatuses } from '../../../core/trading-status.ts'
import type { OptionRootRecord } from '../../import/schema.ts'
import { GrowableArray, radixOrder, sharedCopy, type TextArena } from '../arrays.ts'
import type { OptionColumns } from '../segment.ts'
import { SliceCollector } from './slice-collector.ts'

type Series = OptionRootRecord['Series'][number]
type Option = Series['Options'][number]

/** By strike, Call before Put (§6.3). */
const byStrike = (one: Option, other: Option): number =>
  one.StrikePrice - other.StrikePrice ||
  (one.PutCall < other.PutCall ? -1 : one.PutCall > other.PutCall ? 1 : one.Uic - other.Uic)

/** Collects option roots with their series and contracts into columns. */
export class OptionCollector {
  readonly #rootIds = new GrowableArray(Uint32Array)
  readonly #rootDocs = new GrowableArray(Uint32Array)
  readonly #rootSeries = new GrowableArray(Uint32Array)
  readonly #expiries = new GrowableArray(Int32Array)
  readonly #lastTrades = new GrowableArray(Float64Array)
  readonly #tickSchemes: SliceCollector
  readonly #seriesOptions = new GrowableArray(Uint32Array)
  readonly #uics = new GrowableArray(Uint32Array)
  readonly #roots = new GrowableArray(Uint32Array)
  readonly #strikes = new GrowableArray(Float64Array)
  readonly #underlyings = new GrowableArray(Uint32Array)
  readonly #flags = new GrowableArray(Uint8Array)

  constructor(arena: TextArena) {
    this.#tickSchemes = new SliceCollector(arena)
  }

  add(record: OptionRootRecord, doc: number): void {
    this.#rootIds.push(record.OptionRootId)
    this.#rootDocs.push(doc)
    this.#rootSeries.push(this.#expiries.length)
    for (const series of record.Series.toSorted((one, other) => (one.Expiry < other.Expiry ? -1 : 1)))
      this.#addSeries(series, record)
  }

  #addSeries({ Expiry, LastTradeDate, TickSizeScheme, Options }: Series, root: OptionRootRecord): void {
    this.#expiries.push(epochDay(Expiry))
    this.#lastTrades.push(LastTradeDate === undefined ? Number.NaN : epochMicroseconds(LastTradeDate))
    const scheme = TickSizeScheme === undefined ? '' : `"TickSizeScheme":${JSON.stringify(TickSizeScheme)}`
    this.#tickSchemes.addUnique(scheme)
    this.#seriesOptions.push(this.#uics.length)
    for (const option of Options.toSorted(byStrike)) {
      this.#uics.push(option.Uic)
      this.#roots.push(this.#rootIds.length - 1)
      this.#strikes.push(option.StrikePrice)
      this.#underlyings.push(option.UnderlyingUic ?? root.UnderlyingUic ?? 0)
      const status = tradingStatuses.indexOf(option.TradingStatus ?? 'NotDefined')
      this.#flags.push((option.PutCall === 'Put' ? 1 : 0) | (status << 1))
    }
  }

  /** `newDocs` maps the doc numbers given to `add` to the final ones. */
  finish(newDocs: Uint32Array): OptionColumns {
    this.#rootSeries.push(this.#expiries.length)
    this.#seriesOptions.push(this.#uics.length)
    const rootDocs = this.#rootDocs.values.map((doc) => newDocs[doc] as number)
    return {
      rootIds: sharedCopy(Uint32Array, this.#rootIds.values),
      rootsById: sharedCopy(Uint32Array, radixOrder(this.#rootIds.values)),
      rootDocs: sharedCopy(Uint32Array, rootDocs),
      rootSeries: sharedCopy(Uint32Array, this.#rootSeries.values),
      seriesExpiries: sharedCopy(Int32Array, this.#expiries.values),
      seriesLastTrades: sharedCopy(Float64Array, this.#lastTrades.values),
      seriesTickSchemes: this.#tickSchemes.finish(),
      seriesOptions: sharedCopy(Uint32Array, this.#seriesOptions.values),
      uics: sharedCopy(Uint32Array, this.#uics.values),
      roots: sharedCopy(Uint32Array, this.#roots.values),
      strikes: sharedCopy(Float64Array, this.#strikes.values),
      underlyings: sharedCopy(Uint32Array, this.#underlyings.values),
      flags: sharedCopy(Uint8Array, this.#flags.values),
      byUic: sharedCopy(Uint32Array, radixOrder(this.#uics.values)),
    }
  }
}
