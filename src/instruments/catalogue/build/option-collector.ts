import { epochDay, epochMicroseconds } from '../../../core/time/days.ts'
import { tradingStatuses } from '../../../core/trading-status.ts'
import type { OptionRootRecord } from '../../import/schema.ts'
import { GrowableArray, radixOrder, sharedCopy, type TextArena } from '../arrays.ts'
import type { OptionColumns } from '../segment.ts'

/** The option spaces of a segment's roots, in columns. */
export class OptionCollector {
  readonly #arena: TextArena
  readonly #rootIds = new GrowableArray(Uint32Array)
  readonly #rootDocs = new GrowableArray(Uint32Array)
  readonly #rootSeries = new GrowableArray(Uint32Array)
  readonly #expiries = new GrowableArray(Int32Array)
  readonly #lastTrades = new GrowableArray(Float64Array)
  readonly #schemeStarts = new GrowableArray(Uint32Array)
  readonly #schemeLengths = new GrowableArray(Uint32Array)
  readonly #seriesOptions = new GrowableArray(Uint32Array)
  readonly #uics = new GrowableArray(Uint32Array)
  readonly #roots = new GrowableArray(Uint32Array)
  readonly #strikes = new GrowableArray(Float64Array)
  readonly #underlyings = new GrowableArray(Uint32Array)
  readonly #flags = new GrowableArray(Uint8Array)
  readonly #schemes = new Map<string, { start: number; length: number }>()

  constructor(arena: TextArena) {
    this.#arena = arena
  }

  add(record: OptionRootRecord, doc: number): void {
    this.#rootIds.push(record.OptionRootId)
    this.#rootDocs.push(doc)
    this.#rootSeries.push(this.#expiries.length)
    for (const series of record.Series.toSorted((one, other) => (one.Expiry < other.Expiry ? -1 : 1)))
      this.#addSeries(series, record)
  }

  #addSeries(series: OptionRootRecord['Series'][number], root: OptionRootRecord): void {
    this.#expiries.push(epochDay(series.Expiry))
    const { LastTradeDate } = series
    this.#lastTrades.push(LastTradeDate === undefined ? Number.NaN : epochMicroseconds(LastTradeDate))
    const scheme = this.#schemeOf(series.TickSizeScheme)
    this.#schemeStarts.push(scheme.start)
    this.#schemeLengths.push(scheme.length)
    this.#seriesOptions.push(this.#uics.length)
    // Strike by strike, Call before Put (contract §6).
    const ordered = series.Options.toSorted(
      (one, other) =>
        one.StrikePrice - other.StrikePrice ||
        (one.PutCall < other.PutCall ? -1 : one.PutCall > other.PutCall ? 1 : one.Uic - other.Uic),
    )
    for (const option of ordered) {
      this.#uics.push(option.Uic)
      this.#roots.push(this.#rootIds.length - 1)
      this.#strikes.push(option.StrikePrice)
      this.#underlyings.push(option.UnderlyingUic ?? root.UnderlyingUic ?? 0)
      const status = tradingStatuses.indexOf(option.TradingStatus ?? 'NotDefined')
      this.#flags.push((option.PutCall === 'Put' ? 1 : 0) | (status << 1))
    }
  }

  #schemeOf(scheme: object | undefined): { start: number; length: number } {
    const text = scheme === undefined ? '' : `"TickSizeScheme":${JSON.stringify(scheme)}`
    const known = this.#schemes.get(text)
    if (known) return known
    const piece = this.#arena.add(text)
    this.#schemes.set(text, piece)
    return piece
  }

  /** `newDocs` tells the final number of a doc by the one it had when it was added. */
  finish(newDocs: Uint32Array): OptionColumns {
    this.#rootSeries.push(this.#expiries.length)
    this.#seriesOptions.push(this.#uics.length)
    const uics = this.#uics.values
    return {
      rootIds: sharedCopy(Uint32Array, this.#rootIds.values),
      rootsById: sharedCopy(Uint32Array, radixOrder(this.#rootIds.values)),
      rootDocs: sharedCopy(
        Uint32Array,
        this.#rootDocs.values.map((doc) => newDocs[doc] as number),
      ),
      rootSeries: sharedCopy(Uint32Array, this.#rootSeries.values),
      seriesExpiries: sharedCopy(Int32Array, this.#expiries.values),
      seriesLastTrades: sharedCopy(Float64Array, this.#lastTrades.values),
      seriesTickSchemes: {
        starts: sharedCopy(Uint32Array, this.#schemeStarts.values),
        lengths: sharedCopy(Uint32Array, this.#schemeLengths.values),
      },
      seriesOptions: sharedCopy(Uint32Array, this.#seriesOptions.values),
      uics: sharedCopy(Uint32Array, uics),
      roots: sharedCopy(Uint32Array, this.#roots.values),
      strikes: sharedCopy(Float64Array, this.#strikes.values),
      underlyings: sharedCopy(Uint32Array, this.#underlyings.values),
      flags: sharedCopy(Uint8Array, this.#flags.values),
      byUic: sharedCopy(Uint32Array, radixOrder(uics)),
    }
  }
}
