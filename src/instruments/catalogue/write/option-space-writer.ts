import { momentAt } from '../../../core/time/days.ts'
import {
  type ExpiryMembers,
  expiryMembers,
  listedSeries,
  type OptionSpaceQuery,
  selectedExpiries,
} from '../../rules/option-space.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { RequestView } from '../snapshot.ts'
import { writeDefaultOption } from './default-option.ts'
import { JsonBuffer } from './json-buffer.ts'
import { writeOptions } from './option-writer.ts'
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
  out.ascii('"OptionSpace":[')
  const expiryTexts = expiryTextsOf(TimeZone, space)
  const { text, seriesTickSchemes, seriesLastTrades } = segment.options
  for (let at = 0; at < listed.length; at++) {
    const { index: series, expiry } = listed[at] as (typeof listed)[number]
    const { open, closed } = expiryTexts.get(expiry, seriesLastTrades[series] as number)
    const isSelected = selected.has(expiry)
    if (!isSelected && seriesTickSchemes.lengths[series] === 0) {
      out.bytes(closed)
      continue
    }
    out.bytes(open).members(text, seriesTickSchemes, series)
    if (isSelected) writeOptions(out, reader, series, query)
    out.close().comma()
  }
  return out.dropComma().ascii(']}').finishBody()
}

type Dated = Readonly<{ today: number; daySuffix: string }>

/** A series up to its options, and one without any. */
type ExpiryText = Readonly<{ lastTrade: number; open: Buffer; closed: Buffer }>

/** The texts of series for one time zone and day: most roots have the same expiries. */
class ExpiryTexts {
  readonly #zone: string
  readonly dated: Dated
  readonly #known = new Map<number, ExpiryText>()

  constructor(zone: string, dated: Dated) {
    this.#zone = zone
    this.dated = dated
  }

  get(expiry: number, lastTrade: number): ExpiryText {
    const known = this.#known.get(expiry)
    if (known && Object.is(known.lastTrade, lastTrade)) return known
    const facts = { expiry, lastTrade: Number.isNaN(lastTrade) ? undefined : momentAt(lastTrade, this.#zone) }
    const open = expiryText(expiryMembers(facts, this.dated))
    const text = { lastTrade, open: Buffer.from(open), closed: Buffer.from(`${open.slice(0, -1)}},`) }
    if (this.#known.size >= maxExpiries) this.#known.clear()
    this.#known.set(expiry, text)
    return text
  }
}

const maxExpiries = 2_000
/** By time zone. */
const textsOfZones = new Map<string, ExpiryTexts>()

function expiryTextsOf(zone: string, { today, daySuffix }: Dated): ExpiryTexts {
  const known = textsOfZones.get(zone)
  if (known?.dated.today === today && known.dated.daySuffix === daySuffix) return known
  const texts = new ExpiryTexts(zone, { today, daySuffix })
  textsOfZones.set(zone, texts)
  return texts
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
