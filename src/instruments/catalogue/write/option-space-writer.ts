import { momentAt } from '../../../core/time/days.ts'
import {
  type ExpiryMembers,
  expiryMembers,
  isSelected,
  listedSeries,
  type OptionSpaceQuery,
  selectedExpiries,
} from '../../rules/option-space.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { RequestView } from '../snapshot.ts'
import { defaultOptionText, optionText, statusOf } from './default-option.ts'
import { JsonBuffer } from './json-buffer.ts'
import { RowWriter } from './row-writer.ts'

const noGroups = new Set<never>()

type OptionSpace = Readonly<{
  reader: SegmentReader
  root: number
  today: number
  daySuffix: string
  query: OptionSpaceQuery
  listed: readonly Readonly<{ index: number; expiry: number }>[]
  selected: ReadonlySet<number>
}>

/** The response of operation 4, written when it is needed. Throws if the query is wrong. */
export function optionSpaceText(
  view: RequestView,
  { reader, index: root }: { reader: SegmentReader; index: number },
  query: OptionSpaceQuery,
  daySuffix: string,
): () => Buffer {
  const { rootSeries, seriesExpiries } = reader.segment.options
  const writer = new RowWriter(view)
  const today = writer.todayAt(reader.exchangeOf(reader.rowOfRoot(root)))
  const series: { index: number; expiry: number }[] = []
  for (let index = rootSeries[root] as number; index < (rootSeries[root + 1] as number); index++)
    series.push({ index, expiry: seriesExpiries[index] as number })
  const listed = listedSeries(series, today)
  const space = { reader, root, today, daySuffix, query, listed, selected: selectedExpiries(listed, query) }
  return () => writeSpace(view, writer, space)
}

function writeSpace(view: RequestView, writer: RowWriter, space: OptionSpace): Buffer {
  const { reader, root, listed, selected, query } = space
  const { segment } = reader
  const row = reader.rowOfRoot(root)
  const { TimeZone } = reader.exchangeOf(row).record
  const out = new JsonBuffer()
  out.ascii(`{"OptionRootId":${segment.options.rootIds[root]},`)
  const group = segment.options.rootGroups[root] as number
  if (group !== 0) out.ascii(`"GroupOptionRootId":${group},`)
  if (view.sendsObsoleteFields) out.ascii(defaultOptionText(view.snapshot, reader, listed, space))
  out.members(segment.text, segment.rowCommon, row)
  writer.ownFields(out, reader, row)
  writer.sharedFields(out, reader, row, noGroups)
  writer.tradabilityFields(out, reader, row, false)
  out.ascii('"OptionSpace":[')
  for (const [index, { index: series, expiry }] of listed.entries()) {
    if (index > 0) out.ascii(',')
    const lastTrade = segment.options.seriesLastTrades[series] as number
    const facts = { expiry, lastTrade: Number.isNaN(lastTrade) ? undefined : momentAt(lastTrade, TimeZone) }
    out.ascii(expiryText(expiryMembers(facts, space)))
    out.members(segment.options.text, segment.options.seriesTickSchemes, series)
    if (selected.has(expiry)) out.ascii(optionsText(reader, series, query))
    out.close()
  }
  return out.ascii(']}').finish()
}

/** The members and a trailing comma. Faster than JSON.stringify; nothing in them needs escaping. */
function expiryText(members: ExpiryMembers): string {
  const { DisplayDaysToExpiry, DisplayDaysToLastTradeDate, DisplayExpiry, Expiry, LastTradeDate } = members
  const days =
    DisplayDaysToLastTradeDate === undefined ? '' : `"DisplayDaysToLastTradeDate":${DisplayDaysToLastTradeDate},`
  const lastTrade = LastTradeDate === undefined ? '' : `"LastTradeDate":"${LastTradeDate}",`
  const expiry = `"DisplayExpiry":"${DisplayExpiry}","Expiry":"${Expiry}",`
  return `{"DisplayDaysToExpiry":${DisplayDaysToExpiry},${days}${expiry}${lastTrade}`
}

/** The columns are already ordered by strike, Call before Put. */
function optionsText(reader: SegmentReader, series: number, query: OptionSpaceQuery): string {
  const { options } = reader.segment
  const { seriesOptions, flags, underlyings } = options
  let text = ''
  for (let index = seriesOptions[series] as number; index < (seriesOptions[series + 1] as number); index++) {
    const facts = { TradingStatus: statusOf(flags[index] as number), UnderlyingUic: underlyings[index] as number }
    if (isSelected(facts, query)) text += `${text === '' ? '' : ','}${optionText(options, index)}`
  }
  return text === '' ? '' : `"SpecificOptions":[${text}]`
}
