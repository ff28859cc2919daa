import { momentAt } from '../../../core/time/days.ts'
import { type TradingStatus, tradingStatuses } from '../../../core/trading-status.ts'
import {
  contradictsMultiLeg,
  type ExpiryMembers,
  expiryMembers,
  isOptionAsked,
  listedSeries,
  type OptionSpaceQuery,
  openedExpiries,
} from '../../rules/option-space.ts'
import { bucketFlags } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import { JsonBuffer } from './json-buffer.ts'
import type { RowWriter } from './row-writer.ts'

const noGroups = new Set<never>()

/** Whether a root is what was asked for: one that has multi-leg orders, or one that has not. */
export function satisfiesMultiLeg(reader: SegmentReader, root: number, canParticipate: boolean | undefined): boolean {
  const flags = reader.segment.bucketFlags[reader.bucketOf(reader.rowOfRoot(root))] as number
  return !contradictsMultiLeg(canParticipate, Boolean(flags & bucketFlags.joinsMultiLeg))
}

/** What is told of a root to one who asks: its series that are listed, and which of them are opened. */
export type SelectedOptionSpace = Readonly<{
  reader: SegmentReader
  root: number
  today: number
  daySuffix: string
  query: OptionSpaceQuery
  listed: readonly Readonly<{ index: number; expiry: number }>[]
  opened: ReadonlySet<number>
}>

export function findOptionSpace(
  reader: SegmentReader,
  root: number,
  today: number,
  query: OptionSpaceQuery,
  daySuffix: string,
): SelectedOptionSpace {
  const { rootSeries, seriesExpiries } = reader.segment.options
  const series: { index: number; expiry: number }[] = []
  for (let index = rootSeries[root] as number; index < (rootSeries[root + 1] as number); index++)
    series.push({ index, expiry: seriesExpiries[index] as number })
  const listed = listedSeries(series, today)
  return { reader, root, today, daySuffix, query, listed, opened: openedExpiries(listed, query) }
}

/** Equal for spaces that are told alike to the same caller, however they were asked for. */
export function optionSpaceKey({ reader, root, today, daySuffix, query, opened }: SelectedOptionSpace): string {
  const { OptionSpaceSegment, UnderlyingUic, TradingStatus = '' } = query
  const underlying = OptionSpaceSegment === 'UnderlyingUic' ? UnderlyingUic : ''
  const id = reader.segment.options.rootIds[root]
  return `${id} ${today} ${daySuffix} ${underlying} ${TradingStatus} ${[...opened].join()}`
}

/** The answer of operation 4: the root, and its series with the options of those that are opened. */
export function writeOptionSpace(writer: RowWriter, space: SelectedOptionSpace): Buffer {
  const { reader, root, listed, opened, query } = space
  const { segment } = reader
  const row = reader.rowOfRoot(root)
  const { TimeZone } = reader.exchangeOf(row).record
  const out = new JsonBuffer()
  out.ascii(`{"OptionRootId":${segment.options.rootIds[root]},`)
  out.members(segment.text, segment.rowCommon, row)
  writer.own(out, reader, row)
  writer.shared(out, reader, row, noGroups)
  writer.standing(out, reader, row, false)
  out.ascii('"OptionSpace":[')
  for (const [index, { index: series, expiry }] of listed.entries()) {
    if (index > 0) out.ascii(',')
    const lastTrade = segment.options.seriesLastTrades[series] as number
    const facts = { expiry, lastTrade: Number.isNaN(lastTrade) ? undefined : momentAt(lastTrade, TimeZone) }
    out.ascii(expiryText(expiryMembers(facts, space)))
    out.members(segment.text, segment.options.seriesTickSchemes, series)
    if (opened.has(expiry)) out.ascii(optionsText(reader, series, query))
    out.close()
  }
  return out.ascii(']}').finish()
}

/** The members and a comma behind them; there are many entries, and no text in them is one to be escaped. */
function expiryText(members: ExpiryMembers): string {
  const { DisplayDaysToExpiry, DisplayDaysToLastTradeDate, DisplayExpiry, Expiry, LastTradeDate } = members
  const days =
    DisplayDaysToLastTradeDate === undefined ? '' : `"DisplayDaysToLastTradeDate":${DisplayDaysToLastTradeDate},`
  const lastTrade = LastTradeDate === undefined ? '' : `"LastTradeDate":"${LastTradeDate}",`
  const expiry = `"DisplayExpiry":"${DisplayExpiry}","Expiry":"${Expiry}",`
  return `{"DisplayDaysToExpiry":${DisplayDaysToExpiry},${days}${expiry}${lastTrade}`
}

/** The columns have them by strike, Call before Put, already. */
function optionsText(reader: SegmentReader, series: number, query: OptionSpaceQuery): string {
  const { seriesOptions, uics, strikes, flags, underlyings } = reader.segment.options
  let text = ''
  for (let index = seriesOptions[series] as number; index < (seriesOptions[series + 1] as number); index++) {
    const bits = flags[index] as number
    const TradingStatus = tradingStatuses[bits >> 1] as TradingStatus
    const UnderlyingUic = underlyings[index] as number
    if (!isOptionAsked({ TradingStatus, UnderlyingUic }, query)) continue
    text += `${text === '' ? '' : ','}{"PutCall":"${bits & 1 ? 'Put' : 'Call'}","StrikePrice":${strikes[index]},`
    text += `"TradingStatus":"${TradingStatus}","Uic":${uics[index]}`
    text += UnderlyingUic === 0 ? '}' : `,"UnderlyingUic":${UnderlyingUic}}`
  }
  return text === '' ? '' : `"SpecificOptions":[${text}]`
}
