import { listedSeries, type OptionSpaceQuery, selectedExpiries } from '../../rules/option-space.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { RequestView } from '../snapshot.ts'
import { writeDefaultOption } from './default-option.ts'
import { JsonBuffer } from './json-buffer.ts'
import { writeOptions } from './option-writer.ts'
import { RowWriter } from './row-writer.ts'
import { seriesTextsOf } from './series-texts.ts'
import { optionSpaceMembers } from './vendor-members.ts'

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
  onEmpty?: () => void,
): () => Buffer {
  const writer = new RowWriter(view)
  const today = writer.todayAt(reader.exchangeOf(reader.rowOfRoot(root)))
  const listed = listedSeries(seriesOfRoot(reader, root), today)
  const space = { reader, root, today, daySuffix, query, listed, selected: selectedExpiries(listed, query) }
  return () => {
    if (listed.length === 0) onEmpty?.()
    return writeSpace(view, writer, space)
  }
}

/** All series of a root, expired ones too. */
export function seriesOfRoot(reader: SegmentReader, root: number): { index: number; expiry: number }[] {
  const { rootSeries, seriesExpiries } = reader.segment.options
  const series: { index: number; expiry: number }[] = []
  for (let index = rootSeries[root] as number; index < (rootSeries[root + 1] as number); index++)
    series.push({ index, expiry: seriesExpiries[index] as number })
  return series
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
  if (view.sendsObsoleteFields) writeDefaultOption(out, view.snapshot, reader, listed, space)
  out.members(segment.text, segment.rowCommon, row)
  writer.ownFields(out, reader, row)
  writer.sharedFields(out, reader, row, noGroups)
  writer.tradabilityFields(out, reader, row, false)
  if (view.limitsMembers) out.keepMembers(1, optionSpaceMembers)
  out.ascii('"OptionSpace":[')
  const seriesTexts = seriesTextsOf(segment.options, TimeZone, space)
  for (let at = 0; at < listed.length; at++) {
    const { index: series, expiry } = listed[at] as (typeof listed)[number]
    const { open, closed } = seriesTexts.get(series, expiry)
    if (!selected.has(expiry)) {
      out.bytes(closed)
      continue
    }
    out.bytes(open)
    writeOptions(out, reader, series, query)
    out.close().comma()
  }
  return out.dropComma().ascii(']}').finish()
}
