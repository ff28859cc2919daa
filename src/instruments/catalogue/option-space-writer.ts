import {
  contradictsMultiLeg,
  expiryMembers,
  isOptionAsked,
  listedSeries,
  type OptionSpaceQuery,
  openedExpiries,
  type SeriesFacts,
} from '../rules/option-space.ts'
import { AnswerText } from './answer-text.ts'
import { dayText } from './contract-writer.ts'
import type { Part } from './part.ts'
import type { RowWriter } from './row-writer.ts'
import { contractStatuses, profileFlags } from './segment.ts'

type PlacedSeries = SeriesFacts & { index: number }
const noGroups = new Set<never>()

/** Whether a root is what was asked for: one that has multi-leg orders, or one that has not. */
export function isRootAsked(part: Part, root: number, canParticipate: boolean | undefined): boolean {
  const flags = part.segment.profileFlags[part.profileOf(part.rowOfRoot(root))] as number
  return !contradictsMultiLeg(canParticipate, Boolean(flags & profileFlags.joinsMultiLeg))
}

/** The answer of operation 4: the root, and its series with the options of those that are opened. */
export function optionSpace(
  writer: RowWriter,
  part: Part,
  root: number,
  query: OptionSpaceQuery,
  daySuffix: string,
): Buffer {
  const { segment } = part
  const row = part.rowOfRoot(root)
  const exchange = part.exchangeOf(row)
  const day = writer.todayAt(exchange)
  const today = Temporal.PlainDate.from(dayText(day))
  const listed = listedSeries(seriesOf(part, root), today)
  const opened = openedExpiries(listed, query)
  const out = new AnswerText()
  out.ascii(`{"OptionRootId":${segment.options.rootIds[root]},`)
  out.members(segment.text, segment.rowCommon, row).members(segment.text, segment.rowOwn, row)
  writer.shared(out, part, row, noGroups)
  writer.standing(out, part, row, false)
  out.ascii('"OptionSpace":[')
  const at = { today, timeZone: exchange.record.TimeZone, daySuffix }
  for (const [index, series] of listed.entries()) {
    if (index > 0) out.ascii(',')
    out.ascii(JSON.stringify(expiryMembers(series, at)).slice(0, -1)).ascii(',')
    out.members(segment.text, segment.options.seriesTickSchemes, series.index)
    if (opened.has(series.Expiry)) writeOptions(out, part, series.index, query)
    out.close()
  }
  return out.ascii(']}').finish()
}

function seriesOf(part: Part, root: number): PlacedSeries[] {
  const { rootSeries, seriesExpiries, seriesLastTrades } = part.segment.options
  const series: PlacedSeries[] = []
  for (let index = rootSeries[root] as number; index < (rootSeries[root + 1] as number); index++) {
    const lastTrade = seriesLastTrades[index] as number
    series.push({
      index,
      Expiry: dayText(seriesExpiries[index] as number),
      LastTradeDate: Number.isNaN(lastTrade) ? undefined : Temporal.Instant.fromEpochMilliseconds(lastTrade).toString(),
    })
  }
  return series
}

/** The columns have them by strike, Call before Put, already. */
function writeOptions(out: AnswerText, part: Part, series: number, query: OptionSpaceQuery): void {
  const { seriesOptions, uics, strikes, flags, underlyings } = part.segment.options
  let count = 0
  for (let index = seriesOptions[series] as number; index < (seriesOptions[series + 1] as number); index++) {
    const bits = flags[index] as number
    const underlying = underlyings[index] as number
    const option = {
      PutCall: bits & 1 ? ('Put' as const) : ('Call' as const),
      StrikePrice: strikes[index] as number,
      TradingStatus: contractStatuses[bits >> 1] as (typeof contractStatuses)[number],
      Uic: uics[index],
      ...(underlying !== 0 && { UnderlyingUic: underlying }),
    }
    if (!isOptionAsked(option, query)) continue
    out.ascii(count++ === 0 ? '"SpecificOptions":[' : ',').ascii(JSON.stringify(option))
  }
  if (count > 0) out.ascii(']')
}
