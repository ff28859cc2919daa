import { epochDay, epochMicroseconds } from '../../../core/time/days.ts'
import { tradingStatuses } from '../../../core/trading-status.ts'
import type { OptionRootRecord } from '../../import/schema.ts'
import { GrowableArray, radixOrder, reordered, shareColumns, sharedCopy } from '../arrays.ts'
import type { OptionColumns } from '../segment.ts'
import { SliceCollector, TextArena } from './slice-collector.ts'

type Series = OptionRootRecord['Series'][number]
type Option = Series['Options'][number]

/** By strike, Call before Put (§6.3). */
const byStrike = (one: Option, other: Option): number =>
  one.StrikePrice - other.StrikePrice ||
  (one.PutCall < other.PutCall ? -1 : one.PutCall > other.PutCall ? 1 : one.Uic - other.Uic)

/** The tick sizes of a series that has none of its own. */
function tickSizesOf({ TickSizeScheme, TickSize }: OptionRootRecord): OptionRootRecord['TickSizeScheme'] {
  return TickSizeScheme ?? (TickSize === undefined ? undefined : { DefaultTickSize: TickSize })
}

export class OptionCollector {
  readonly #rootDocs = new GrowableArray(Uint32Array)
  readonly #arena = new TextArena()
  readonly #tickSchemes = new SliceCollector(this.#arena)
  readonly #columns = {
    rootIds: new GrowableArray(Uint32Array),
    rootGroups: new GrowableArray(Uint32Array),
    rootSeries: new GrowableArray(Uint32Array),
    seriesExpiries: new GrowableArray(Int32Array),
    seriesLastTrades: new GrowableArray(Float64Array),
    seriesOptions: new GrowableArray(Uint32Array),
    uics: new GrowableArray(Uint32Array),
    roots: new GrowableArray(Uint32Array),
    strikes: new GrowableArray(Float64Array),
    underlyings: new GrowableArray(Uint32Array),
    flags: new GrowableArray(Uint8Array),
  }

  add(record: OptionRootRecord, doc: number): void {
    this.#rootDocs.push(doc)
    this.#columns.rootIds.push(record.OptionRootId)
    this.#columns.rootGroups.push(record.GroupOptionRootId ?? 0)
    this.#columns.rootSeries.push(this.#columns.seriesExpiries.length)
    for (const series of record.Series.toSorted((one, other) => (one.Expiry < other.Expiry ? -1 : 1)))
      this.#addSeries(series, record)
  }

  #addSeries(series: Series, root: OptionRootRecord): void {
    const { Expiry, LastTradeDate, Options } = series
    const TickSizeScheme = series.TickSizeScheme ?? tickSizesOf(root)
    const columns = this.#columns
    columns.seriesExpiries.push(epochDay(Expiry))
    columns.seriesLastTrades.push(LastTradeDate === undefined ? Number.NaN : epochMicroseconds(LastTradeDate))
    this.#tickSchemes.addUnique(TickSizeScheme ? `"TickSizeScheme":${JSON.stringify(TickSizeScheme)}` : '')
    columns.seriesOptions.push(columns.uics.length)
    for (const option of Options.toSorted(byStrike)) {
      columns.uics.push(option.Uic)
      columns.roots.push(columns.rootIds.length - 1)
      columns.strikes.push(option.StrikePrice)
      columns.underlyings.push(option.UnderlyingUic ?? root.UnderlyingUic ?? 0)
      const status = tradingStatuses.indexOf(option.TradingStatus ?? 'NotDefined')
      columns.flags.push((option.PutCall === 'Put' ? 1 : 0) | (status << 1))
    }
  }

  /** `newDocs` maps the doc numbers given to `add` to the final ones. */
  finish(newDocs: Uint32Array): OptionColumns {
    const { rootIds, rootSeries, seriesExpiries, seriesOptions, uics } = this.#columns
    rootSeries.push(seriesExpiries.length)
    seriesOptions.push(uics.length)
    return {
      ...shareColumns(this.#columns),
      rootsById: sharedCopy(Uint32Array, radixOrder(rootIds.values)),
      rootDocs: reordered(Uint32Array, newDocs, this.#rootDocs.values),
      seriesTickSchemes: this.#tickSchemes.finish(),
      text: this.#arena.share(),
      byUic: sharedCopy(Uint32Array, radixOrder(uics.values)),
    }
  }
}
